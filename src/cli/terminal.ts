/** Where commands print, so that a test can listen. Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** A line of the result. */
  print(line: string): void;
  /** A line for the person, not for a program. */
  error(line: string): void;
  write(text: string): void;
  writeError(text: string): void;
}

export const processTerminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  error: (line) => void process.stderr.write(`${line}\n`),
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
};
