/** Everything the product can do, in the order in which it is published. */
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

export const table: readonly Operation[] = Object.freeze([...notebookRows]);
