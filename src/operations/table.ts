/** Everything the product can do, in the order in which it is published. */
import { codeRows } from './code/rows.ts';
import { jobRows } from './jobs/rows.ts';
import { memoryRows } from './memories/rows.ts';
import { metaRows } from './meta/rows.ts';
import { archiveOperation } from './notebook/archive.ts';
import { forgetOperation } from './notebook/forget.ts';
import { inspectOperation } from './notebook/inspect.ts';
import { listOperation } from './notebook/list.ts';
import { listToolsOperation } from './notebook/list-tools.ts';
import { recallOperation } from './notebook/recall.ts';
import { rememberOperation } from './notebook/remember.ts';
import { restoreOperation } from './notebook/restore.ts';
import { reviseOperation } from './notebook/revise.ts';
import type { Operation, ToolOperation } from './operation.ts';
import { projectRows } from './projects/rows.ts';

export const notebookRows: readonly ToolOperation[] = Object.freeze([
  listToolsOperation,
  recallOperation,
  listOperation,
  inspectOperation,
  archiveOperation,
  restoreOperation,
  rememberOperation,
  reviseOperation,
  forgetOperation,
]);

export const table: readonly Operation[] = Object.freeze([
  ...notebookRows,
  ...metaRows,
  ...projectRows,
  ...memoryRows,
  ...codeRows,
  ...jobRows,
]);
