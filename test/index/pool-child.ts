/** A thread that does what the path of each file says. */
import { setTimeout as sleep } from 'node:timers/promises';
import { answerFiles } from '../../src/retrieval/code/answer-files.ts';

answerFiles<string>(async (path) => {
  if (path.endsWith('end')) process.exit(3);
  if (path.endsWith('fall')) {
    // Past every catch, right after the answer before it; this file has none.
    setImmediate(() => {
      throw new Error('fallen');
    });
    return new Promise(() => {});
  }
  if (path.endsWith('throw')) throw new Error('as it was told');
  if (path.endsWith('slow')) await sleep(40);
  return { outcome: path, transfer: [] };
});
