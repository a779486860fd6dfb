/** A thread that reads documents, one after the other. */
import { parentPort } from 'node:worker_threads';
import { documentFacts } from './document-facts.ts';
import type { DocumentReply, DocumentRequest } from './document-reader.ts';
import { parseDocument } from './parse-document.ts';

if (parentPort === null) throw new Error('This file runs as a thread.');
const port = parentPort;

port.on('message', async ({ path, bytes, hint }: DocumentRequest) => {
  const outcome = await parseDocument(path, bytes, hint);
  const reply: DocumentReply =
    outcome.kind === 'refused' ? outcome : { ...outcome, facts: documentFacts(path, outcome.document) };
  port.postMessage(reply);
});
port.postMessage('ready');
