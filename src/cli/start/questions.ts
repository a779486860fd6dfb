/**
 * Three questions that an index is asked about its own repository, in the words of a person.
 *
 * One about a chapter of the README, one after the definition that most of the code hangs on, one in the words of the
 * documentation of another. Names stand as the code writes them. Where one cannot be made, the largest group of files,
 * the next definitions and files give another. The same index gives the same questions.
 */
import type { CentralSymbol, RepositoryFacts } from './repository-facts.ts';

const questionsMax = 3;

export function questionsAbout(facts: RepositoryFacts): readonly string[] {
  const named = facts.central.filter(({ name }) => isSpeaking(name));
  const [top] = named;
  const described = facts.central.find((symbol) => symbol !== top && aboutDoing(symbol) !== null);
  const others = named.filter((symbol) => symbol !== top && symbol !== described);
  const largest = largestGroup(others, top);
  const inOwnWords = described === undefined ? null : aboutDoing(described);
  const wanted = [
    ...facts.sections.filter(isSpecific).slice(0, 1).map(aboutSection),
    ...(top === undefined ? [] : [`Where is ${top.name} defined?`]),
    ...(inOwnWords === null ? [] : [inOwnWords]),
    ...(largest === undefined ? [] : [aboutSymbol(largest)]),
    ...others.map(aboutSymbol),
    ...facts.files.map((path) => `What is in ${path}?`),
  ];
  return [...new Set(wanted)].slice(0, questionsMax);
}

function aboutSection(heading: string): string {
  return `What does the README say about "${plainWords(heading)}"?`;
}

function aboutSymbol({ name, kind }: CentralSymbol): string {
  return callable.has(kind) ? `How does ${name} work?` : `What is ${name} for?`;
}

const callable: ReadonlySet<string> = new Set(['function', 'method', 'macro']);

/** "Remove all tiles of a layer." becomes "Which code removes all tiles of a layer?"; null of other sentences. */
function aboutDoing({ summary }: CentralSymbol): string | null {
  const words = summary.replace(/[.!?\s]+$/, '').split(/\s+/);
  const [first = '', ...rest] = words;
  const verb = doing.get(first.toLowerCase());
  const isPlain = !/[:;@{}()<>[\]`*=#]|\bhttps?\b/.test(rest.join(' '));
  // "Requests about code" is about requests.
  const isDone = /^(the|an?|all|any|each|every|one|that|this|its|whether|if|what|which)$/.test(rest[0] ?? '');
  if (verb === undefined || !isDone || !isPlain || words.length < wordsMin || words.length > wordsMax) return null;
  return `Which code ${verb} ${rest.join(' ')}?`;
}

const wordsMin = 5;
const wordsMax = 16;

/** What code does, in the two forms in which documentation begins: to the third person from either. */
const doing: ReadonlyMap<string, string> = new Map(
  (
    'add append apply attach bind build call check clean close collect compile compute connect convert copy create ' +
    'decide decode define delete detect dispatch emit encode ensure escape evaluate execute expand extract fetch filter ' +
    'find flush format generate get give group handle insert install invoke join keep limit list load lock make map ' +
    'match measure merge move normalize open parse prepare print process push read receive record reduce register ' +
    'release remove rename render replace report request resolve return rewrite run save scan schedule search select ' +
    'send serialize serve set sort split start stop store stream strip tell transform translate turn update upload ' +
    'validate verify walk watch wrap write'
  )
    .split(' ')
    .flatMap((verb) => {
      const third = /(s|x|z|ch|sh)$/.test(verb)
        ? `${verb}es`
        : /[^aeiou]y$/.test(verb)
          ? `${verb.slice(0, -1)}ies`
          : `${verb}s`;
      return [[verb, third] as const, [third, third] as const];
    }),
);

/** The most used definition of the largest group that `other` is not in. */
function largestGroup(named: readonly CentralSymbol[], other: CentralSymbol | undefined): CentralSymbol | undefined {
  const elsewhere = named.filter(({ group }) => group !== other?.group);
  const size = elsewhere.reduce((most, { groupFiles }) => Math.max(most, groupFiles), 0);
  return elsewhere.find(({ groupFiles }) => groupFiles === size);
}

/** A name of several words, which no sentence holds by chance, and not one for use inside alone. */
function isSpeaking(name: string): boolean {
  return /^\p{L}[\p{L}\p{N}_]*$/u.test(name) && /\p{Ll}\p{Lu}|[^_]_[^_]/u.test(name);
}

/** Headings that every README has say nothing about the project. */
function isSpecific(heading: string): boolean {
  const words = plainWords(heading);
  return (
    words.split(' ').length > 1 &&
    !/install|getting started|quick ?start|licen[cs]e|contribut|table of contents|links|changelog|support|sponsor|acknowledg|credits|community|development/i.test(
      words,
    )
  );
}

function plainWords(heading: string): string {
  return heading
    .replace(/[`*_#[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
