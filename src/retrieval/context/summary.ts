/** Layer L1: the largest groups of files that hang together. */
import { contextLimits } from '../../base/limits.ts';
import { counted } from '../../base/numbers.ts';
import { type FileRole, fileRole } from '../search/file-role.ts';
import { fitLayer, heading, type Layer, line } from './layer.ts';
import { oneLine, onePath } from './one-line.ts';

export interface Group {
  readonly id: number;
  /** Paths of its files, the most central one first. */
  readonly paths: readonly string[];
  readonly symbols: number;
  /** Names of symbols that stand for it, the best first. Empty where only its name and size are shown. */
  readonly labels: readonly string[];
}

/** `whole` gives a line of everything; `brief` only names and sizes of a few groups, as an answer needs them. */
export type SummaryForm = 'whole' | 'brief';

export function summaryLayer(groups: readonly Group[], form: SummaryForm, tokensMax: number): Layer {
  const shown = largestGroups(groups, form === 'whole' ? contextLimits.groupsMax : contextLimits.briefGroupsMax);
  if (shown.length === 0) return fitLayer([], tokensMax);
  const names = form === 'whole' ? distinctPlaces(shown) : new Map<number, string>();
  const lines = shown.map((group) => line(form === 'whole' ? wholeLine(group, names) : briefLine(group)));
  return fitLayer([heading('Groups:'), ...lines], tokensMax);
}

/** By number of files, then of symbols, then by id. */
export function largestGroups(groups: readonly Group[], count: number): readonly Group[] {
  return [...groups]
    .sort((a, b) => b.paths.length - a.paths.length || b.symbols - a.symbols || a.id - b.id)
    .slice(0, count);
}

/** Where it lies and its most central files there: `src/server (start.ts, edge.ts)`. */
export function groupName(group: Group): string {
  return namesOf(group).name;
}

/**
 * The folder that most of its files share, `(root)` for the top of the project; where they share none, the two folders
 * at the top with the most of them: `client, server`.
 */
export function groupPlace(group: Group): string {
  return namesOf(group).place;
}

/**
 * Where each lies, by id; of those that lie in one place with the symbol (or file) that most others lean on as well:
 * `(root), around Flask`. No two are the same.
 */
export function distinctPlaces(groups: readonly Group[]): ReadonlyMap<number, string> {
  const { groupLabelCharsMax, groupNameCharsMax } = contextLimits;
  const places = groups.map(groupPlace);
  const given = new Set<string>();
  return new Map(
    groups.map((group, index) => {
      const place = places[index] ?? '';
      const files = group.paths.map((path) => shortenedPath(path, groupNameCharsMax));
      const centres = [...group.labels.map((label) => oneLine(label, groupLabelCharsMax)), ...files];
      const isShared = places.indexOf(place) !== places.lastIndexOf(place);
      const forms = [...(isShared ? [] : [place]), ...centres.map((centre) => `${place}, around ${centre}`)];
      const name = forms.find((form) => !given.has(form)) ?? `${place}, group ${group.id}`;
      given.add(name);
      return [group.id, name];
    }),
  );
}

interface GroupNames {
  readonly place: string;
  readonly name: string;
}

/** Every question asks for some of them, and a group does not change. */
const known = new WeakMap<Group, GroupNames>();

function namesOf(group: Group): GroupNames {
  const found = known.get(group) ?? groupNames(group);
  known.set(group, found);
  return found;
}

function groupNames({ paths }: Group): GroupNames {
  const { groupNameCharsMax, groupFilesMax } = contextLimits;
  const own = ownPaths(paths);
  const folder = majorityFolder(own);
  const place = shortenedPath(folder === '' ? topFolders(own) : folder, groupNameCharsMax);
  const [only] = paths;
  if (paths.length === 1 && only !== undefined) return { place, name: shortenedPath(only, groupNameCharsMax) };
  const inside = folder === '' ? paths : paths.filter((path) => path.startsWith(`${folder}/`));
  const files = inside.slice(0, groupFilesMax).map((path) => path.slice(path.lastIndexOf('/') + 1));
  return { place, name: oneLine(`${place} (${files.join(', ')})`, 2 * groupNameCharsMax) };
}

function topFolders(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const first = path.includes('/') ? path.slice(0, path.indexOf('/')) : root;
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const most = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
  return most[0] === root ? root : most.slice(0, 2).join(', ');
}

const root = '(root)';

/** Tests and examples stand beside what they use, and are not where a group lies, unless there is nothing else. */
function ownPaths(paths: readonly string[]): readonly string[] {
  const own = paths.filter((path) => !besides.has(fileRole(path, 'text')));
  return own.length === 0 ? paths : own;
}

const besides: ReadonlySet<FileRole> = new Set<FileRole>(['test', 'example']);

/** A long path without its middle: both ends say more. */
function shortenedPath(path: string, charsMax: number): string {
  const points = [...onePath(path)];
  if (points.length <= charsMax) return points.join('');
  const head = Math.floor((charsMax - 1) / 3);
  return `${points.slice(0, head).join('')}…${points.slice(head + 1 - charsMax).join('')}`;
}

/** The deepest folder that holds at least three of five paths; empty for the root. */
export function majorityFolder(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  let best = '';
  for (const [folder, count] of counts) {
    // Two folders can both hold so many only when one lies in the other.
    if (count * 5 >= paths.length * 3 && folder.length > best.length) best = folder;
  }
  return best;
}

/** `- src/server: 14 files, 120 symbols; start, Edge, listen; files src/server/start.ts, src/edge.ts` */
function wholeLine(group: Group, places: ReadonlyMap<number, string>): string {
  const labels = [...new Set(group.labels)]
    .slice(0, contextLimits.groupLabelsMax)
    .map((label) => oneLine(label, contextLimits.groupLabelCharsMax));
  const files = group.paths
    .slice(0, contextLimits.groupFilesMax)
    .map((path) => shortenedPath(path, contextLimits.groupNameCharsMax));
  const size = `${counted(group.paths.length, 'file')}, ${counted(group.symbols, 'symbol')}`;
  const isOne = group.paths.length === 1;
  const parts = [size, labels.join(', '), isOne ? '' : `files ${files.join(', ')}`];
  const name = isOne ? groupName(group) : (places.get(group.id) ?? groupPlace(group));
  return `- ${name}: ${parts.filter((part) => part !== '').join('; ')}`;
}

function briefLine(group: Group): string {
  return `- ${groupName(group)}: ${counted(group.paths.length, 'file')}`;
}
