import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pageOf, writtenPdf } from '../../../test/documents/written-pdf.ts';
import { documentLimits } from '../../base/limits.ts';
import type { DocumentHint, ParsedDocument } from './document.ts';
import { parseDocument } from './parse-document.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function parsed(path: string, bytes: Uint8Array, hint: DocumentHint = 'auto'): Promise<ParsedDocument> {
  const outcome = await parseDocument(path, bytes, hint);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.document;
}

async function reason(path: string, bytes: Uint8Array, hint: DocumentHint = 'auto'): Promise<string> {
  const outcome = await parseDocument(path, bytes, hint);
  return outcome.kind === 'refused' ? outcome.reason : outcome.document.kind;
}

const twoPages = writtenPdf([
  pageOf('The first page (one).', 'Its second line.', '', 'A paragraph.'),
  pageOf('Second.'),
]);

test('DO1: a text is Markdown or plain by its name, and by what the caller says where that is said', async () => {
  expect(await reason('notes/a.md', bytesOf('# A'))).toBe('markdown');
  expect(await reason('notes/a.txt', bytesOf('# A'))).toBe('text');
  expect(await reason('notes/a.txt', bytesOf('# A'), 'markdown')).toBe('markdown');
  expect(await reason('notes/a.md', bytesOf('# A'), 'text')).toBe('text');
  expect(await reason('LICENSE', bytesOf('Free.'))).toBe('text');
});

test('DO2: `%PDF-` makes a PDF under any name and whatever the caller says', async () => {
  expect(await reason('a.txt', twoPages, 'text')).toBe('pdf');
  expect(await reason('a', new Uint8Array([...bytesOf('\n '), ...twoPages]))).toBe('pdf');
  expect(await reason('a.md', bytesOf('A PDF begins with %PDF-1.7, says the standard.'))).toBe('markdown');
  expect(await reason('a.pdf', bytesOf('<html>Not found</html>'))).toBe('damaged');
  expect(await reason('a.txt', bytesOf('words'), 'pdf')).toBe('damaged');
});

test('DO3: what is binary is refused whatever the name and the caller say', async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]);
  const zip = new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0]);
  const noise = new Uint8Array([0xff, 0xfe, ...Array.from({ length: 400 }, (_, at) => (at * 73 + 11) % 256)]);
  for (const bytes of [png, zip, noise, new Uint8Array([1, 2, 3, 0, 0, 7])]) {
    for (const hint of ['auto', 'markdown', 'text', 'pdf'] as const) {
      expect(await reason('a.md', bytes, hint)).toBe('binary');
    }
  }
  expect(await reason('a.txt', bytesOf('GIF89 is a format, and BZh a mark.'))).toBe('text');
  expect(await reason('a.txt', bytesOf('{\\rtf1 words}'))).toBe('unsupported');
});

test('DO4: text is decoded as source code is', async () => {
  const utf16 = new Uint8Array(Buffer.from('\ufeffGrüße 用户', 'utf16le'));
  expect((await parsed('a.txt', utf16)).text).toContain('Grüße 用户');
  expect((await parsed('a.txt', new Uint8Array(Buffer.from('Grüße', 'latin1')))).text).toBe('Grüße');
  const { contentHash } = await parsed('a.txt', bytesOf('abc'));
  expect(contentHash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('DO5: too large and empty documents are refused', async () => {
  expect(await reason('a.md', new Uint8Array(documentLimits.fileBytesMax + 1).fill(97))).toBe('too-large');
  expect(await reason('a.md', new Uint8Array(0))).toBe('empty');
  expect(await reason('a.md', bytesOf(' \n\t\n'))).toBe('empty');
  expect(await reason('a.pdf', writtenPdf([{ content: '0 0 100 100 re f' }]))).toBe('empty');
});

test('DO6: a PDF gives the text of its pages in order, with lines and paragraphs', async () => {
  const document = await parsed('a.pdf', twoPages);
  expect(document.text).toBe('The first page (one).\nIts second line.\n\nA paragraph.\n\nSecond.');
  expect(document.pages).toEqual([0, document.text.indexOf('Second.')]);
  const packed = deflateSync(Buffer.from('BT /F1 12 Tf 72 720 Td (Packed words) Tj ET'));
  const one = await parsed('b.pdf', writtenPdf([{ content: packed, filter: '/Filter /FlateDecode' }]));
  expect(one.text).toBe('Packed words');
  expect(one.pages).toEqual([0]);
});

test('DO7: an encrypted and a damaged PDF are refused as such', async () => {
  expect(await reason('a.pdf', writtenPdf([pageOf('Secret.')], { encrypt: true }))).toBe('encrypted');
  expect(await reason('a.pdf', bytesOf('%PDF-1.4\nnothing of a PDF follows'))).toBe('damaged');
  expect(await reason('a.pdf', twoPages.slice(0, 60))).toBe('damaged');
});
