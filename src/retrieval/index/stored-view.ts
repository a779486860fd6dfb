/** What linking may ask about the files of a project, answered by the tables of its index. */
import type Database from 'better-sqlite3';
import { indexLimits } from '../../base/limits.ts';
import type { ProjectConfig } from '../code/resolve/project-config.ts';
import type { ProjectView, SymbolRef } from '../code/resolve/project-view.ts';
import type { FileFacts } from '../code/symbol.ts';
import type { PartsStore } from './parts-store.ts';

/** `fresh` are facts that were just read, by path. The view holds what it was asked, so it lives for one build only. */
export function storedView(
  db: Database.Database,
  parts: PartsStore,
  config: ProjectConfig,
  fresh: ReadonlyMap<string, FileFacts>,
): ProjectView {
  const held = new Map<string, FileFacts | undefined>();
  const names = new Map<string, readonly SymbolRef[]>();
  const partsOf = db.prepare<[string], number>('SELECT parsed FROM file WHERE path = ?').pluck();
  const defined = db.prepare<[string, string], SymbolRef>(
    `SELECT file.path AS path, node.position AS "index" FROM node JOIN file ON file.id = node.file
     WHERE node.name = ? COLLATE NOCASE AND node.name = ? AND node.position >= 0`,
  );
  const ofModule = db.prepare<[string], string>('SELECT path FROM file WHERE module = ?').pluck();
  const inDirectory = db.prepare<[string], string>('SELECT path FROM file WHERE directory = ?').pluck();
  return {
    config,
    facts(path) {
      const known = fresh.get(path) ?? held.get(path);
      if (known !== undefined || held.has(path)) return known;
      const stored = partsOf.get(path);
      const facts = stored === undefined ? undefined : parts.outline(stored).facts;
      if (held.size >= indexLimits.heldFactsMax) held.clear();
      held.set(path, facts);
      return facts;
    },
    definitions(name) {
      let known = names.get(name);
      if (known === undefined) {
        known = defined
          .all(name, name)
          .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.index - b.index));
        names.set(name, known);
      }
      return known;
    },
    filesOfModule: (module) => ofModule.all(module).sort(),
    filesIn: (directory) => inDirectory.all(directory).sort(),
  };
}
