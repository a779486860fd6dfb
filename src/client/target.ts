/**
 * Where requests go and with which token: given to the constructor, set in the environment, or found.
 *
 * A token is never sent to another place than the one it is for: the announced token only to the announced address, the
 * token of the environment only to the address of the environment or, without one, to the announced daemon.
 */
import { NeuralMindConnectionError } from './errors.ts';

export interface TargetOptions {
  /** Address of the server, with or without `/v1`. Default: `NEURALMIND_API_URL`, else the daemon of this user. */
  readonly url?: string | URL | undefined;
  /** Default: `NEURALMIND_API_TOKEN`, else the announced token. */
  readonly token?: string | undefined;
  /** Folder of the discovery file. Default: `NEURALMIND_DAEMON_HOME`, else `~/.neuralmind`. */
  readonly daemonHome?: string | undefined;
}

export interface Target {
  /** Without a slash at the end and without `/v1`. */
  readonly base: string;
  readonly token: string | null;
  /** Found by the discovery file. */
  readonly found: boolean;
}

/** Throws TypeError for an address or token that cannot be used. The answer is asked before every request. */
export function targetOf(options: TargetOptions): () => Promise<Target> {
  const given = options.url === undefined ? null : baseOf(String(options.url), 'url');
  const set = variable('NEURALMIND_API_URL');
  const fromEnvironment = set === null ? null : baseOf(set, 'NEURALMIND_API_URL');
  const base = given ?? fromEnvironment;
  const setToken = base === null || fromEnvironment === null || base === fromEnvironment;
  const token = options.token ?? (setToken ? variable('NEURALMIND_API_TOKEN') : null);
  if (token !== null) checkToken(token, options.token === undefined ? 'NEURALMIND_API_TOKEN' : 'token');
  if (base !== null) {
    const target: Target = { base, token, found: false };
    return async () => target;
  }
  return async () => {
    if (typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function') {
      throw new NeuralMindConnectionError(
        'no_daemon',
        'no daemon can be looked for here; give the client its url and token',
      );
    }
    const { findLocalDaemon } = await import('./local-daemon.ts');
    const daemon = findLocalDaemon(options.daemonHome);
    return { base: daemon.base, token: token ?? daemon.token, found: true };
  };
}

function variable(name: 'NEURALMIND_API_URL' | 'NEURALMIND_API_TOKEN'): string | null {
  if (typeof process === 'undefined') return null;
  return process.env?.[name] || null;
}

function baseOf(address: string, name: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new TypeError(`${name} is not an address like http://127.0.0.1:8000`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`${name} begins neither with http:// nor with https://`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`${name} must not hold a user name or password; give the token as token`);
  }
  if (url.search !== '' || url.hash !== '') throw new TypeError(`${name} must not hold a query or a fragment`);
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Checked here because `fetch` would repeat a token that no header can carry in its error. */
function checkToken(token: string, name: string): void {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError(`${name} is empty or holds characters that no token has`);
}
