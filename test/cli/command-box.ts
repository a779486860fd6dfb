/** Commands over a home and a repository of their own: run in this process, with or without a daemon in another. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { afterThis } from '../after-this.ts';
import { type Sandbox, sandbox } from '../daemon/processes.ts';
import { type TempRepository, tempRepository } from '../projects/temp-repository.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandBox extends Sandbox {
  readonly repository: TempRepository;
  /** `mnemosyne decisions …` on the repository. */
  decisions(...args: readonly string[]): Promise<Ran>;
  /** The same with `--json`; answers what was printed. Throws when the command fails. */
  json(...args: readonly string[]): Promise<unknown>;
  cli(args: readonly string[], terminal?: Partial<Terminal>, env?: Readonly<Record<string, string>>): Promise<Ran>;
}

export function commandBox(): CommandBox {
  const box = sandbox();
  afterThis(() => box.dispose());
  const repository = tempRepository(path.join(box.home, 'src', 'atlas'));
  repository.commit({ 'src/store.ts': 'one', 'src/tree/leaf.ts': 'one', 'README.md': 'one' });

  const cli: CommandBox['cli'] = async (args, terminal = {}, env = {}) => {
    let stdout = '';
    let stderr = '';
    const code = await runCommandLine(
      args,
      { PATH: process.env['PATH'], HOME: box.home, ...env },
      {
        print: (line) => {
          stdout += `${line}\n`;
        },
        error: (line) => {
          stderr += `${line}\n`;
        },
        write: (text) => {
          stdout += text;
        },
        writeError: (text) => {
          stderr += text;
        },
        ...terminal,
      },
    );
    return { code, stdout, stderr };
  };
  const decisions: CommandBox['decisions'] = (verb = '', ...args) =>
    cli(['decisions', verb, '--project', repository.root, ...args]);
  return {
    ...box,
    repository,
    cli,
    decisions,
    async json(verb = '', ...args) {
      const ran = await decisions(verb, '--json', ...args);
      if (ran.code !== 0 || ran.stderr !== '') throw new Error(`${verb} failed: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
  };
}

/** `text` with what differs between two runs replaced: times, new ids, commits, and the folder. */
export function settled(text: string, box: CommandBox): string {
  return text
    .replaceAll(box.repository.root, '/atlas')
    .replaceAll(box.home, '/home')
    .replaceAll(/(\*\*Commit:\*\* )[0-9a-f]{7}\b/g, '$1COMMIT')
    .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"CURSOR"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\bp_[0-9a-f]{12}\b/g, 'PROJECT')
    .replaceAll(/"id":"[0-9a-f]{12}"/g, '"id":"JOB"');
}

export function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
