/**
 * Three questions that an index is asked about its own repository, in the words of a person.
 *
 * One about a chapter of the README, one about the definition that most of the code hangs on, one about the largest
 * group of files. Where one cannot be made, the next definitions and files give another. The same index gives the same
 * questions.
 */
import type { CentralSymbol, RepositoryFacts } from './repository-facts.ts';

const questionsMax = 3;

export function questionsAbout(facts: RepositoryFacts): readonly string[] {
  const documented = facts.central.filter(({ summary }) => isTelling(summary));
  const top = documented[0] ?? facts.central.find(({ name }) => wordsOf(name).length > 1);
  const largest = largestGroup(facts.central, top);
  const wanted = [
    ...facts.sections.filter(isSpecific).slice(0, 1).map(aboutSection),
    ...(top === undefined ? [] : [aboutSymbol(top)]),
    ...(largest === undefined ? [] : [aboutGroup(largest)]),
    ...documented.slice(1).map(aboutSymbol),
    ...facts.files.map((path) => `What is in ${path}?`),
  ];
  return [...new Set(wanted)].slice(0, questionsMax);
}

function aboutSection(heading: string): string {
  return `What does the README say about "${plainWords(heading)}"?`;
}

/** A summary that says what is done becomes that question, one about a thing asks for the thing. */
function aboutSymbol({ name, summary }: CentralSymbol): string {
  if (!isTelling(summary)) return `Where is the ${wordsOf(name).join(' ')} defined?`;
  const words = withoutStop(summary);
  return /^(the|an?) /i.test(words) ? `Which code is this: ${words}?` : `Which code does this: ${words}?`;
}

function aboutGroup({ name, path }: CentralSymbol): string {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null;
  return `What has to do with ${wordsOf(name).join(' ')}${folder === null ? '' : ` in ${folder}`}?`;
}

/** The most used definition, with a name of several words, of the largest group that `other` is not in. */
function largestGroup(central: readonly CentralSymbol[], other: CentralSymbol | undefined): CentralSymbol | undefined {
  const speaking = central.filter(({ name, group }) => wordsOf(name).length > 1 && group !== other?.group);
  const size = speaking.reduce((most, { groupFiles }) => Math.max(most, groupFiles), 0);
  return speaking.find(({ groupFiles }) => groupFiles === size);
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

/** A sentence of some length in plain words that does not begin like a clause (`Whether …`, `What …`). */
function isTelling(summary: string): boolean {
  const count = summary.split(/\s+/).length;
  if (count < 6 || count > 24 || /[:;@{}]|\bhttps?\b/.test(summary)) return false;
  return (
    /^\p{L}/u.test(summary) &&
    !/^(what|whether|how|who|which|where|when|if|for|by|in|of|as|one|none|true|false|null|see)\b/i.test(summary)
  );
}

function withoutStop(summary: string): string {
  const text = summary.replace(/[.!?\s]+$/, '');
  // "Returns the …" becomes "returns the …", but "HTTP status …" stays.
  return /^\p{Lu}(\p{Ll}|\s)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function plainWords(heading: string): string {
  return heading
    .replace(/[`*_#[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `parseHTTPHeader_v2` → parse, http, header, v2 */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}
