/**
 * The thread that holds the MiniLM model: checks its files, loads it, answers batches of texts with vectors.
 *
 * A sentence takes tens of milliseconds of pure computing, which would stop every request of the process if it ran on
 * the main thread. Nothing is fetched: the engine is given paths of files that are already here, and its remote side
 * is never called.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type MiniLmReply, type MiniLmRequest, type MiniLmWorkerData, miniLmModel } from './minilm-model.ts';
import { toUnit } from './vectors.ts';

interface Manifest {
  readonly weightsPath: string;
  readonly tokenizerPath: string;
  readonly configPath: string;
}

type EmbedOne = (text: string) => Promise<unknown>;

type Loaded =
  | { readonly kind: 'loaded'; readonly embedOne: EmbedOne }
  | Extract<MiniLmReply, { readonly kind: 'unavailable' }>;

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker thread only.');
// The starter is our own file and sends exactly this shape.
const packages = workerData as MiniLmWorkerData;

const loaded = await load();
if (loaded.kind === 'loaded') {
  port.on('message', async (request: MiniLmRequest) => {
    reply(await answer(loaded.embedOne, request));
  });
  reply({ kind: 'ready' });
} else {
  reply(loaded);
}

function reply(message: MiniLmReply): void {
  if (message.kind === 'vectors') port?.postMessage(message, [message.values.buffer as ArrayBuffer]);
  else port?.postMessage(message);
}

async function load(): Promise<Loaded> {
  let engine: unknown;
  let model: unknown;
  try {
    model = await import(packages.modelPackage);
    engine = await import(packages.enginePackage);
  } catch (error) {
    if (isMissingPackage(error)) {
      return {
        kind: 'unavailable',
        reason: 'not_installed',
        message: 'The optional model packages are not installed.',
      };
    }
    return notLoadable(error);
  }
  try {
    const manifest = parseManifest(model);
    const damaged = await firstDamagedFile(manifest);
    if (damaged !== null) {
      const message = `The ${damaged} file of the model is not the expected one. Install the model package again.`;
      return { kind: 'unavailable', reason: 'checksum_mismatch', message };
    }
    const embedOne = await start(engine, model);
    checkVector(await embedOne('ready'));
    return { kind: 'loaded', embedOne };
  } catch (error) {
    return notLoadable(error);
  }
}

function notLoadable(error: unknown): Loaded {
  return { kind: 'unavailable', reason: 'not_loadable', message: `The model does not start: ${messageOf(error)}` };
}

async function answer(embedOne: EmbedOne, request: MiniLmRequest): Promise<MiniLmReply> {
  try {
    const values = new Float32Array(request.texts.length * miniLmModel.dimensions);
    // One text in each pass: a batch of the engine would pad all texts to the longest and change the last digits.
    for (const [index, text] of request.texts.entries()) {
      values.set(checkVector(await embedOne(text)), index * miniLmModel.dimensions);
    }
    return { kind: 'vectors', values };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

/** The name of the first file whose bytes are not the pinned ones. */
async function firstDamagedFile(manifest: Manifest): Promise<keyof typeof miniLmModel.sha256 | null> {
  // The small files first: most damage is found without reading 45 MB.
  if ((await sha256Of(manifest.configPath)) !== miniLmModel.sha256.config) return 'config';
  if ((await sha256Of(manifest.tokenizerPath)) !== miniLmModel.sha256.tokenizer) return 'tokenizer';
  if ((await sha256Of(manifest.weightsPath)) !== miniLmModel.sha256.weights) return 'weights';
  return null;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

async function start(engineModule: unknown, modelModule: unknown): Promise<EmbedOne> {
  const createEmbedder = property(engineModule, 'createEmbedder');
  if (typeof createEmbedder !== 'function') throw new Error('The engine package offers no createEmbedder.');
  // Without `key` the engine works on local files only.
  const embedder: unknown = await createEmbedder({ model: property(modelModule, 'default') });
  const embed = property(embedder, 'embed');
  if (typeof embed !== 'function') throw new Error('The engine gave no embedder.');
  return async (text) => {
    const vectors: unknown = await embed.call(embedder, [text]);
    return Array.isArray(vectors) ? vectors[0] : undefined;
  };
}

function checkVector(value: unknown): Float32Array {
  if (!Array.isArray(value) || value.length !== miniLmModel.dimensions) {
    throw new Error(`The engine gave no vector of ${miniLmModel.dimensions} numbers.`);
  }
  const unit = toUnit(value.map(Number));
  if (unit === null) throw new Error('The engine gave a vector without a direction.');
  return unit;
}

function parseManifest(module: unknown): Manifest {
  const manifest = property(module, 'default');
  const path = (key: string): string => {
    const value = property(manifest, key);
    if (typeof value !== 'string') throw new Error(`The model package names no ${key}.`);
    return value;
  };
  return { weightsPath: path('weightsPath'), tokenizerPath: path('tokenizerPath'), configPath: path('configPath') };
}

function property(value: unknown, key: string): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  return Reflect.get(value, key);
}

/** Whether one of the two packages themselves is absent, and not something they need in turn. */
function isMissingPackage(error: unknown): boolean {
  return (
    error instanceof Error &&
    property(error, 'code') === 'ERR_MODULE_NOT_FOUND' &&
    [packages.enginePackage, packages.modelPackage].some((name) => error.message.includes(`'${name}'`))
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
