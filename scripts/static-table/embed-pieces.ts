/**
 * Step 1 of the static table: the vector of every piece and of the phrases to learn from, out of the MiniLM model in the optional packages.
 *
 *   nice -n 19 node scripts/static-table/embed-pieces.ts FOLDER
 *
 * Keeps the vectors in FOLDER as they come. Started again, it goes on where it stopped, and does only new words when the
 * list has changed. About eight minutes of processor time.
 */
/**
 * Step 1 of the static table: the vector of every piece and of the phrases to learn from, out of the MiniLM model in the optional packages.
 *
 *   nice -n 19 node scripts/static-table/embed-pieces.ts FOLDER
 *
 * Writes `texts.txt` and `vectors.f32` (384 numbers for each text) into FOLDER, a few at a time. Started again, it goes
 * on where it stopped, and does only new words when the list has changed. About nine minutes of processor time.
 */
import { availableParallelism } from 'node:os';
import { openMiniLm } from '../../src/retrieval/embeddings/minilm.ts';
import { miniLmModel } from '../../src/retrieval/embeddings/minilm-model.ts';
import { readPieceList, textOf } from './piece-list.ts';
import { tokenizerPath } from './tokenizer-path.ts';
import { openVectorFile } from './vector-file.ts';

const textsPerWrite = 64;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder for the vectors.');
const store = openVectorFile(folder, miniLmModel.dimensions);
const { pieces, shares, phrases } = readPieceList(await tokenizerPath());
// The most frequent first, so that a table can be tried before all are done.
const byShare = Array.from(pieces.keys()).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0) || a - b);
const texts = [...byShare.map((row) => textOf(pieces[row] ?? '')), ...phrases.map((phrase) => phrase.text)];
const missing = [...new Set(texts)].filter((text) => !store.has(text));
console.log(`${store.size} texts are there, ${missing.length} are missing`);
const batches = Array.from({ length: Math.ceil(missing.length / textsPerWrite) }, (_, index) =>
  missing.slice(index * textsPerWrite, (index + 1) * textsPerWrite),
);
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`complete: ${store.size} texts`);

/** One thread with a model of its own. Every text goes through the model alone, so the order changes no number. */
async function work(): Promise<void> {
  const outcome = await openMiniLm();
  if (outcome.kind === 'unavailable') throw new Error(outcome.message);
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    store.append(batch, await outcome.embedder.embed(batch));
    if (batches.length % 16 === 0) console.log(`${batches.length} batches are left`);
  }
  await outcome.embedder.close();
}
