/** A thread that reads files and parses them, one after the other. It answers every request, whatever the file holds. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { parseFile } from './parse-file.ts';
import type { ParseReply, ParseRequest } from './parse-pool.ts';

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread only.');

let turn: Promise<void> = Promise.resolve();
port.on('message', (request: ParseRequest) => {
  turn = turn.then(async () => {
    port.postMessage(await answer(request));
  });
});

async function answer(request: ParseRequest): Promise<ParseReply> {
  let bytes: Uint8Array;
  try {
    bytes = request.bytes ?? (await readFile(request.absolutePath));
  } catch {
    // Deleted since it was listed, or not ours to read: the caller lists it.
    return { id: request.id, outcome: { kind: 'failed', reason: 'unreadable' } };
  }
  try {
    return { id: request.id, outcome: await parseFile(request.path, bytes) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id: request.id, outcome: { kind: 'failed', reason: 'crashed', message } };
  }
}
