import { deflateSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { pageOf, writtenPdf } from '../../../test/documents/written-pdf.ts';
import { DocumentReader, type DocumentReaderOptions } from './document-reader.ts';

async function withReader(
  options: DocumentReaderOptions,
  use: (reader: DocumentReader) => Promise<void>,
): Promise<void> {
  const reader = new DocumentReader(options);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}

const good = writtenPdf([pageOf('Readable words.')]);

async function outcomeOf(reader: DocumentReader, bytes: Uint8Array): Promise<string> {
  const reply = await reader.read('a.pdf', bytes, 'auto');
  return reply.kind === 'parsed' ? reply.document.text : reply.reason;
}

test('DO8: documents that come at once are read in turn and give text and facts', async () => {
  await withReader({}, async (reader) => {
    const markdown = new TextEncoder().encode('# Title\n\nWords.\n');
    const [pdf, text] = await Promise.all([
      reader.read('docs/a.pdf', good, 'auto'),
      reader.read('docs/b.md', markdown, 'auto'),
    ]);
    if (pdf?.kind !== 'parsed' || text?.kind !== 'parsed') throw new Error('Both were to be read.');
    expect(pdf.document.text).toBe('Readable words.');
    expect(pdf.facts.symbols.map((symbol) => symbol.name)).toEqual(['page 1']);
    expect(text.facts.symbols.map((symbol) => symbol.name)).toEqual(['Title']);
    expect(await outcomeOf(reader, new TextEncoder().encode('%PDF-1.4 broken'))).toBe('damaged');
    expect(await outcomeOf(reader, good)).toBe('Readable words.');
  });
});

test('DO9: a document that takes too long is given up and the next one is read by a new thread', async () => {
  const slow = deflateSync(Buffer.from(`BT /F1 12 Tf 72 720 Td\n${'(a b c) Tj T*\n'.repeat(600_000)}ET`));
  await withReader({ readMsMax: 400 }, async (reader) => {
    await reader.read('warm.md', new TextEncoder().encode('warm'), 'auto');
    const bytes = writtenPdf([{ content: slow, filter: '/Filter /FlateDecode' }]);
    const started = performance.now();
    expect(await outcomeOf(reader, bytes)).toBe('gave-up');
    expect(performance.now() - started).toBeLessThan(5_000);
  });
  await withReader({ readMsMax: 1_500 }, async (reader) => {
    await reader.read('warm.md', new TextEncoder().encode('warm'), 'auto');
    // Every bracket makes the search for links run to the end of the text.
    const hostile = new TextEncoder().encode('](a'.repeat(400_000));
    const first = reader.read('links.md', hostile, 'auto');
    const second = reader.read('b.md', new TextEncoder().encode('after'), 'auto');
    expect(await first).toMatchObject({ kind: 'refused', reason: 'gave-up' });
    expect(await second).toMatchObject({ kind: 'parsed', document: { text: 'after' } });
  });
});

test('DO10: a document that unpacks to more memory than it may take is given up, the process lives on', async () => {
  const bomb = deflateSync(Buffer.alloc(160 * 1024 * 1024, ' '), { level: 1 });
  await withReader({ readBytesMax: 96 * 1024 * 1024 }, async (reader) => {
    const bytes = writtenPdf([{ content: bomb, filter: '/Filter /FlateDecode' }]);
    expect(bytes.length).toBeLessThan(2 * 1024 * 1024);
    const reply = await reader.read('a.pdf', bytes, 'auto');
    expect(reply.kind === 'refused' && reply.message).toMatch(/memory/);
    expect(await outcomeOf(reader, good)).toBe('Readable words.');
  });
});

test('DO11: the thread ends when nobody asks, comes back when somebody does, and a closed reader refuses', async () => {
  const reader = new DocumentReader({ idleMs: 20 });
  expect(reader.hasThread).toBe(false);
  expect(await outcomeOf(reader, good)).toBe('Readable words.');
  expect(reader.hasThread).toBe(true);
  await vi.waitFor(() => expect(reader.hasThread).toBe(false), { timeout: 10_000 });
  expect(await outcomeOf(reader, good)).toBe('Readable words.');
  await reader.close();
  expect(reader.hasThread).toBe(false);
  await expect(reader.read('a.pdf', good, 'auto')).rejects.toThrow(/closed/);
});
