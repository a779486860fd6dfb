import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embedderConformance } from '../../../test/conformance/embedder.ts';
import { type Embedder, EmbedderFailure } from './embedder.ts';
import { lazyMiniLm, type MiniLmOptions, openMiniLm } from './minilm.ts';
import { miniLmModel } from './minilm-model.ts';
import { dot } from './vectors.ts';

const run = promisify(execFile);
const modelFolder = installedModel();

if (modelFolder === null) {
  console.warn('THE OPTIONAL MODEL PACKAGES ARE NOT INSTALLED: the tests of the MiniLM embedder are skipped.');
}

test('EM11 without its packages the model is unavailable with a reason, and nothing is thrown', async () => {
  for (const options of [{ enginePackage: '@mnemosyne-absent/engine' }, { modelPackage: '@mnemosyne-absent/model' }]) {
    expect(await openMiniLm(options)).toMatchObject({ kind: 'unavailable', reason: 'not_installed' });
  }
});

test('EM20 the lazy model starts no thread before the first text and remembers that it is unavailable', async () => {
  let threads = 0;
  const count = (): void => {
    threads += 1;
  };
  process.on('worker', count);
  try {
    const lazy = lazyMiniLm({ modelPackage: '@mnemosyne-absent/model' });
    expect([lazy.modelId, lazy.dimensions, threads]).toEqual(['all-MiniLM-L6-v2', 384, 0]);
    for (let call = 0; call < 2; call++) {
      await expect(lazy.embed(['text'])).rejects.toMatchObject({ name: 'EmbedderFailure', reason: 'not_installed' });
    }
    expect(threads).toBe(1);
    await lazy.close();
  } finally {
    process.off('worker', count);
  }
});

describe.skipIf(modelFolder === null)('with the model packages', () => {
  embedderConformance('MiniLM', () => ready());

  let folder = '';
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await ready();
    folder = await mkdtemp(join(tmpdir(), 'minilm-'));
  });
  afterAll(async () => {
    await embedder.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('EM12 a model file that differs in one byte is refused before it is used', async () => {
    for (const file of ['config.json', 'tokenizer.json', 'model.fp16.safetensors']) {
      const outcome = await openMiniLm({ modelPackage: await modelWith(file, flipLastByte) });
      expect(outcome).toMatchObject({ kind: 'unavailable', reason: 'checksum_mismatch' });
    }
  });

  test('EM13 a package that is there but cannot be used is not loadable, with the cause in words', async () => {
    const broken = join(folder, 'broken.mjs');
    await writeFile(broken, 'export default { weightsPath: 7 };\n');
    const outcome = await openMiniLm({ modelPackage: pathToFileURL(broken).href });
    expect(outcome).toMatchObject({ kind: 'unavailable', reason: 'not_loadable' });
    expect(outcome.kind === 'unavailable' && outcome.message).toContain('weightsPath');
    await writeFile(join(folder, 'throws.mjs'), 'throw new Error("damaged install");\n');
    const thrown = await openMiniLm({ enginePackage: pathToFileURL(join(folder, 'throws.mjs')).href });
    expect(thrown).toMatchObject({ kind: 'unavailable', reason: 'not_loadable' });
    expect(thrown.kind === 'unavailable' && thrown.message).toContain('damaged install');
  });

  test('EM14 meaning counts where words differ', async () => {
    const [question, answer, other] = await embedder.embed([
      'How are user credentials protected at rest?',
      'Passwords are hashed with a memory-hard function.',
      'The build tool compares modification times of files.',
    ]);
    if (question === undefined || answer === undefined || other === undefined) throw new Error('Three vectors.');
    expect(dot(question, answer)).toBeGreaterThan(dot(question, other) + 0.2);
  });

  test('EM15 the thread ends when idle and starts again for the next text', async () => {
    let started = 0;
    let ended = 0;
    const count = (worker: Worker): void => {
      started += 1;
      worker.once('exit', () => {
        ended += 1;
      });
    };
    process.on('worker', count);
    try {
      const brief = await ready({ idleMs: 20 });
      const [first] = await brief.embed(['one text']);
      await expect.poll(() => ended, { timeout: 10_000 }).toBe(1);
      expect(await brief.embed(['one text'])).toEqual([first]);
      expect(started).toBe(2);
      await brief.close();
      await expect.poll(() => ended, { timeout: 10_000 }).toBe(2);
    } finally {
      process.off('worker', count);
    }
  });

  test('EM16 an abort frees the caller while its batch still runs, and later calls get their own vectors', async () => {
    const [expected] = await embedder.embed(['after the abort']);
    const order: string[] = [];
    const abort = new AbortController();
    const texts = Array.from({ length: 40 }, (_, index) => `a sentence of some length about number ${index}`);
    const long = embedder.embed(texts, { signal: abort.signal }).catch((error: unknown) => {
      order.push('aborted');
      return error;
    });
    const next = embedder.embed(['after the abort']).then((vectors) => {
      order.push('next');
      return vectors;
    });
    setTimeout(() => abort.abort(new Error('enough')), 10);
    expect(await long).toEqual(new Error('enough'));
    expect(await next).toEqual([expected]);
    expect(order).toEqual(['aborted', 'next']);
  });

  test('EM17 calls at the same time do not mix their vectors', async () => {
    const texts = Array.from({ length: 4 }, (_, index) => `concurrent text ${index}`);
    const alone = await embedder.embed(texts);
    const together = await Promise.all(texts.map((text) => embedder.embed([text])));
    expect(together.map(([vector]) => vector)).toEqual(alone);
  });

  // The last with the embedder of all, since it closes it.
  test('EM18 closing while vectors are made rejects the running call and those that wait', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const settled = Promise.allSettled([embedder.embed(texts), embedder.embed(['x'])]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await embedder.close();
    for (const result of await settled) {
      expect(result.status).toBe('rejected');
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(EmbedderFailure);
    }
  });

  test('EM19 an open embedder does not keep the process alive, and a process that waits for vectors gets them', async () => {
    const script = join(folder, 'script.mjs');
    const minilm = new URL('./minilm.ts', import.meta.url).href;
    await writeFile(
      script,
      `import { openMiniLm } from ${JSON.stringify(minilm)};
       const outcome = await openMiniLm();
       const vectors = await outcome.embedder.embed(['a text']);
       console.log(vectors[0].length);\n`,
    );
    const { stdout } = await run(process.execPath, [script], { timeout: 20_000 });
    expect(stdout.trim()).toBe('384');
  });

  /** A model package in a folder of its own whose files are those installed, but for one that is changed. */
  async function modelWith(changed: string, change: (path: string) => Promise<void>): Promise<string> {
    const path = join(folder, changed);
    await copyFile(join(modelFolder ?? '', changed), path);
    await change(path);
    const pathOf = (file: string) => (file === changed ? path : join(modelFolder ?? '', file));
    const manifest = {
      id: 'minilm-l6-v2',
      dimensions: miniLmModel.dimensions,
      maxTokens: 256,
      pooling: 'mean',
      normalize: true,
      weightsPath: pathOf('model.fp16.safetensors'),
      tokenizerPath: pathOf('tokenizer.json'),
      configPath: pathOf('config.json'),
    };
    const module = join(folder, `${changed}.${performance.now()}.mjs`);
    await writeFile(module, `export default ${JSON.stringify(manifest)};\n`);
    return pathToFileURL(module).href;
  }
});

async function flipLastByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  await writeFile(path, bytes);
}

async function ready(options: MiniLmOptions = {}): Promise<Embedder> {
  const outcome = await openMiniLm(options);
  if (outcome.kind === 'unavailable') throw new Error(outcome.message);
  return outcome.embedder;
}

/** The folder with the model files, or null when one of the two packages is missing. */
function installedModel(): string | null {
  try {
    import.meta.resolve(miniLmModel.enginePackage);
    const entry = fileURLToPath(import.meta.resolve(miniLmModel.modelPackage));
    return join(dirname(entry), '..', 'model');
  } catch {
    return null;
  }
}
