/** Markdown by heading: a section is a symbol, nested as the levels say, and holds the text up to the next one. */
import type { FactsBuilder } from './facts-builder.ts';

interface Heading {
  readonly level: number;
  readonly name: string;
  readonly start: number;
}

export function readMarkdown(facts: FactsBuilder): void {
  const { text } = facts;
  const headings = findHeadings(facts);
  const open: { readonly level: number; readonly index: number }[] = [];
  headings.forEach((heading, at) => {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    const next = headings.slice(at + 1).find((later) => later.level <= heading.level);
    const lineEnd = text.indexOf('\n', heading.start);
    const index = facts.declare({
      name: heading.name,
      kind: 'section',
      span: { start: heading.start, end: next?.start ?? text.length },
      bodyStart: lineEnd === -1 ? text.length : lineEnd,
      documentation: firstParagraph(
        text.slice(lineEnd === -1 ? text.length : lineEnd, headings[at + 1]?.start ?? text.length),
      ),
      parent: open.at(-1)?.index ?? null,
    });
    open.push({ level: heading.level, index });
  });
  // A link to a file of the project says that this text is about it.
  for (const link of text.matchAll(/\]\(\s*<?([^)\s>#?]+)[^)]*\)/g)) {
    const target = link[1] ?? '';
    if (!/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target) && target !== '') {
      facts.import({ specifier: target, imported: null, local: null, form: 'include' }, link.index);
    }
  }
}

function findHeadings(facts: FactsBuilder): readonly Heading[] {
  const { text, lines } = facts;
  const found: Heading[] = [];
  let fence: string | null = null;
  let before: { readonly text: string; readonly start: number } | null = null;
  for (let line = 1; line <= lines.count; line += 1) {
    const start = lines.startOf(line);
    const end = line === lines.count ? text.length : lines.startOf(line + 1);
    const content = text.slice(start, end).replace(/[\r\n]+$/, '');
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && content.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      before = null;
      continue;
    }
    const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(content);
    const underline = /^ {0,3}(=+|-{2,})[ \t]*$/.exec(content);
    if (atx !== null) found.push({ level: atx[1]?.length ?? 1, name: plain(atx[2] ?? ''), start });
    else if (underline !== null && before !== null) {
      found.push({
        level: underline[1]?.startsWith('=') === true ? 1 : 2,
        name: plain(before.text),
        start: before.start,
      });
    }
    before =
      atx !== null || underline !== null || content.trim() === '' || /^\s*([-*+>|]|\d+[.)])\s?/.test(content)
        ? null
        : { text: content, start };
  }
  return found.filter((heading) => heading.name !== '');
}

/** A heading without its markup. */
function plain(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|<[^>]+>/g, '')
    .trim();
}

/** The first paragraph of a section that is prose. */
function firstParagraph(body: string): string {
  const prose = body
    .replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1[^\n]*$/gm, '')
    .replace(/^\s*(=+|-{2,})[ \t]*$/m, '');
  return (prose.trim().split(/\n\s*\n/, 1)[0] ?? '').replace(/\s+/g, ' ').slice(0, 300);
}
