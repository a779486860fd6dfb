/** Copies of trees against the cursor of the parser, which is slow and public. */
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';
import { codeLimits } from '../../base/limits.ts';
import { type GrammarName, loadGrammar, parseSyntax, type SyntaxNode } from './syntax-tree.ts';

const folder = path.dirname(createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json'));

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts in other languages.
const samples: Readonly<Record<GrammarName, string>> = {
  bash: 'f() {\n  local a="$1" # é\n  if [ -n "$a" ]; then echo "${a:-b}" | sort; fi\n}\nf x <<EOF\ntext $HOME\nEOF\n',
  'c-sharp':
    'namespace N { [A] class C<T> : B where T : new() { int P { get; set; } void F(int a = 1) => G(x => x.Y); } }\n',
  cpp: '#define A(x) (x)\ntemplate <class T> struct S : B<T> { int f(const T& a = {}) noexcept { return a->b[0]; } };\nint S::g = 1;\n',
  go: 'package p\n\nimport m "a/b"\n\n// é\nfunc (r *T[K]) F(a, b int) (err error) { go func() { r.x.Y(a) }(); return m.E{A: 1} }\n',
  java: '@A(b = 1) class C<T> extends B implements I { /** é */ int f(final int... a) throws E { return new D() {}.g(a); } }\n',
  javascript:
    'import a, { b as c } from "d";\nexport default class extends a { #x = 1; async *f({ y, ...z }) { return `é${y?.[0]}`; } }\n',
  php: '<p><?php namespace N; use A\\B as C; #[D] class E extends C { public ?int $x = 1; function f(int ...$a) { return $this->x::y($a); } }\n',
  python:
    '@d(1)\nclass A(B[C], metaclass=M):\n    """é"""\n    x: int = 1  # 😀\n    async def f(self, *a, b=f"{x!r:>{y}}"):\n        return [i async for i in a.b(1) if i]\n',
  ruby: 'module M\n  class A < B::C\n    attr_reader :x # é\n    def f(a, *b, c: 1, &d) = d.call("#{a}")\n  end\nend\nputs <<~T\n  a\nT\n',
  rust: "#[a(b)]\npub trait T<'x>: U { fn f<K: V>(&self, a: &mut K) -> impl Z where K: Y; }\nmacro_rules! m { ($e:expr) => { $e? } }\nimpl T for S { }\n",
  tsx: 'const A: FC<P> = ({ a, ...b }) => <B.C x={a} {...b}>é {a && <></>}</B.C>;\n',
  typescript:
    'abstract class A<T extends B = C> implements I { constructor(private readonly x?: number) { super(); } @d f = <K,>(k: K): k is T => k! as T; }\nenum E { a = 1 }\n',
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.

const known: Record<string, Promise<Parser>> = {};

async function parserOf(name: GrammarName): Promise<Parser> {
  // The project starts the engine; a second parser shares it.
  await loadGrammar(name);
  const parser = new Parser();
  parser.setLanguage(await Language.load(path.join(folder, 'wasm', `tree-sitter-${name}.wasm`)));
  return parser;
}

async function shownByCursor(name: GrammarName, text: string): Promise<{ lines: string[]; errors: number }> {
  known[name] ??= parserOf(name);
  const tree = (await known[name]).parse(text);
  if (tree === null) throw new Error('The parser gave up.');
  const cursor = tree.walk();
  const found = { lines: [] as string[], errors: 0 };
  show(cursor, 0, 1, found);
  cursor.delete();
  tree.delete();
  return found;
}

function show(cursor: TreeCursor, indent: number, depth: number, found: { lines: string[]; errors: number }): void {
  const { currentNode: node } = cursor;
  if (node.isError) found.errors += 1;
  if (node.isNamed) {
    found.lines.push(`${indent} ${node.type} ${cursor.currentFieldName ?? null} ${node.startIndex} ${node.endIndex}`);
  }
  if (depth > codeLimits.syntaxDepthMax || !cursor.gotoFirstChild()) return;
  do show(cursor, node.isNamed ? indent + 1 : indent, depth + 1, found);
  while (cursor.gotoNextSibling());
  cursor.gotoParent();
}

async function copied(name: GrammarName, text: string): Promise<{ lines: string[]; errors: number }> {
  const tree = await parseSyntax(name, text);
  if (tree === null) throw new Error('The parser gave up.');
  const lines: string[] = [];
  const list = (node: SyntaxNode, indent: number): void => {
    lines.push(`${indent} ${node.type} ${node.field} ${node.start} ${node.end}`);
    for (const [index, child] of node.children.entries()) {
      expect(child.parent).toBe(node);
      expect(child.index).toBe(index);
      list(child, indent + 1);
    }
  };
  list(tree.root, 0);
  return { lines, errors: tree.errors };
}

test.each(Object.entries(samples) as [GrammarName, string][])(
  'PF1 a copied tree is the one that the cursor shows: %s, also with pieces cut out (seed 7)',
  async (name, sample) => {
    expect(await copied(name, sample)).toEqual(await shownByCursor(name, sample));
    const cut = fc.tuple(fc.nat(sample.length), fc.nat(30));
    await fc.assert(
      fc.asyncProperty(
        fc.array(cut, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 6 }),
        async (cuts, times) => {
          const text = cuts.reduce((rest, [from, length]) => rest.slice(0, from) + rest.slice(from + length), sample);
          const repeated = text.repeat(times);
          expect(await copied(name, repeated)).toEqual(await shownByCursor(name, repeated));
        },
      ),
      { seed: 7, numRuns: 25 },
    );
  },
);

test('PF1 deep nesting, long lists, empty texts and errors with many children are copied as they are', async () => {
  const texts = [
    '',
    '\n\n  ',
    `x = ${'('.repeat(600)}1${')'.repeat(600)}\n`,
    `x = [${'a.b(1), '.repeat(1_000)}]\n`,
    `${'a ( b = '.repeat(40)} ) ] : def class`,
    `${' '.repeat(300)}# far\n${'\n'.repeat(300)}y = "${'z'.repeat(400)}"\n`,
  ];
  for (const text of texts) expect(await copied('python', text)).toEqual(await shownByCursor('python', text));
});
