/** Decisions as people read them: lists in aligned columns, one decision as a page, changes as sentences. */
import type { z } from 'zod';
import type {
  createdSchema,
  historySchema,
  memorySchema,
  searchAnswerSchema,
} from '../../operations/memories/memory-schema.ts';
import { ageOf } from '../screen/age.ts';
import { type Cell, table, wrap } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine, safeText } from '../screen/text-width.ts';

export type Memory = z.output<typeof memorySchema>;
type Created = z.output<typeof createdSchema>;
type Found = z.output<typeof searchAnswerSchema>;
type History = z.output<typeof historySchema>;

/** Long lines are hard to read, however wide the window is. */
const pageColumnsMax = 100;

export function statusCell(status: string, { colours }: Screen): Cell {
  const paint = { ACTIVE: colours.green, STALE: colours.yellow, INVALIDATED: colours.red }[status];
  return { text: status, ...(paint === undefined ? {} : { paint }) };
}

/** Status, age, id and title of each, under a heading. */
export function memoryTable(memories: readonly Memory[], screen: Screen): readonly string[] {
  return tableOf(
    ['STATUS', 'CHANGED', 'ID', 'TITLE'],
    memories.map((memory) => memoryCells(memory, screen)),
    screen,
  );
}

export function tableOf(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  screen: Screen,
): readonly string[] {
  const head = heading.map((text) => ({ text, paint: screen.colours.dim }));
  return table([head, ...rows], screen.columns);
}

export function memoryCells({ status, updated_at, id, title }: Memory, screen: Screen): readonly Cell[] {
  return [
    statusCell(status, screen),
    { text: ageOf(updated_at, screen.now) },
    { text: safeLine(id), paint: screen.colours.cyan },
    { text: safeLine(title) },
  ];
}

/** The whole decision. */
export function memoryPage(memory: Memory, screen: Screen): readonly string[] {
  const { colours, now } = screen;
  const { text: status, paint = (text: string) => text } = statusCell(memory.status, screen);
  const changed = memory.updated_at === memory.created_at ? '' : `, changed ${ageOf(memory.updated_at, now)}`;
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['id', [memory.id]],
    ['files', memory.files_affected],
    ['tags', memory.tags.length === 0 ? [] : [memory.tags.join(', ')]],
    ['rejected', memory.rejected_alternatives],
    ['evidence', memory.evidence],
    ['depends on', memory.dependency_constraints],
    ['replaces', given(memory.supersedes)],
    ['replaced by', given(memory.superseded_by)],
    ['review by', given(memory.review_by)],
    ['confidence', [String(memory.confidence)]],
    ['commit', memory.commit_sha === '' ? [] : [memory.commit_sha]],
    ['author', given(memory.author)],
    ['agent', given(memory.agent)],
    ['session', given(memory.session_id)],
    ['recorded', [memory.created_at]],
    ['changed', memory.updated_at === memory.created_at ? [] : [memory.updated_at]],
  ];
  const width = Math.min(screen.columns ?? pageColumnsMax, pageColumnsMax);
  const rows = facts.flatMap(([name, values]) =>
    values.map((value, index): readonly Cell[] => [
      { text: index === 0 ? name : '', paint: colours.dim },
      { text: safeText(value) },
    ]),
  );
  return [
    ...wrap(safeLine(memory.title), width).map((line) => colours.bold(line)),
    `${paint(status)}  ${memory.decision_type}  recorded ${ageOf(memory.created_at, now)}${changed}`,
    '',
    ...wrap(safeText(memory.rationale), width),
    '',
    ...table(rows, width).flatMap((line) => line.split('\n')),
  ];
}

/** What a change came to, in one line. */
export function changeLine(verb: string, { id, title, status }: Memory, screen: Screen): string {
  const { text, paint = (plain: string) => plain } = statusCell(status, screen);
  return `${verb} ${screen.colours.cyan(safeLine(id))} (${paint(text)}): ${safeLine(title)}`;
}

export function createdLines(created: Created, screen: Screen): readonly string[] {
  const { possible_duplicates: similar } = created;
  return [
    changeLine('Recorded', created, screen),
    ...(similar.length === 0
      ? []
      : [similar.length === 1 ? 'One may say the same:' : `${similar.length} may say the same:`]),
    ...similar.map(({ id, title }) => `  ${screen.colours.cyan(safeLine(id))}  ${safeLine(title)}`),
    ...(similar.length === 0 ? [] : ['To keep one, supersede or invalidate the other.']),
  ];
}

export function foundLines(found: Found, screen: Screen): readonly string[] {
  const hits = found.results.flatMap((hit) => ('rationale' in hit ? [hit] : []));
  const heading = ['SCORE', 'STATUS', 'CHANGED', 'ID', 'TITLE'];
  const rows = hits.map((hit) => [
    { text: hit.score === null ? '' : hit.score.toFixed(3) },
    ...memoryCells(hit, screen),
  ]);
  const explained = hits.flatMap((hit) =>
    hit.explanation === undefined ? [] : [safeLine(hit.title), ...outline(hit.explanation, '  ')],
  );
  return [
    ...(found.notice === null ? [] : [screen.colours.yellow(`Note: ${safeLine(found.notice).replace(/\.$/, '')}.`)]),
    ...(hits.length === 0 ? ['Nothing fits.', 'Try other words, --status ALL, or: mnemosyne decisions list'] : []),
    ...(hits.length === 0 ? [] : tableOf(heading, rows, screen)),
    ...(explained.length === 0 ? [] : ['', ...explained]),
    ...(found.explanation === undefined ? [] : ['', `Searched by ${found.mode}`, ...outline(found.explanation, '  ')]),
  ];
}

export function historyLines({ items, deleted }: History, screen: Screen): readonly string[] {
  const { colours } = screen;
  const width = Math.min(screen.columns ?? pageColumnsMax, pageColumnsMax);
  return [
    ...items.flatMap(({ at, kind, actor, note, changes }) => [
      `${colours.bold(kind)}  ${ageOf(at, screen.now)}${actor === null ? '' : ` by ${safeLine(actor)}`}  ${colours.dim(at)}`,
      ...(note === null ? [] : wrap(`  ${safeText(note)}`, width)),
      ...Object.entries(changes)
        .filter(([field]) => !timeFields.includes(field))
        .flatMap(([field, change]) => changeWords(field, change))
        .flatMap((words) => wrap(`  ${words}`, width)),
    ]),
    ...(deleted ? [colours.red('This decision was deleted; only its history is left.')] : []),
  ];
}

/** The heading of an event says when it was. */
const timeFields = ['created_at', 'updated_at'];

/** Of lists, what was added and what was taken out; of everything else, the old and the new value. */
function changeWords(field: string, change: unknown): readonly string[] {
  if (!Array.isArray(change)) return [field];
  const [before, after]: readonly unknown[] = change;
  if (Array.isArray(before) || Array.isArray(after)) {
    const old = itemsOf(before);
    const now = itemsOf(after);
    const taken = old.filter((item) => !now.includes(item)).map((item) => `${field}: − ${safeLine(item)}`);
    const added = now.filter((item) => !old.includes(item)).map((item) => `${field}: + ${safeLine(item)}`);
    return taken.length + added.length === 0 ? [`${field}: in another order`] : [...taken, ...added];
  }
  const was = valueWords(before);
  const is = valueWords(after);
  return [was === '' ? `${field}: ${is}` : `${field}: ${was} → ${is === '' ? 'nothing' : is}`];
}

function itemsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function valueWords(value: unknown): string {
  return value === null || value === undefined ? '' : safeLine(String(value));
}

/** Facts as indented lines. */
function outline(facts: object, indent: string): readonly string[] {
  return Object.entries(facts).flatMap(([name, value]: readonly [string, unknown]) => {
    const words = name.replaceAll('_', ' ');
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${indent}${words}: ${safeLine(value.join(', '))}`];
    if (typeof value === 'object' && value !== null) {
      const inner = outline(value, `${indent}  `);
      return inner.length === 0 ? [] : [`${indent}${words}:`, ...inner];
    }
    return value === null ? [] : [`${indent}${words}: ${safeLine(String(value))}`];
  });
}

function given(value: string | null): readonly string[] {
  return value === null ? [] : [value];
}
