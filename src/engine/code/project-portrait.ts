/** What a project is and how it is divided, as the first layers of a context show it. Made once for each generation. */
import { codeMindLimits } from '../../base/limits.ts';
import { type ProjectIdentity, readDescription } from '../../retrieval/context/identity.ts';
import type { Group } from '../../retrieval/context/summary.ts';
import type { IndexView } from '../../retrieval/index/index-reader.ts';

export interface ProjectPortrait {
  readonly generation: number;
  readonly identity: ProjectIdentity;
  readonly groups: readonly Group[];
  /** Whether the groups have their labels. */
  readonly isDescribed: boolean;
  /** Of all indexed files together. */
  readonly tokens: number;
}

export function portraitOf(view: IndexView, root: string, name: string): ProjectPortrait {
  const { search } = view;
  const files = [...search.files.values()];
  const languages = new Map<string, number>();
  for (const file of files) languages.set(file.language, (languages.get(file.language) ?? 0) + file.lines);
  const groups = groupsOf(view);
  return {
    generation: search.generation,
    identity: {
      name,
      description: readDescription(root),
      files: files.length,
      symbols: files.reduce((sum, file) => sum + file.symbols, 0),
      groups: groups.length,
      languages,
    },
    groups,
    isDescribed: false,
    tokens: files.reduce((sum, file) => sum + file.tokens, 0),
  };
}

interface Gathered {
  readonly files: { readonly path: string; readonly degree: number }[];
  symbols: number;
}

function groupsOf({ db, search }: IndexView): readonly Group[] {
  const degrees = new Map(
    db
      .prepare<[], { file: number; degree: number }>(
        'SELECT target AS file, SUM(count) AS degree FROM file_edge GROUP BY target',
      )
      .all()
      .map(({ file, degree }) => [file, degree]),
  );
  const gathered = new Map<number, Gathered>();
  for (const file of search.files.values()) {
    const group: Gathered = gathered.get(file.community) ?? { files: [], symbols: 0 };
    group.files.push({ path: file.path, degree: degrees.get(file.id) ?? 0 });
    group.symbols += file.symbols;
    gathered.set(file.community, group);
  }
  return [...gathered]
    .sort(([a], [b]) => a - b)
    .map(([id, { files, symbols }]) => ({
      id,
      paths: files.sort((a, b) => b.degree - a.degree || (a.path < b.path ? -1 : 1)).map((file) => file.path),
      symbols,
      labels: [],
    }));
}

/** The same with labels of the groups: they take long to find, and few answers show them. */
export function described(portrait: ProjectPortrait, { db }: IndexView): ProjectPortrait {
  if (portrait.isDescribed) return portrait;
  const labels = labelsOf(db);
  const groups = portrait.groups.map((group) => ({
    ...group,
    labels: labels.get(group.id) ?? group.labels,
  }));
  return { ...portrait, groups, isDescribed: true };
}

/** The definitions of each group that most others lean on. */
function labelsOf(db: IndexView['db']): ReadonlyMap<number, readonly string[]> {
  const rows = db
    .prepare<[number], { community: number; name: string }>(
      `SELECT community, name FROM (
         SELECT file.community AS community, node.qualified_name AS name,
           ROW_NUMBER() OVER (PARTITION BY file.community ORDER BY leaning.count DESC, file.path, node.position) AS place
         FROM (SELECT target, COUNT(*) AS count FROM edge WHERE kind <> 0 GROUP BY target) AS leaning
         JOIN node ON node.id = leaning.target AND node.position >= 0 JOIN file ON file.id = node.file)
       WHERE place <= ? ORDER BY community, place`,
    )
    .all(codeMindLimits.groupLabelsMax);
  const labels = new Map<number, string[]>();
  for (const { community, name } of rows) {
    const known = labels.get(community);
    if (known === undefined) labels.set(community, [name]);
    else known.push(name);
  }
  return labels;
}
