// Runs one of the scripts that exist only in a checkout; an installed package has neither sources nor tests.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('../scripts/run.mjs', import.meta.url));

export function runScript(name) {
  if (!existsSync(runner) || !existsSync(fileURLToPath(new URL('../src/main.ts', import.meta.url)))) {
    process.stderr.write(
      `mnemosyne-${name} works in a checkout of the sources: clone the repository, run "npm ci", then "npm run ${name}"\n`,
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(process.execPath, [runner, name].concat(process.argv.slice(2)), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', () => {
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code === null ? 1 : code;
  });
}
