/** How documents read that were added by hand. */
import { counted } from '../../base/numbers.ts';
import type { DocumentAnswer } from '../../engine/code/answers.ts';
import type { DocumentsAnswer } from '../../engine/code/code-mind.ts';
import type { DocumentFacts } from '../../engine/code/listed-documents.ts';
import { ageOf } from '../screen/age.ts';
import { type Cell, table } from '../screen/layout.ts';
import type { Screen } from '../screen/screen.ts';
import { safeLine } from '../screen/text-width.ts';
import { bytesWords } from './numbers.ts';

export function documentLines(document: DocumentAnswer): readonly string[] {
  const { file_path, content_type, node_count, already_indexed } = document;
  const sections = counted(node_count, 'piece');
  return [
    already_indexed
      ? `${safeLine(file_path)} is in the index as it is (${content_type}, ${sections}).`
      : `Added ${safeLine(file_path)} (${content_type}, ${sections}).`,
  ];
}

/** One line a document: how it stands, where it is, what it is, its size, when it was added, its title. */
export function documentListLines({ items }: DocumentsAnswer, screen: Screen): readonly string[] {
  if (items.length === 0) return ['No document was added.', 'Add one with: mnemosyne documents add <file>'];
  const { green, yellow, red, dim } = screen.colours;
  const paints = { fresh: green, changed: yellow, gone: red };
  const rows = items.map((document): readonly Cell[] => [
    { text: document.state, paint: paints[document.state] },
    { text: safeLine(document.file_path) },
    { text: whatOf(document) },
    { text: document.bytes === null ? '' : bytesWords(document.bytes) },
    { text: safeLine(ageOf(document.added_at, screen.now)), paint: dim },
    { text: safeLine(document.title ?? '') },
  ]);
  return table(rows, screen.columns);
}

function whatOf({ kind, node_count, skip_reason }: DocumentFacts): string {
  if (skip_reason !== null) return `left out: ${safeLine(skip_reason)}`;
  return kind === null ? 'not indexed' : `${safeLine(kind)}, ${counted(node_count, 'piece')}`;
}

export function removedDocumentLines(path: string): readonly string[] {
  return [`Removed ${safeLine(path)} from the documents. The file is as it was.`];
}
