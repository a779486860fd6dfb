/** The rows of decisions ("memories" on the wire), in published order. */
import type { Operation } from '../operation.ts';
import { fetchMemories, findMemories, queryMemories } from './agent-tools.ts';
import { batchMemories } from './batch.ts';
import { amendMemory, deleteMemory, giveMemoryFeedback, invalidateMemory, restoreMemory } from './change.ts';
import { createMemory, supersedeMemory } from './create.ts';
import { exportMemories, importMemories } from './exchange.ts';
import { getMemory, listMemories, searchMemories, showHistory, showTimeline } from './read.ts';
import { auditMemories, scanMemories } from './review.ts';

export const memoryRows: readonly Operation[] = Object.freeze([
  createMemory,
  listMemories,
  findMemories,
  searchMemories,
  queryMemories,
  fetchMemories,
  getMemory,
  amendMemory,
  invalidateMemory,
  restoreMemory,
  supersedeMemory,
  deleteMemory,
  showHistory,
  showTimeline,
  giveMemoryFeedback,
  batchMemories,
  exportMemories,
  importMemories,
  auditMemories,
  scanMemories,
]);
