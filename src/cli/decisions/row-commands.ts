/**
 * The commands that are one row each: their words, what stands without a dash, and how the answer reads. Their options
 * come from the row.
 */
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { counted } from '../../base/numbers.ts';
import type { Project } from '../../engine/projects/projects.ts';
import {
  createdSchema,
  historySchema,
  memorySchema,
  pageSchema,
  searchAnswerSchema,
} from '../../operations/memories/memory-schema.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';
import {
  changeLine,
  createdLines,
  foundLines,
  historyLines,
  memoryCells,
  memoryPage,
  memoryTable,
  tableOf,
} from './shown.ts';

export interface RowCommand {
  readonly verb: string;
  readonly row: string;
  readonly about: string;
  /** Inputs that stand without a dash, in order: `<x>` is needed, `[x]` is not, `<x...>` takes all words. */
  readonly operands?: readonly Operand[];
  /** Inputs without an option. */
  readonly hidden?: readonly string[];
  /** Inputs that are always given. */
  readonly fixed?: JsonObject;
  /** The answer for people. */
  lines(body: JsonValue, shown: Shown): readonly string[];
}

export interface Operand {
  readonly input: string;
  readonly form: string;
  readonly about: string;
  readonly choices?: readonly string[];
}

export interface Shown {
  readonly screen: Screen;
  readonly project: Project;
  readonly input: JsonObject;
}

export const theId: Operand = { input: 'memory_id', form: '<id>', about: 'the id of the decision' };
const theTitle: Operand = { input: 'title', form: '[title]', about: 'what was decided, in one line' };

const changed =
  (verb: string) =>
  (body: JsonValue, { screen }: Shown) => [changeLine(verb, memorySchema.parse(body), screen)];

export const rowCommands: readonly RowCommand[] = [
  {
    verb: 'record',
    row: 'memories.create',
    about: 'record a decision',
    operands: [theTitle],
    hidden: ['idempotency_key'],
    lines: (body, { screen }) => createdLines(createdSchema.parse(body), screen),
  },
  {
    verb: 'query',
    row: 'memories.search',
    about: 'find the decisions that fit a question',
    operands: [{ input: 'query', form: '<question...>', about: 'any words' }],
    hidden: ['view', 'include_weak'],
    lines: (body, { screen }) => foundLines(searchAnswerSchema.parse(body), screen),
  },
  {
    verb: 'show',
    row: 'memories.get',
    about: 'show one decision, now or as it was',
    operands: [theId],
    lines: (body, { screen }) => memoryPage(memorySchema.parse(body), screen),
  },
  {
    verb: 'amend',
    row: 'memories.amend',
    about: 'change fields of a decision; the old values stay in its history',
    operands: [theId],
    lines: changed('Amended'),
  },
  {
    verb: 'invalidate',
    row: 'memories.invalidate',
    about: 'say that a decision no longer holds',
    operands: [theId],
    lines: changed('Invalidated'),
  },
  {
    verb: 'restore',
    row: 'memories.restore',
    about: 'say that a decision holds after all',
    operands: [theId],
    lines: changed('Restored'),
  },
  {
    verb: 'supersede',
    row: 'memories.supersede',
    about: 'record a decision in place of another',
    operands: [{ ...theId, about: 'the id of the decision to replace' }, theTitle],
    hidden: ['idempotency_key'],
    lines: (body, { screen, input }) => [
      ...createdLines(createdSchema.parse(body), screen),
      `It replaces ${safeLine(String(input['memory_id']))}, which is invalidated.`,
    ],
  },
  {
    verb: 'feedback',
    row: 'memories.feedback',
    about: 'say that a decision was helpful or not',
    operands: [theId, { input: 'signal', form: '<signal>', about: 'how it was', choices: ['helpful', 'unhelpful'] }],
    lines(body, { screen }) {
      const memory = memorySchema.parse(body);
      return [changeLine(`Confidence is ${memory.confidence} now for`, memory, screen)];
    },
  },
  {
    verb: 'timeline',
    row: 'memories.timeline',
    about: 'show what was decided just before and after a decision',
    operands: [theId],
    lines(body, { screen }) {
      const { anchor, before, after } = timelineSchema.parse(body);
      const rows = [...before, anchor, ...after].map((memory) => [
        { text: memory === anchor ? '>' : '' },
        ...memoryCells(memory, screen),
      ]);
      return tableOf(['', 'STATUS', 'CHANGED', 'ID', 'TITLE'], rows, screen);
    },
  },
  {
    verb: 'audit',
    row: 'memories.audit',
    about: 'report decisions that may no longer hold; nothing is changed',
    lines(body, { screen }) {
      const { items, checked, active } = auditSchema.parse(body);
      const rows = items.map(({ memory, reasons }) => [
        { text: reasons.map((reason) => auditWords[reason]).join(', ') },
        ...memoryCells(memory, screen),
      ]);
      const looked = `${counted(active, 'active decision')} checked for ${checked.map((reason) => auditWords[reason]).join(' and ')}`;
      if (rows.length === 0) return [`${looked}: all of them still look right.`];
      return [
        ...tableOf(['REASON', 'STATUS', 'CHANGED', 'ID', 'TITLE'], rows, screen),
        '',
        `${looked}. Restore what still holds, invalidate what does not.`,
      ];
    },
  },
];

/** Those whose answers come in pages. */
export const pagedCommands: readonly RowCommand[] = [
  { verb: 'list', row: 'memories.list', about: 'list decisions, newest first', lines: listLines },
  {
    verb: 'history',
    row: 'memories.history',
    about: 'list every change of a decision, also of a deleted one',
    operands: [theId],
    lines: (body, { screen }) => [
      ...historyLines(historySchema.parse(body), screen),
      ...moreLines(historySchema.parse(body)),
    ],
  },
];

const memories = z.array(memorySchema);
const timelineSchema = z.object({ anchor: memorySchema, before: memories, after: memories });
const auditReason = z.enum(['age', 'orphaned']);
const auditWords = { age: 'age', orphaned: 'a commit that is gone' };
const auditSchema = z.object({
  items: z.array(z.object({ memory: memorySchema, reasons: z.array(auditReason) })),
  checked: z.array(auditReason),
  active: z.int(),
});

function listLines(body: JsonValue, { screen, project, input }: Shown): readonly string[] {
  const page = pageSchema.parse(body);
  if (page.items.length > 0) return [...memoryTable(page.items, screen), ...moreLines(page)];
  const filters = Object.keys(input).filter((name) => name !== 'limit');
  if (filters.length > 0) return ['No decision fits.', 'Try fewer conditions, or: mnemosyne decisions query <words>'];
  return [
    `No decisions are recorded in ${safeLine(project.name)} yet.`,
    'Record one with: mnemosyne decisions record "<title>" --rationale "<why>" --file <path>',
  ];
}

function moreLines({
  items,
  total,
  next_cursor,
}: {
  items: readonly unknown[];
  total: number;
  next_cursor: string | null;
}) {
  if (next_cursor === null) return [];
  return ['', `${items.length} of ${total}. The next page: --cursor ${next_cursor} (or all of them: --all)`];
}
