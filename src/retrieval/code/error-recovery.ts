/**
 * Keeps a syntax error where it is. In a language of indentation an error can swallow all that follows; definitions at
 * the left margin begin anew, so the ones that read well alone are read without the broken ones, and these by
 * themselves.
 */
import { codeLimits } from '../../base/limits.ts';
import type { Language } from './symbol.ts';
import { type GrammarName, parseSyntax, type SyntaxNode } from './syntax-tree.ts';

/** The trees to walk instead of the whole one, the sound part first; null when the whole one is as good. */
export async function soundPieces(
  grammar: GrammarName,
  language: Language,
  text: string,
  errors: number,
): Promise<readonly SyntaxNode[] | null> {
  if (language === 'typescript' || language === 'tsx') return withLineEnds(grammar, text, errors);
  if (language !== 'python' || text.length > codeLimits.recoveredCharsMax) return null;
  const starts = [...text.matchAll(/^(?:async[ \t]+def|def|class|@)(?=\W)/gm)].map((match) => match.index);
  const borders = [0, ...starts, text.length];
  const broken: { readonly start: number; readonly end: number }[] = [];
  for (let at = 0; at + 1 < borders.length; at += 1) {
    const [start = 0, end = 0] = borders.slice(at, at + 2);
    // A decorator alone is no definition: it goes with what follows, and is read there.
    const piece = text.slice(start, end);
    if (piece.trim() === '' || piece.startsWith('@')) continue;
    const tree = await parseSyntax(grammar, piece);
    if (tree === null) return null;
    if (tree.errors > 0) broken.push({ start, end });
  }
  if (broken.length === 0 || broken.length === borders.length - 1) return null;
  const sound = broken.reduce(
    (rest, { start, end }) => rest.slice(0, start) + blank(rest.slice(start, end)) + rest.slice(end),
    text,
  );
  const alone = broken.map(({ start, end }) => blank(text.slice(0, start)) + text.slice(start, end));
  const roots: SyntaxNode[] = [];
  for (const part of [sound, ...alone]) {
    const tree = await parseSyntax(grammar, part);
    if (tree !== null) roots.push(tree.root);
  }
  return roots;
}

/**
 * In TypeScript a `<` at the start of a line goes on with nothing: it begins the next signature. The grammar takes it
 * for arguments of the type before it, so a semicolon is put into the white space between them.
 */
async function withLineEnds(grammar: GrammarName, text: string, errors: number): Promise<readonly SyntaxNode[] | null> {
  if (text.length > codeLimits.recoveredCharsMax) return null;
  const signs = text.split('');
  for (const { index, 0: space } of text.matchAll(/\n[ \t]+(?=<)/g)) {
    if (!endsSignature(text.slice(Math.max(0, index - codeLimits.signatureCharsMax * 4), index))) continue;
    signs[index + space.length - 1] = ';';
  }
  const ended = signs.join('');
  if (ended === text) return null;
  const tree = await parseSyntax(grammar, ended);
  return tree !== null && tree.errors < errors ? [tree.root] : null;
}

/** Whether the last line that is no comment ends where a type can end. */
function endsSignature(before: string): boolean {
  const code = before
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .trimEnd();
  return /[\w$>)\]}'"`]$/.test(code);
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
