/** What a context shows of documents: the lines of the file, or the text that was kept of one that has no lines. */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { pageOf, writtenPdf } from '../documents/written-pdf.ts';
import { mindBoxes } from './mind-box.ts';
import { answerOf } from './open-minds.ts';

const { boxOf } = mindBoxes();

test('CX14 a section of Markdown, a note in plain text and a page of a PDF show the text that was found', async () => {
  const box = boxOf({
    'docs/tokens.md': '# Tokens\n\n## Rotation\n\nThe zephyr key is turned every night.\n',
    'docs/notes.txt': 'A quagga lives beside the cache.\n',
    'paper.pdf': writtenPdf([pageOf('An introduction.'), pageOf('The okapi protocol needs three rounds.')]),
  });
  answerOf(await box.mind.addDocument({ path: 'paper.pdf', content_type: 'auto' }));
  expect((await box.query('zephyr key rotation')).context).toContain('The zephyr key is turned every night.');
  expect((await box.query('quagga beside the cache')).context).toContain('A quagga lives beside the cache.');
  expect((await box.query('okapi protocol')).context).toContain('The okapi protocol needs three rounds.');
  appendFileSync(path.join(box.root, 'docs/tokens.md'), '\nMore.\n');
  const { context, freshness } = await box.query('zephyr key rotation');
  expect(context).toContain('docs/tokens.md');
  expect(context).not.toContain('turned every night');
  expect(freshness?.state).toBe('stale');
});
