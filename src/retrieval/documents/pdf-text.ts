/**
 * The text of a PDF, page by page. Where the gap between two lines is wider than lines are apart, a paragraph ends.
 *
 * Nothing is drawn, no script of the document runs and nothing is fetched. Text of fonts that rely on tables outside
 * the file (some old Chinese, Japanese and Korean ones) stays unread.
 */
import { documentLimits } from '../../base/limits.ts';
import { type DocumentOutcome, refused } from './document.ts';

export async function readPdf(bytes: Uint8Array, contentHash: string): Promise<DocumentOutcome> {
  // Loaded at the first PDF: it takes a fifth of a second.
  const { getDocumentProxy } = await import('unpdf');
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    // A copy, because the reader takes the buffer for itself.
    pdf = await getDocumentProxy(bytes.slice(), { verbosity: 0, useSystemFonts: false });
  } catch (error) {
    return refusalOf(error, 'The PDF cannot be opened');
  }
  try {
    if (pdf.numPages > documentLimits.pagesMax) {
      return refused('too-large', `The PDF has more than ${documentLimits.pagesMax} pages.`);
    }
    let text = '';
    const pages: number[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      let own: string;
      try {
        const page = await pdf.getPage(number);
        own = textOf((await page.getTextContent()).items);
        page.cleanup();
      } catch (error) {
        return refusalOf(error, `Page ${number} of the PDF cannot be read`);
      }
      if (number > 1) text += '\n\n';
      pages.push(text.length);
      text += own;
      if (text.length > documentLimits.textCharsMax) {
        return refused('too-large', `The PDF holds more than ${documentLimits.textCharsMax} characters.`);
      }
    }
    if (text.trim() === '') return refused('empty', 'The PDF holds no text; its pages may be pictures.');
    return { kind: 'parsed', document: { kind: 'pdf', text, pages, contentHash } };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** What the reader stumbles over is the fault of the file: what is ours was loaded before. */
function refusalOf(error: unknown, what: string): DocumentOutcome {
  if (!(error instanceof Error)) throw error;
  if (error.name === 'PasswordException') return refused('encrypted', 'The PDF wants a password.');
  return refused('damaged', `${what}: ${error.message.slice(0, messageCharsMax)}`);
}

const messageCharsMax = 200;

interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  /** The last two are where it stands: x and y, upward. */
  readonly transform: readonly number[];
  readonly height: number;
}

function textOf(items: readonly object[]): string {
  const lines: string[] = [];
  let line = '';
  let lineY: number | null = null;
  let above: number | null = null;
  const end = (): void => {
    lines.push(line.replace(/\s+/g, ' ').trim());
    if (line.trim() !== '') above = lineY;
    line = '';
    lineY = null;
  };
  for (const item of items) {
    if (!isTextItem(item)) continue;
    const y = item.transform[5];
    if (lineY === null && item.str.trim() !== '' && y !== undefined) {
      lineY = y;
      const isApart = above !== null && item.height > 0 && Math.abs(above - y) > item.height * paragraphGap;
      if (isApart && line === '') lines.push('');
    }
    line += item.str;
    if (item.hasEOL) end();
  }
  end();
  // A NUL is in no text that anybody wrote.
  const text = lines
    .join('\n')
    .replaceAll('\0', '')
    .replace(/\n{3,}/g, '\n\n');
  return text.replace(/^\n+|\n+$/g, '');
}

/** From one base line to the next, in heights of the letters; set text has about 1.2. */
const paragraphGap = 1.7;

function isTextItem(item: object): item is TextItem {
  return (
    'str' in item &&
    typeof item.str === 'string' &&
    'hasEOL' in item &&
    'transform' in item &&
    Array.isArray(item.transform) &&
    'height' in item
  );
}
