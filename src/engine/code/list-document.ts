/** Puts a document on the list of those that the user added by hand, once it is sure that it can be read. */
import { invalidField, ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import { languageOfPath, languageOfText } from '../../retrieval/code/classify-file.ts';
import type { Language } from '../../retrieval/code/symbol.ts';
import type { DocumentHint, ParsedDocument } from '../../retrieval/documents/document.ts';
import { readDocumentFile } from '../../retrieval/documents/document-path.ts';
import { DocumentsList } from '../../retrieval/documents/documents-list.ts';
import type { DocumentAnswer } from './answers.ts';
import type { BuilderOptions } from './index-builder.ts';

export interface ListedDocument {
  /** From the root, with `/`. */
  readonly path: string;
  readonly kind: DocumentAnswer['content_type'];
  /** Whether the list was changed. */
  readonly isNew: boolean;
}

export async function listDocument(
  request: { readonly path: string; readonly content_type: DocumentHint },
  { root, ownFolders, clock, pools }: Pick<BuilderOptions, 'root' | 'ownFolders' | 'clock' | 'pools'>,
): Promise<Result<ListedDocument>> {
  const file = await readDocumentFile(root, request.path, ownFolders());
  if (file.kind === 'refused')
    return invalidField(['path'], pathWords[file.reason], `path_${file.reason.replaceAll('-', '_')}`);
  const reply = await pools.documents.read(file.path, file.bytes, request.content_type);
  if (reply.kind === 'refused')
    return invalidField(['path'], reply.message, `document_${reply.reason.replaceAll('-', '_')}`);
  const code = codeLanguageOf(file.path, reply.document);
  if (code !== null) {
    const words = `is source code (${code}), which is indexed as code without being added`;
    return invalidField(['path'], words, 'document_unsupported');
  }
  const list = new DocumentsList(root);
  const added_at = clock.now().toISOString();
  const listed = await list.add({ path: file.path, content_type: request.content_type, added_at });
  if (!listed.ok) return unavailable('unreadable', listed.message);
  return ok({ path: file.path, kind: reply.document.kind, isNew: listed.changed });
}

/**
 * The language of a text that listing reads as code, or null. What API descriptions say is read by people too, and a
 * PDF is one under any name.
 */
function codeLanguageOf(file: string, { kind, text }: ParsedDocument): Language | null {
  const promised = kind === 'pdf' ? null : languageOfPath(file);
  const language = promised === null ? null : languageOfText(promised, file, text);
  return language === null || readable.has(language) ? null : language;
}

const readable: ReadonlySet<Language> = new Set(['markdown', 'text', 'openapi']);

const pathWords = {
  outside: 'is outside the project',
  link: 'is a link or lies behind one; links are not followed',
  'link-out': 'leads out of the project',
  'not-a-file': 'is not a file',
  missing: 'there is no such file',
  'too-large': 'is larger than a document may be',
  unreadable: 'cannot be read',
  internal: 'belongs to git or to Mnemosyne itself and is never a document',
  secret: 'has the name of a file with keys or passwords, which are never indexed',
} as const;
