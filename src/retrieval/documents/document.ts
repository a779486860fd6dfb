/** What reading a document can come to. */

export const documentHints = ['auto', 'markdown', 'text', 'pdf'] as const;
/** What the caller says a document is. It decides between Markdown and plain text; the content decides the rest. */
export type DocumentHint = (typeof documentHints)[number];

export type DocumentKind = 'markdown' | 'text' | 'pdf';

export interface ParsedDocument {
  readonly kind: DocumentKind;
  /** The pages of a PDF follow one another with an empty line between. */
  readonly text: string;
  /** Where each page begins in `text`, in UTF-16 units; only of a PDF. */
  readonly pages: readonly number[] | null;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly contentHash: string;
}

export type RefusalReason =
  /** More bytes, pages or text than a document may have. */
  | 'too-large'
  | 'binary'
  /** Text in a form that is not read: RTF, PostScript. */
  | 'unsupported'
  /** A PDF that wants a password. */
  | 'encrypted'
  | 'damaged'
  /** Nothing but white space; a PDF of pictures. */
  | 'empty'
  /** It took more time or memory than a document may take. */
  | 'gave-up';

export interface DocumentRefusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** One sentence for the user. */
  readonly message: string;
}

export type DocumentOutcome = { readonly kind: 'parsed'; readonly document: ParsedDocument } | DocumentRefusal;

export function refused(reason: RefusalReason, message: string): DocumentRefusal {
  return { kind: 'refused', reason, message };
}
