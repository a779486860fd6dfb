/** What a check of the doctor says, and what it gets to look at. */
import type { ScanResult } from '../../../retrieval/code/scan.ts';
import type { DocumentsRead } from '../../../retrieval/documents/documents-list.ts';
import type { OwnSetting } from '../../projects/own-folders.ts';
import type { IndexExamination } from './examine-index.ts';

export interface Finding {
  readonly check: string;
  /** A warning is something that works differently from what one may expect, or that could not be checked. */
  readonly state: 'ok' | 'warning' | 'fault';
  readonly message: string;
  /** One imperative sentence with the command, or null when there is nothing to do. */
  readonly cure: string | null;
}

/** The project and the program that are looked at. What several checks need is found once. */
export interface Patient {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly userHome: string;
  readonly daemonHome: string;
  /** Of our own data, absolute. */
  readonly ownFolders: readonly string[];
  /** What puts one of them around the project, if it would not lie there by itself. */
  readonly ownSetting: OwnSetting | null;
  /** The folder of the program's own `package.json`. */
  readonly packageRoot: string;
  /** As `process.versions.node`. */
  readonly nodeVersion: string;
  scan(): Promise<ScanResult>;
  documents(): DocumentsRead;
  index(): Promise<IndexExamination>;
}

/** One question about the patient. Changes nothing; may throw what the system throws, which becomes a warning. */
export interface Check {
  readonly name: string;
  readonly look: (patient: Patient) => Verdict | Promise<Verdict>;
}

export type Verdict = Omit<Finding, 'check'>;

export function well(message: string): Verdict {
  return { state: 'ok', message, cure: null };
}

export function warning(message: string, cure: string | null): Verdict {
  return { state: 'warning', message, cure };
}

export function fault(message: string, cure: string): Verdict {
  return { state: 'fault', message, cure };
}

/** A path as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function buildCommand(root: string): string {
  return `\`mnemosyne build ${shellWord(root)}\``;
}

/** `a.ts, b.ts and 3 more` */
export function someOf(names: readonly string[], namedMax: number): string {
  const named = names.slice(0, namedMax).join(', ');
  return names.length > namedMax ? `${named} and ${names.length - namedMax} more` : named;
}
