/**
 * Step 2 of the static table: from the vectors of step 1 to the files that ship with the package.
 *
 *   node scripts/static-table/build-table.ts FOLDER [OUTPUT]     OUTPUT is assets/static-table when it is not named
 *
 * The same vectors and word list give the same bytes on every machine. About a minute.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { miniLmModel } from '../../src/retrieval/embeddings/minilm-model.ts';
import { packPlaces } from '../../src/retrieval/embeddings/static-rows.ts';
import { sha256Of, staticModel, staticTableFolder } from '../../src/retrieval/embeddings/static-table.ts';
import { packTable, weightsOf } from './pack-table.ts';
import { readPieceList, textOf } from './piece-list.ts';
import { shapeRows } from './shape-rows.ts';
import { tokenizerPath } from './tokenizer-path.ts';
import { openVectorFile } from './vector-file.ts';

/** Chosen on the tune half of `evals/static-table/`; its README has the numbers. */
const shaping = { smoothing: 5e-3, holdBack: 0.3 };

const [folder, output = fileURLToPath(staticTableFolder)] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder with the vectors of step 1.');
const store = openVectorFile(folder, miniLmModel.dimensions);
const list = readPieceList(await tokenizerPath());
const vectors = new Float32Array(list.pieces.length * miniLmModel.dimensions);
list.pieces.forEach((piece, row) => void vectors.set(store.get(textOf(piece)), row * miniLmModel.dimensions));

const phrases = list.phrases.map(({ text, rows }) => ({ rows, vector: store.get(text) }));

const weights = weightsOf(list.shares, shaping.smoothing);
const rows = shapeRows(vectors, miniLmModel.dimensions, weights, phrases, shaping.holdBack);
const packed = packTable(list.pieces, rows, weights, miniLmModel.dimensions, staticModel.dimensions);
const places = packPlaces(list.pieces, packed.bytes);
const header = {
  modelId: staticModel.id,
  dimensions: staticModel.dimensions,
  pieces: list.pieces.length,
  addedWords: list.added,
  pieceBytes: packed.pieceBytes,
  sha256: sha256Of(packed.bytes),
  placesSha256: sha256Of(places),
  provenance: {
    made: 'by scripts/static-table: one vector for each piece, centred, mapped, projected, weighted, rounded',
    model: `${miniLmModel.id}, from the package ${miniLmModel.modelPackage}`,
    modelSha256: miniLmModel.sha256,
    words: 'counted in installed source trees, see scripts/static-table/README.md',
    shaping,
    varianceKept: Number(packed.varianceKept.toFixed(4)),
  },
  licence: 'Apache-2.0, as the model weights it is distilled from',
};
mkdirSync(output, { recursive: true });
writeFileSync(path.join(output, 'table.bin'), packed.bytes);
writeFileSync(path.join(output, 'places.bin'), places);
writeFileSync(path.join(output, 'table.json'), `${JSON.stringify(header, null, 2)}\n`);
console.log(
  `${header.pieces} pieces, ${packed.bytes.length} bytes, ${packed.varianceKept.toFixed(3)} of the variance kept`,
);
