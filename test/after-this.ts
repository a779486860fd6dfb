/**
 * What a test has to undo when it ends, last thing first. Files share their modules, so a hook of a helper would count
 * only for the first file that loads it: `set-up.ts` has the hook, once for each file.
 */
const cleanups: (() => Promise<void> | void)[] = [];

export function afterThis(cleanup: () => Promise<void> | void): void {
  cleanups.push(cleanup);
}

/** Every one is done, also after one that failed. */
export async function cleanUp(): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanup of cleanups.splice(0).reverse()) {
    try {
      await cleanup();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything could be undone');
}
