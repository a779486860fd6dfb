/** How an answer came about, as people read it: a line for each step, under it what the step looked at. */
import { isJsonObject, type JsonObject, type JsonValue, member } from '../../base/json.ts';
import { counted } from '../../base/numbers.ts';
import { type Cell, table } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';

/** `trace` is that of an answer, `{ query, verbose, events }`. Lists are as long as they came. */
export function traceLines(trace: JsonObject, screen: Screen): readonly string[] {
  const { bold, dim } = screen.colours;
  return [
    bold('How it came about'),
    ...objectsIn(trace, 'events').flatMap((event) => {
      const name = `${textOf(event, 'layer')} ${textOf(event, 'kind').replaceAll('_', ' ')}`.trim();
      const data = member(event, 'data');
      return [
        `${safeLine(name)}: ${safeLine(textOf(event, 'summary'))}`,
        ...(isJsonObject(data) ? dataLines(data, screen).map((line) => dim(`  ${line}`)) : []),
      ];
    }),
  ];
}

/** Lists of things as rows, everything else as one line of `name value`. */
function dataLines(data: JsonObject, screen: Screen): readonly string[] {
  const facts = Object.entries(data).flatMap(([name, value]) => {
    const words = wordsOf(value);
    return words === '' ? [] : [`${name.replaceAll('_', ' ')} ${words}`];
  });
  const rows = Object.keys(data).flatMap((name) => objectsIn(data, name).map(rowOf));
  return [...(facts.length === 0 ? [] : [safeLine(facts.join(', '))]), ...table(rows, screen.columns)];
}

/** A place with its score and reasons, or a group with its share. */
function rowOf(item: JsonObject): readonly Cell[] {
  const score = member(item, 'score');
  const file = textOf(item, 'source_file');
  const reasons = wordsOf(member(item, 'why') ?? null);
  const candidates = member(item, 'candidates');
  const cells =
    file === ''
      ? [
          textOf(item, 'name'),
          typeof candidates === 'number' ? counted(candidates, 'candidate') : '',
          chosenWords(item),
        ]
      : [`${file}:${textOf(item, 'start_line')}-${textOf(item, 'end_line')}`, textOf(item, 'label'), reasons];
  return [typeof score === 'number' ? score.toFixed(3) : '', ...cells].map((text) => ({ text: safeLine(text) }));
}

function chosenWords(item: JsonObject): string {
  return member(item, 'selected') === true ? 'shown' : 'not shown';
}

/** `total 174, l0 20` of an object, `a, b` of a list of words; empty of a list of things, which are rows. */
function wordsOf(value: JsonValue): string {
  if (Array.isArray(value)) {
    return value.some((item: JsonValue) => typeof item === 'object') ? '' : value.map(String).join(', ');
  }
  if (!isJsonObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${wordsOf(inner)}`)
    .join(' · ');
}

function objectsIn(holder: JsonObject, name: string): readonly JsonObject[] {
  const list = member(holder, name);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textOf(holder: JsonObject, name: string): string {
  const value = member(holder, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
