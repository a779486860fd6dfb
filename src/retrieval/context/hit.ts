/** What a context tells of one place that was found. */
export interface ContextHit {
  /** From the root of the project, with `/`. */
  readonly path: string;
  /** Both from 1, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  /** `function`, `class`, `section`, `file` …: a word for people. */
  readonly kind: string;
  /** The qualified name of a symbol, a heading, or the name of a file. */
  readonly label: string;
  /** The declaration on one line, or empty. */
  readonly signature: string;
  /** The first sentence of its documentation, or empty. */
  readonly summary: string;
  /** Of documents: the text that was found. Empty for code. */
  readonly snippet: string;
  /** From 0 to 1, the best hit of a search has 1. */
  readonly score: number;
  /** Why it was found, each in one or two words: `name`, `body`, `meaning`, `graph`. */
  readonly why: readonly string[];
  /** The group of files it belongs to: `Group.id`. */
  readonly community: number;
  readonly isTest: boolean;
  readonly fileType: 'code' | 'docs';
}

/** What makes two hits the same place. */
export function placeOf(hit: ContextHit): string {
  return `${hit.path}:${hit.startLine}-${hit.endLine}`;
}
