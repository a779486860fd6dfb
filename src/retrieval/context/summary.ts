/** Layer L1: the largest groups of files that hang together. */
import { contextLimits } from '../../base/limits.ts';
import { counted } from '../../base/numbers.ts';
import { fitLayer, heading, type Layer, line } from './layer.ts';
import { oneLine } from './one-line.ts';

export interface Group {
  readonly id: number;
  /** Paths of its files, the most central one first. */
  readonly paths: readonly string[];
  readonly symbols: number;
  /** How many symbols it has of each kind; empty, as the labels are, where only its name and size are shown. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Names of symbols that stand for it, the best first. */
  readonly labels: readonly string[];
}

/** `whole` gives a line of everything; `brief` only names and sizes of a few groups, as an answer needs them. */
export type SummaryForm = 'whole' | 'brief';

export function summaryLayer(groups: readonly Group[], form: SummaryForm, tokensMax: number): Layer {
  const shown = largestGroups(groups, form === 'whole' ? contextLimits.groupsMax : contextLimits.briefGroupsMax);
  if (shown.length === 0) return fitLayer([], tokensMax);
  const lines = shown.map((group) => line(form === 'whole' ? wholeLine(group) : briefLine(group)));
  return fitLayer([heading('Groups:'), ...lines], tokensMax);
}

/** By number of files, then of symbols, then by id. */
export function largestGroups(groups: readonly Group[], count: number): readonly Group[] {
  return [...groups]
    .sort((a, b) => b.paths.length - a.paths.length || b.symbols - a.symbols || a.id - b.id)
    .slice(0, count);
}

/** The folder that most of its files share and its most central files: `src/server (start.ts, edge.ts)`. */
export function groupName(group: Group): string {
  const folder = majorityFolder(group.paths);
  const files = group.paths.slice(0, contextLimits.groupFilesMax).map((path) => path.slice(path.lastIndexOf('/') + 1));
  const [only] = group.paths;
  if (group.paths.length === 1 && only !== undefined) return oneLine(only, contextLimits.groupNameCharsMax);
  return oneLine(`${folder === '' ? '.' : folder} (${files.join(', ')})`, contextLimits.groupNameCharsMax);
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

function wholeLine(group: Group): string {
  const labels = group.labels
    .slice(0, contextLimits.groupLabelsMax)
    .map((label) => oneLine(label, contextLimits.groupLabelCharsMax));
  const parts = [
    `${counted(group.paths.length, 'file')}, ${counted(group.symbols, 'symbol')}`,
    kindMix(group.kinds),
    labels.join(', '),
  ];
  return `- ${groupName(group)}: ${parts.filter((part) => part !== '').join('; ')}`;
}

function briefLine(group: Group): string {
  return `- ${groupName(group)}: ${counted(group.paths.length, 'file')}`;
}

/** The most frequent kinds with their share in per cent. */
function kindMix(kinds: ReadonlyMap<string, number>): string {
  const total = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  return [...kinds]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, contextLimits.groupKindsMax)
    .map(([kind, count]) => `${kind} ${Math.round((100 * count) / total)} %`)
    .join(', ');
}
