/** A thread that reads files and makes all that an index keeps of them. */
import { answerFiles } from '../code/answer-files.ts';
import { indexFile } from './index-text.ts';
import type { IndexedOutcome } from './indexed-parts.ts';

answerFiles<IndexedOutcome>(async (path, bytes) => {
  const outcome = await indexFile(path, bytes);
  if (outcome.kind !== 'indexed') return { outcome, transfer: [] };
  const { facts, places, terms, vectors, rests } = outcome.parts;
  const [buffer, views] = together([outcome.outline, facts, places, terms, vectors, rests]);
  const [outline = none, ...moved] = views;
  const [ownFacts = none, ownPlaces = none, ownTerms = none, ownVectors = none, ownRests = none] = moved;
  const parts = { facts: ownFacts, places: ownPlaces, terms: ownTerms, vectors: ownVectors, rests: ownRests };
  return { outcome: { kind: 'indexed', outline, parts }, transfer: [buffer] };
});

const none = new Uint8Array(0);

/** In one piece of memory, which is handed over at once: every one that is handed over costs as much as copying it. */
function together(parts: readonly Uint8Array[]): readonly [ArrayBuffer, readonly Uint8Array[]] {
  const buffer = new ArrayBuffer(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  const views = parts.map((part) => {
    const view = new Uint8Array(buffer, at, part.length);
    view.set(part);
    at += part.length;
    return view;
  });
  return [buffer, views];
}
