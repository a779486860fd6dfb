/** PDF files written by hand: one content stream for each page, with one font. */
import { createHash } from 'node:crypto';

export interface PdfPage {
  /** Operators of the content stream, after its filters were undone. */
  readonly content: string | Uint8Array;
  /** For example `/Filter /FlateDecode`, when `content` is packed already. */
  readonly filter?: string;
}

/** A page with one line of text for each string; an empty one leaves a gap as wide as a line. */
export function pageOf(...lines: readonly string[]): PdfPage {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`);
  return { content: `BT /F1 12 Tf 14 TL 72 720 Td\n${shown.join('\n')}\nET` };
}

export function writtenPdf(pages: readonly PdfPage[], extra: { readonly encrypt?: boolean } = {}): Uint8Array {
  const objects: Buffer[] = [];
  const add = (...parts: readonly (string | Uint8Array)[]): number => {
    objects.push(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))));
    return objects.length;
  };
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  pages.forEach(({ content, filter = '' }, at) => {
    const media = '/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>';
    add(`<< /Type /Page /Parent 2 0 R ${media} /Contents ${5 + at * 2} 0 R >>`);
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    add(`<< /Length ${bytes.length} ${filter} >>\nstream\n`, bytes, '\nendstream');
  });
  const encryption = extra.encrypt === true ? add(encryptionDictionary()) : null;
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n', 'latin1')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  const put = (bytes: Buffer): void => {
    parts.push(bytes);
    at += bytes.length;
  };
  objects.forEach((object, index) => {
    offsets.push(at);
    put(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const id = '<00112233445566778899aabbccddeeff>';
  const encrypted = encryption === null ? '' : `/Encrypt ${encryption} 0 R /ID [${id} ${id}]`;
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${encrypted} >>\nstartxref\n${at}\n%%EOF\n`;
  put(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1'));
  return new Uint8Array(Buffer.concat(parts));
}

/** Of the standard handler, revision 2, with check values that fit no empty password. */
function encryptionDictionary(): string {
  const owner = createHash('sha256').update('owner').digest('hex');
  const user = createHash('sha256').update('user').digest('hex');
  return `<< /Filter /Standard /V 1 /R 2 /O <${owner}> /U <${user}> /P -4 >>`;
}
