/** A thread that reads files and makes all that an index keeps of them. */
import { answerFiles } from '../code/answer-files.ts';
import { indexFile } from './index-text.ts';
import type { IndexedOutcome } from './indexed-parts.ts';

answerFiles<IndexedOutcome>(async (path, bytes) => {
  const outcome = await indexFile(path, bytes);
  if (outcome.kind !== 'indexed') return { outcome, transfer: [] };
  const outline = alone(outcome.outline);
  const facts = alone(outcome.parts.facts);
  const places = alone(outcome.parts.places);
  const terms = alone(outcome.parts.terms);
  const vectors = alone(outcome.parts.vectors);
  return {
    outcome: { kind: 'indexed', outline, parts: { facts, places, terms, vectors } },
    transfer: [outline.buffer, facts.buffer, places.buffer, terms.buffer, vectors.buffer],
  };
});

/** In memory of its own, which can be handed over: small buffers of Node share a block. */
function alone(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
