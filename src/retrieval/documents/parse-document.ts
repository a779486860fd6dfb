/**
 * Bytes to the text of a document. What it is, the content says: `%PDF-` makes a PDF under any name, and what is
 * binary is refused under any. The path and the caller only choose between Markdown and plain text.
 *
 * A hostile document can make this slow or large; `document-reader.ts` is the way in that bounds both.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import { documentLimits } from '../../base/limits.ts';
import { decodeText } from '../code/decode-text.ts';
import { type DocumentHint, type DocumentOutcome, refused } from './document.ts';
import { readPdf } from './pdf-text.ts';

export async function parseDocument(file: string, bytes: Uint8Array, hint: DocumentHint): Promise<DocumentOutcome> {
  if (bytes.length > documentLimits.fileBytesMax) return tooLarge();
  if (bytes.length === 0) return refused('empty', 'The file is empty.');
  const contentHash = hash('sha256', bytes, 'hex');
  if (isPdf(bytes)) return readPdf(bytes, contentHash);
  const binary = binaryForm(bytes);
  if (binary !== null) return refused('binary', `The file is ${binary}, not a document.`);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary' || isNoise(decoded.text)) return refused('binary', 'The file is not text.');
  const text = decoded.text;
  const unread = textForms.find(({ mark }) => text.startsWith(mark));
  if (unread !== undefined) return refused('unsupported', `${unread.form} is not read.`);
  const extension = path.posix.extname(file).toLowerCase();
  if (hint === 'pdf' || (hint === 'auto' && extension === '.pdf')) {
    return refused('damaged', 'The file does not begin as a PDF does.');
  }
  if (text.trim() === '') return refused('empty', 'The file holds nothing but white space.');
  const isMarkdown = hint === 'auto' ? markdownExtensions.has(extension) : hint === 'markdown';
  return { kind: 'parsed', document: { kind: isMarkdown ? 'markdown' : 'text', text, pages: null, contentHash } };
}

/** For whoever knows the size before the bytes. */
export function tooLarge() {
  const megabytes = documentLimits.fileBytesMax / 1024 / 1024;
  return refused('too-large', `The file has more than ${megabytes} MiB.`);
}

const markdownExtensions: ReadonlySet<string> = new Set(['.md', '.markdown', '.mdown', '.mkd', '.mdx']);

/** Readers allow some bytes before the mark. In a text such bytes are a text about PDF. */
function isPdf(bytes: Uint8Array): boolean {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).indexOf('%PDF-', 0, 'latin1');
  if (at === -1) return false;
  return at === 0 || isBlank(bytes.subarray(0, at)) || decodeText(bytes).kind === 'binary';
}

function isBlank(bytes: Uint8Array): boolean {
  return /^(\xef\xbb\xbf)?\s*$/.test(Buffer.from(bytes).toString('latin1'));
}

/** Beginnings of files that are not text, though some of them can be decoded as text. */
const binaryForms: readonly { readonly form: string; readonly mark: readonly number[] }[] = [
  { form: 'a PNG picture', mark: [0x89, 0x50, 0x4e, 0x47] },
  { form: 'a JPEG picture', mark: [0xff, 0xd8, 0xff] },
  { form: 'a GIF picture', mark: [0x47, 0x49, 0x46, 0x38] },
  { form: 'a TIFF picture', mark: [0x49, 0x49, 0x2a, 0x00] },
  { form: 'a TIFF picture', mark: [0x4d, 0x4d, 0x00, 0x2a] },
  { form: 'a ZIP archive, as office documents are', mark: [0x50, 0x4b, 0x03, 0x04] },
  { form: 'an old office document', mark: [0xd0, 0xcf, 0x11, 0xe0] },
  { form: 'packed by gzip', mark: [0x1f, 0x8b] },
  { form: 'packed by bzip2', mark: [0x42, 0x5a, 0x68] },
  { form: 'packed by xz', mark: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { form: 'packed by zstd', mark: [0x28, 0xb5, 0x2f, 0xfd] },
  { form: 'a 7z archive', mark: [0x37, 0x7a, 0xbc, 0xaf] },
  { form: 'a RAR archive', mark: [0x52, 0x61, 0x72, 0x21, 0x1a] },
  { form: 'a program', mark: [0x7f, 0x45, 0x4c, 0x46] },
  { form: 'a program', mark: [0xcf, 0xfa, 0xed, 0xfe] },
  { form: 'a class file', mark: [0xca, 0xfe, 0xba, 0xbe] },
  { form: 'WebAssembly', mark: [0x00, 0x61, 0x73, 0x6d] },
  { form: 'a SQLite database', mark: [...Buffer.from('SQLite format 3\0')] },
];

function binaryForm(bytes: Uint8Array): string | null {
  const found = binaryForms.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (found === undefined) return null;
  // Two or three letters alone can begin a text as well.
  const isPlain = found.mark.every((byte) => byte >= 0x20 && byte < 0x7f) && decodeText(bytes).kind === 'text';
  return isPlain ? null : found.form;
}

const textForms = [
  { form: 'RTF', mark: '{\\rtf' },
  { form: 'PostScript', mark: '%!PS' },
] as const;

/** What was decoded as UTF-16 only because it begins like it: no text has many controls or broken characters. */
function isNoise(text: string): boolean {
  const sample = text.slice(0, 65_536);
  const odd =
    sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/g)?.length ?? 0;
  return sample.includes('\0') || odd > sample.length * 0.02;
}
