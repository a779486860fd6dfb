/** Whether the decision store of the project can be read by this program. Its content is truth: nothing replaces it. */
import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { SERVER_NAME } from '../../../base/version.ts';
import { currentVersion, inspectFormat } from '../../../memory/decisions/schema/migrations.ts';
import { copyDatabase, pageFaults, sqliteCodeOf } from './database-copy.ts';
import { type Check, fault, shellWord, type Verdict, warning, well } from './finding.ts';

/** `scratch` names a new folder for copies. */
export function decisions(scratch: () => string): Check {
  return {
    name: 'decisions',
    look({ root }) {
      const file = path.join(root, '.neuralmind', 'memory.db');
      const links = [path.dirname(file), file].filter(isLink);
      if (links[0] !== undefined) {
        return warning('Not checked, because of a link.', `Remove the link with \`rm ${shellWord(links[0])}\`.`);
      }
      const found = lstatSync(file, { throwIfNoEntry: false });
      if (found === undefined) return well('There are no decisions yet.');
      if (found.isFile() && found.size === 0) return well('There are no decisions yet.');
      if (!found.isFile() || !isSqlite(file)) return foreign(file);
      const copy = copyDatabase(file, scratch());
      if (copy === null) {
        return warning(
          'Not checked, because it is being written.',
          `Look again with \`mnemosyne doctor ${shellWord(root)}\`.`,
        );
      }
      return verdictOn(copy.file, file);
    },
  };
}

function verdictOn(copy: string, file: string): Verdict {
  const db = new Database(copy, { readonly: true, fileMustExist: true });
  try {
    const faults = pageFaults(db);
    if (faults.length > 0) return damaged(file, faults[0] ?? '');
    const format = inspectFormat(db);
    if (format.kind === 'foreign') return foreign(file);
    if (format.kind === 'empty') return well('There are no decisions yet.');
    if (format.kind === 'newer') {
      return fault(
        `The decisions have format ${format.version}; this program reads up to ${currentVersion}.`,
        `Install the newest release with \`npm install --global ${SERVER_NAME}@latest\`.`,
      );
    }
    const count = db.prepare<[], number>('SELECT count(*) FROM decisions').pluck().get() ?? 0;
    return well(`${count === 1 ? '1 decision' : `${count} decisions`}, format ${format.version}.`);
  } catch (error) {
    const code = sqliteCodeOf(error);
    if (code === null) throw error;
    return damaged(file, code);
  } finally {
    db.close();
  }
}

function damaged(file: string, what: string): Verdict {
  const word = shellWord(file);
  return fault(
    `The decisions are damaged: ${what}.`,
    `Put a backup in their place, or save what can be read with \`sqlite3 ${word} .recover | sqlite3 ${word}.saved\`.`,
  );
}

function foreign(file: string): Verdict {
  const word = shellWord(file);
  return fault('memory.db is not a decision store.', `Put it elsewhere with \`mv ${word} ${word}.other\`.`);
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isSqlite(file: string): boolean {
  const head = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1') === 'SQLite format 3\0';
}
