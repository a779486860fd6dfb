/**
 * One file to its facts. A function of path and bytes: the result can be kept by their hash and used again.
 *
 * Broken code gives what could be read. Machine-made code gives its text and no symbols. Only what is not text, or of
 * no kind that is read, gives nothing, with a reason.
 */
import { hash } from 'node:crypto';
import { readApiDescription } from './artefacts/openapi.ts';
import { readProto } from './artefacts/proto.ts';
import { readSql } from './artefacts/sql.ts';
import { languageOfPath, languageOfText, type TextOnlyReason, textOnlyReason } from './classify-file.ts';
import { decodeText } from './decode-text.ts';
import { mapNotebook, notebookCode, scriptOf } from './embedded.ts';
import { soundPieces } from './error-recovery.ts';
import { FactsBuilder } from './facts-builder.ts';
import { bash } from './languages/bash.ts';
import { c, cpp } from './languages/c-family.ts';
import { csharp } from './languages/csharp.ts';
import { javascript, tsx, typescript } from './languages/ecmascript.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { type LanguageRules, walkTree } from './languages/walk.ts';
import { readMarkdown } from './markdown.ts';
import type { FileFacts, Language } from './symbol.ts';
import { parseSyntax } from './syntax-tree.ts';

export type ParsedFile =
  | {
      readonly kind: 'parsed';
      readonly facts: FileFacts;
      /** Why the facts hold text and no symbols, or null. */
      readonly textOnly: TextOnlyReason | null;
    }
  | { readonly kind: 'skipped'; readonly reason: 'binary' | 'unknown-language' };

const rules: ReadonlyMap<Language, LanguageRules> = new Map(
  [python, typescript, tsx, javascript, go, rust, java, c, cpp, csharp, ruby, php, bash].map((one) => [
    one.language,
    one,
  ]),
);

export async function parseFile(path: string, bytes: Uint8Array): Promise<ParsedFile> {
  const promised = languageOfPath(path);
  if (promised === null) return { kind: 'skipped', reason: 'unknown-language' };
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') return { kind: 'skipped', reason: 'binary' };
  const language = languageOfText(promised, path, decoded.text);
  if (language === null) return { kind: 'skipped', reason: 'unknown-language' };
  const contentHash = hash('sha256', bytes, 'hex');
  const textOnly = textOnlyReason(language, path, decoded.text);
  if (textOnly !== null) return withoutSymbols(path, language, decoded.text, contentHash, textOnly);
  return readText(path, language, decoded.text, contentHash);
}

function withoutSymbols(
  path: string,
  language: Language,
  text: string,
  contentHash: string,
  textOnly: TextOnlyReason | null,
): ParsedFile {
  return { kind: 'parsed', facts: new FactsBuilder(path, language, text).finish(contentHash), textOnly };
}

async function readText(path: string, language: Language, text: string, contentHash: string): Promise<ParsedFile> {
  if (language === 'notebook') {
    const code = notebookCode(text);
    if (code === null) return withoutSymbols(path, language, text, contentHash, null);
    const facts = new FactsBuilder(path, language, code.text);
    if (!(await readCode(facts, code.language, code.text)))
      return withoutSymbols(path, language, text, contentHash, 'parser-gave-up');
    return { kind: 'parsed', facts: mapNotebook(facts.finish(contentHash), code.lines, text), textOnly: null };
  }
  const facts = new FactsBuilder(path, language, text);
  if (language === 'vue' || language === 'svelte') {
    const script = scriptOf(text);
    if (!(await readCode(facts, script.isTypeScript ? 'typescript' : 'javascript', script.text))) {
      return withoutSymbols(path, language, text, contentHash, 'parser-gave-up');
    }
    for (const use of script.templateNames) facts.refer('reference', use.name, use.at, null);
  } else if (language === 'markdown') readMarkdown(facts);
  else if (language === 'openapi') readApiDescription(facts);
  else if (language === 'sql') readSql(facts);
  else if (language === 'proto') readProto(facts);
  else if (!(await readCode(facts, language, text)))
    return withoutSymbols(path, language, text, contentHash, 'parser-gave-up');
  return { kind: 'parsed', facts: facts.finish(contentHash), textOnly: null };
}

/** Whether the text could be read; a language without a grammar has nothing to read. */
async function readCode(facts: FactsBuilder, language: Language, text: string): Promise<boolean> {
  const found = rules.get(language);
  if (found === undefined) return true;
  const tree = await parseSyntax(found.grammar, text);
  if (tree === null) return false;
  facts.syntaxErrors = tree.errors;
  const pieces = tree.errors === 0 ? null : await soundPieces(found.grammar, language, text, tree.errors);
  if (pieces === null) walkTree(found, tree.root, facts);
  else for (const root of pieces) walkTree(found, root, facts);
  return true;
}
