/** The commands around the bearer token. Only `auth-headers` prints it, because its caller is the client itself. */
import { ProcessError } from '../base/errors.ts';
import { acquireDaemonLock } from '../server/daemon-lock.ts';
import { daemonHome, type Environment, ensureDaemonHome } from '../server/home.ts';
import { loadToken, rotateToken, tokenPath } from '../server/token.ts';
import type { Terminal } from './terminal.ts';

/** One JSON object of header names and values, as clients with a header command expect. Makes a missing token. */
export function printAuthHeaders(env: Environment, terminal: Terminal): void {
  terminal.print(JSON.stringify({ Authorization: `Bearer ${loadToken(daemonHome(env))}` }));
}

export function showTokenPath(env: Environment, terminal: Terminal): void {
  terminal.print(tokenPath(daemonHome(env)));
}

/** Refused while a daemon runs: it would go on accepting the old token until its next start. */
export async function rotateDaemonToken(env: Environment, terminal: Terminal): Promise<void> {
  const home = daemonHome(env);
  ensureDaemonHome(home);
  const attempt = await acquireDaemonLock(home);
  if (attempt.kind === 'held') {
    throw new ProcessError(
      'already_running',
      `stop the daemon first (mnemosyne daemon stop): it keeps its token until it ends (pid ${attempt.pid})`,
    );
  }
  try {
    rotateToken(home);
  } finally {
    attempt.lock.release();
  }
  terminal.print(`A new token lies in ${tokenPath(home)}; clients that hold the old one must read it again.`);
}
