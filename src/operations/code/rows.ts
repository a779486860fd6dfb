/** The rows of the code mind, in published order. */
import type { Operation } from '../operation.ts';
import { buildCode, indexCode } from './build.ts';
import { addDocument } from './documents.ts';
import { listDocuments, removeDocument } from './documents-list.ts';
import { queryCode, searchCode, wakeUp } from './query.ts';
import { checkCode, showSavings, showStats, validateCode } from './state.ts';
import { showImpact, showNeighbours, showSkeleton } from './structure.ts';

export const codeRows: readonly Operation[] = Object.freeze([
  wakeUp,
  queryCode,
  searchCode,
  showSkeleton,
  showNeighbours,
  showImpact,
  buildCode,
  indexCode,
  addDocument,
  listDocuments,
  removeDocument,
  showStats,
  checkCode,
  showSavings,
  validateCode,
]);
