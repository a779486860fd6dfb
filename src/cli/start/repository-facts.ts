/** What a repository's index says about the repository itself: enough to make questions of. Read only. */
import { basename } from 'node:path';
import type { EdgeKind } from '../../retrieval/code/link.ts';
import { indexPath } from '../../retrieval/index/index-file.ts';
import { IndexReader, type IndexView } from '../../retrieval/index/index-reader.ts';
import { numberOfKind } from '../../retrieval/index/schema.ts';

export interface RepositoryFacts {
  /** Headings of its README below the title, in order. */
  readonly sections: readonly string[];
  /** Definitions that most of the code hangs on, the first most of all. */
  readonly central: readonly CentralSymbol[];
  /** Files with the most definitions, the largest first. */
  readonly files: readonly string[];
}

export interface CentralSymbol {
  readonly name: string;
  readonly kind: string;
  /** The first sentence of its documentation, or empty. */
  readonly summary: string;
  readonly path: string;
  /** The number of the group of files it belongs to. */
  readonly group: number;
  /** How many files the group has. */
  readonly groupFiles: number;
}

/** Null when there is no index that can be read. */
export function repositoryFacts(root: string): RepositoryFacts | null {
  const reader = new IndexReader(indexPath(root));
  try {
    const asked = reader.ask(factsIn);
    return asked.kind === 'answered' ? asked.value : null;
  } finally {
    reader.close();
  }
}

function factsIn({ db }: IndexView): RepositoryFacts {
  const sections = db
    .prepare<[], { name: string; path: string }>(
      `SELECT node.name AS name, file.path AS path FROM node JOIN file ON file.id = node.file
       WHERE node.kind = 'section' AND file.path LIKE 'readme%' ORDER BY file.path, node.start_line`,
    )
    .all();
  const [readme] = sections;
  const central = db
    .prepare<[string, number], CentralRow>(
      `SELECT node.name AS name, node.kind AS kind, node.summary AS summary, file.path AS path, file.community AS community,
         (SELECT count(*) FROM file AS other WHERE other.community = file.community) AS members
       FROM (SELECT target, count(*) AS uses FROM edge WHERE kind IN (SELECT value FROM json_each(?)) GROUP BY target)
       JOIN node ON node.id = target JOIN file ON file.id = node.file
       WHERE node.kind NOT IN ('file', 'section')
       ORDER BY uses DESC, file.path, node.position LIMIT ?`,
    )
    .all(JSON.stringify(dependencies.map(numberOfKind)), centralRead);
  const files = db
    .prepare<[number], string>(
      `SELECT file.path FROM file LEFT JOIN node ON node.file = file.id
       GROUP BY file.id ORDER BY count(node.id) DESC, file.path LIMIT ?`,
    )
    .pluck()
    .all(centralRead);
  return {
    sections: sections
      .filter(({ path }) => path === readme?.path)
      .slice(1)
      .map(({ name }) => name),
    central: productFirst(central).map(centralSymbol),
    files: files.filter((path) => !isBesides(path)),
  };
}

const dependencies: readonly EdgeKind[] = ['calls', 'inherits', 'implements', 'references'];
const centralRead = 400;

interface CentralRow {
  readonly name: string;
  readonly kind: string;
  readonly summary: string;
  readonly path: string;
  readonly community: number;
  readonly members: number;
}

function centralSymbol({ name, kind, summary, path, community, members }: CentralRow): CentralSymbol {
  return { name, kind, summary, path, group: community, groupFiles: members };
}

/** Without what is beside the product, and types without code last. */
function productFirst(central: readonly CentralRow[]): readonly CentralRow[] {
  const own = central.filter(({ path }) => !isBesides(path));
  const isTypes = ({ path }: CentralRow) => /\.d\.[cm]?ts$/.test(path);
  return [...own.filter((row) => !isTypes(row)), ...own.filter(isTypes)];
}

/** Tests, examples and the like use the code; they are not what a repository is about. */
function isBesides(path: string): boolean {
  return (
    /(^|\/)(tests?|__tests__|specs?|testing|testdata|fixtures?|examples?|bench(marks?)?|vendor|third_party)\//i.test(
      path,
    ) ||
    /([._-](test|spec)s?\.[a-z]+|_test\.go)$/i.test(path) ||
    /^(test_|conftest)/.test(basename(path))
  );
}
