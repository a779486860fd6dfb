/**
 * Installs exactly the locked packages. What npm says is passed on line by line, but for its warning that a package
 * wants another Node than the one npm runs on: the packages bring the Node that runs them.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Resolves to the exit code of npm, 1 when it cannot be started. Everything is written to standard error. */
export function npmCi(folder) {
  const npm = process.env.npm_execpath;
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const child = spawn(program, [...first, 'ci', '--no-audit', '--no-fund', '--no-color'], {
    cwd: folder,
    stdio: ['ignore', 2, 'pipe'],
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!/^npm warn EBADENGINE\b/i.test(line)) process.stderr.write(`${line}\n`);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}
