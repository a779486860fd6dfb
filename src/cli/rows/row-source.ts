/**
 * Rows by name, each noun loaded alone: the schemas of the whole table take longer to make than most questions take to
 * answer.
 */
import type { Operation } from '../../operations/operation.ts';
import { type ApiOperation, apiOperation } from './api-operation.ts';

/** Throws for a name that no row with a route has: a mistake of ours. */
export async function rowNamed(name: string): Promise<ApiOperation> {
  return apiOperation(await rowsBeside(name), name);
}

/** The rows of the same noun, or the whole table. */
export async function rowsBeside(name: string): Promise<readonly Operation[]> {
  switch (name.slice(0, name.indexOf('.'))) {
    case 'code':
      return (await import('../../operations/code/rows.ts')).codeRows;
    case 'jobs':
      return (await import('../../operations/jobs/rows.ts')).jobRows;
    case 'memories':
      return (await import('../../operations/memories/rows.ts')).memoryRows;
    case 'projects':
      return (await import('../../operations/projects/rows.ts')).projectRows;
    default:
      return (await import('../../operations/table.ts')).table;
  }
}
