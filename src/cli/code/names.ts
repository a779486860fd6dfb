/** The commands of the code mind with what each is for: all that the help needs, so that nothing else is loaded for it. */

export const codeCommands = {
  build: 'index a project, or catch up with its files',
  query: 'find the places that answer a question, for few tokens',
  search: 'find files and definitions by words',
  wakeup: 'print what an agent reads first: what the project is and how it is divided',
  skeleton: 'outline a file: its definitions with their lines',
  neighbors: 'show what a definition or file is connected with',
  impact: 'show what depends on a definition or file, hop by hop',
  stats: 'show what is indexed',
  savings: 'show what answers saved',
  health: 'say whether the index fits the files: exit code 0 when it does, 1 when it is behind, 2 when there is none',
  validate: 'check that the index hangs together',
  doctor: 'look for faults and name their cures: exit code 1 when there is one',
  watch: 'keep the index in step with the files until Ctrl-C',
  documents: 'Markdown, text and PDF beside the code',
} as const satisfies Record<string, string>;

export type CodeCommandName = keyof typeof codeCommands;

export function isCodeCommand(name: string): name is CodeCommandName {
  return Object.hasOwn(codeCommands, name);
}
