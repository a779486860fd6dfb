/** The nouns under which the routes are grouped, in the words of the pages. */
import type { ApiOperation } from './api-routes.ts';

const known: ReadonlyMap<string, string> = new Map([
  ['server', 'The server itself.'],
  ['projects', 'Repositories that were registered, by opaque id.'],
  ['memories', 'The recorded decisions of a project.'],
  ['code', 'The code of a project: its index, questions to it, and its structure.'],
  ['jobs', 'Work that outlives its request.'],
]);

/** The first word of the row's name. */
export function nounOf(row: ApiOperation): string {
  return row.name.split('.', 1)[0] ?? row.name;
}

/** Throws for a noun that has no words yet. */
export function nounWords(noun: string): string {
  const words = known.get(noun);
  if (words === undefined) throw new Error(`the noun ${noun} is not described`);
  return words;
}
