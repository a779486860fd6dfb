/** The inside of a thread of a `FilePool`: it answers every request in order, whatever the file holds. */
import { parentPort, type TransferListItem } from 'node:worker_threads';
import type { FileFailure, FileRequest } from './parse-pool.ts';
import { readPlainFile } from './read-plain-file.ts';

export interface FileAnswer<Outcome> {
  readonly outcome: Outcome;
  /** Buffers that are handed over instead of copied. */
  readonly transfer: readonly TransferListItem[];
}

/** Never returns in any sense: the thread works until it is ended. */
export function answerFiles<Outcome>(work: (path: string, bytes: Uint8Array) => Promise<FileAnswer<Outcome>>): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread only.');

  let turn: Promise<void> = Promise.resolve();
  port.on('message', (request: FileRequest) => {
    turn = turn.then(async () => {
      const answer = await answerTo(request, work);
      port.postMessage(answer.outcome, [...answer.transfer]);
    });
  });
}

async function answerTo<Outcome>(
  request: FileRequest,
  work: (path: string, bytes: Uint8Array) => Promise<FileAnswer<Outcome>>,
): Promise<FileAnswer<Outcome | FileFailure>> {
  let bytes: Uint8Array;
  try {
    bytes = request.bytes ?? readPlainFile(request.absolutePath);
  } catch {
    // Deleted since it was listed, or not ours to read: the caller lists it.
    return { outcome: { kind: 'failed', reason: 'unreadable' }, transfer: [] };
  }
  try {
    return await work(request.path, bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { outcome: { kind: 'failed', reason: 'crashed', message }, transfer: [] };
  }
}
