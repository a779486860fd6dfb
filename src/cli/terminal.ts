/** Where commands print, so that a test can listen. Results go to standard output, everything else to standard error. */
import pc from 'picocolors';
import { ProcessError } from '../base/errors.ts';
import { cliLimits } from '../base/limits.ts';

export interface Terminal {
  /** A line of the result. */
  print(line: string): void;
  /** A line for the person, not for a program. */
  error(line: string): void;
  write(text: string): void;
  writeError(text: string): void;
  /** Set when a person looks at standard output: its width in columns, and whether it shows colours. */
  readonly screen?: { readonly columns: number; readonly colours: boolean };
  /** Set when a person looks at standard error: one line there may be drawn again and again. */
  readonly statusLine?: { readonly columns: number };
  /** Standard input to its end. Throws ProcessError `invalid_request` when it is no text, or too long. */
  readInput?(): Promise<string>;
  /** Asks a question that is answered by yes or no. Absent when nobody is there to answer. */
  confirm?(question: string): Promise<boolean>;
  /** From now on a reader that stops reading (`| head`) ends the process without a word. */
  endWhenUnread?(): void;
}

export const processTerminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  error: (line) => void process.stderr.write(`${line}\n`),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  ...(process.stdout.isTTY
    ? { screen: { columns: process.stdout.columns || 80, colours: pc.isColorSupported } }
    : undefined),
  ...(process.stderr.isTTY ? { statusLine: { columns: process.stderr.columns || 80 } } : undefined),
  readInput,
  ...(process.stdin.isTTY && process.stderr.isTTY ? { confirm } : undefined),
  endWhenUnread() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(0);
    });
  },
};

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > cliLimits.inputBytesMax) {
      throw new ProcessError('invalid_request', `standard input holds more than ${cliLimits.inputBytesMax} bytes`);
    }
    chunks.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new ProcessError('invalid_request', 'standard input is no UTF-8 text', { cause: error });
  }
}

async function confirm(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  // The end of the input answers as well: with no.
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test((await Promise.race([asking.question(`${question} [y/N] `), ended])).trim());
  } finally {
    asking.close();
  }
}
