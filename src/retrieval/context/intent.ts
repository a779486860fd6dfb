/**
 * Whether a question looks like one about code or about documents.
 *
 * Words of either kind count 1, names of files 2, a path or a definition as written 3. One side wins when it has more
 * than 1.6 times the other. Weighting hits by a guess made answers worse wherever it was tried, so the result is told in
 * the trace and changes nothing; only a type that the caller names does.
 */
export interface Intent {
  readonly detected: 'code' | 'docs' | 'hybrid';
  readonly codeScore: number;
  readonly docsScore: number;
}

export function detectIntent(question: string): Intent {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  let codeScore = words.filter((word) => codeWords.has(word)).length;
  let docsScore = words.filter((word) => docsWords.has(word)).length;
  for (const word of question.split(/\s+/)) {
    const extension = /[\w-]\.([a-z]{1,8})\b/i.exec(word)?.[1]?.toLowerCase() ?? '';
    const isDocument = docsExtensions.has(extension);
    if (isDocument) docsScore += 2;
    else if (codeExtensions.has(extension)) codeScore += 2;
    if (/^[\w.@-]*\/[\w./@-]*\w/.test(word)) {
      if (isDocument) docsScore += 3;
      else codeScore += 3;
    }
  }
  if (/\b(?:def|class|function|func|fn|interface|struct|trait|enum|impl)\s+[A-Za-z_]\w*/.test(question)) codeScore += 3;
  if (codeScore > docsScore * winningFactor) return { detected: 'code', codeScore, docsScore };
  if (docsScore > codeScore * winningFactor) return { detected: 'docs', codeScore, docsScore };
  return { detected: 'hybrid', codeScore, docsScore };
}

const winningFactor = 1.6;

const codeWords = new Set(
  `function method class code implement implemented implementation call calls called caller callers return returns
  variable constant parameter argument bug error exception throw throws import imports module interface type struct enum
  trait test tests handler parse parser compile async thread lock query schema endpoint route symbol definition defined
  refactor algorithm loop constructor inherits subclass override`.split(/\s+/),
);

const docsWords = new Set(
  `documentation docs document documents readme guide tutorial manual changelog license contributing explain explained
  overview policy decision architecture design rationale convention conventions glossary install installation setup faq
  roadmap release notes heading section chapter example examples`.split(/\s+/),
);

const codeExtensions = new Set(
  'py ts tsx js mjs cjs jsx go rs java c h cc cpp cxx hh hpp hxx cs rb php sh bash vue svelte sql proto ipynb'.split(
    ' ',
  ),
);
const docsExtensions = new Set('md markdown rst txt adoc pdf'.split(' '));
