/**
 * Names of the index that a name nothing has may have been meant for: misspelt, or only begun. They are offered to who
 * asked; none of them is ever taken for what was asked for.
 */
import { editDistance, nearDistance } from '../../base/edit-distance.ts';
import { nearNameLimits } from '../../base/limits.ts';
import { lastNameOf } from '../../retrieval/graph/last-name.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';

interface Near {
  readonly name: string;
  /** Letters that differ. */
  readonly distance: number;
}

interface Place {
  readonly position: number;
  readonly qualified_name: string;
  readonly path: string;
}

/**
 * Qualified names and paths, the nearest first, at most `offeredMax`, each of which can be asked for. At most
 * `lettersMax` and a third of the letters of the last name may differ; where none is so near, names that begin with it are offered.
 */
export function nearNames(db: IndexView['db'], text: string): readonly string[] {
  const typed = text.trim().replace(/\(\)$/, '');
  return offered(db, typed, [afterSlash(typed), lastNameOf(typed)], false);
}

/** The same among files alone, those with the very name of the file first. */
export function nearFiles(db: IndexView['db'], path: string): readonly string[] {
  return offered(db, path, [afterSlash(path)], true);
}

function offered(db: IndexView['db'], typed: string, words: readonly string[], isOfFiles: boolean): readonly string[] {
  const { typedCharsMax, offeredMax, placesMax } = nearNameLimits;
  const wanted = [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => word !== '');
  if (typed.length > typedCharsMax || wanted.length === 0) return [];
  const placesOf = db.prepare<[string, string, number], Place>(
    `SELECT node.position AS position, node.qualified_name AS qualified_name, file.path AS path
     FROM node JOIN file ON file.id = node.file
     WHERE node.name = ? COLLATE NOCASE AND node.name = ? ORDER BY file.path, node.position LIMIT ?`,
  );
  const found = nearestNames(db, wanted).flatMap(({ name, distance }) =>
    placesOf
      .all(name, name, placesMax)
      .filter(({ position }) => !isOfFiles || position < 0)
      .map(({ position, qualified_name, path }) => (position < 0 ? path : qualified_name))
      .map((offer) => ({
        offer,
        distance,
        whole: editDistance(typed.toLowerCase(), offer.toLowerCase(), typedCharsMax),
      })),
  );
  const ranked = found.sort(
    (a, b) => a.distance - b.distance || a.whole - b.whole || (a.offer < b.offer ? -1 : a.offer > b.offer ? 1 : 0),
  );
  return [...new Set(ranked.map(({ offer }) => offer))].slice(0, offeredMax);
}

/** Those that are spelt alike; where none is, those that only begin so. */
function nearestNames(db: IndexView['db'], wanted: readonly string[]): readonly Near[] {
  const near = speltAlike(db, wanted);
  return (near.length > 0 ? near : begunWith(db, wanted))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, nearNameLimits.candidatesMax);
}

/** The names of all nodes are looked through, up to `namesMax`: a lookup finds no name that is spelt otherwise. */
function speltAlike(db: IndexView['db'], wanted: readonly string[]): Near[] {
  const words = wanted.map((word) => ({ word, stem: stemLength(word), letters: lettersOf(word) }));
  const lengths = wanted.map((word) => word.length);
  const shortest = Math.min(...lengths) - nearNameLimits.lettersMax;
  const longest = Math.max(...lengths) + nearNameLimits.lettersMax;
  const names = db
    .prepare<[number, number, number], string>('SELECT name FROM node WHERE length(name) BETWEEN ? AND ? LIMIT ?')
    .pluck();
  const near = new Map<string, number>();
  for (const name of names.iterate(shortest, longest, nearNameLimits.namesMax)) {
    const lower = name.toLowerCase();
    const letters = lettersOf(lower);
    const stem = stemLength(lower);
    for (const one of words) {
      const most = Math.min(nearDistance(one.stem, stem), nearNameLimits.lettersMax);
      // One change takes a letter away and brings another, so most names need not be compared at all.
      if (bitsOf(letters & ~one.letters) > most || bitsOf(one.letters & ~letters) > most) continue;
      const distance = editDistance(one.word, lower, most);
      if (distance < (near.get(name) ?? Number.POSITIVE_INFINITY)) near.set(name, distance);
    }
  }
  return [...near].map(([name, distance]) => ({ name, distance }));
}

function begunWith(db: IndexView['db'], wanted: readonly string[]): Near[] {
  const names = db
    .prepare<[string, number], string>("SELECT DISTINCT name FROM node WHERE name LIKE ? ESCAPE '\\' LIMIT ?")
    .pluck();
  return wanted
    .filter((word) => word.length >= nearNameLimits.beginningCharsLeast)
    .flatMap((word) =>
      names
        .all(`${word.replaceAll(/[\\%_]/g, '\\$&')}%`, nearNameLimits.beginningsMax)
        .map((name) => ({ name, distance: name.length - word.length })),
    );
}

/** Without the ending of a file: that two names share it makes them no nearer. */
function stemLength(name: string): number {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? dot : name.length;
}

/** Which letters are in it, a bit for each of 32 kinds. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at += 1) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(letters: number): number {
  let count = 0;
  for (let left = letters; left !== 0; left &= left - 1) count += 1;
  return count;
}

function afterSlash(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
}
