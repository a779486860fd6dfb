/**
 * The names by which neighbours in the graph are asked for.
 *
 * A *view* is an edge kind read from one side: an edge `calls` from `f` to `g` makes `f` one of the callers of `g`,
 * and `g` one of the callees of `f`. The name of a kind asks for both sides. `imports` is both a kind and a view: it
 * means the view, what a file imports.
 */
import type { EdgeKind } from '../code/link.ts';

export const edgeKinds: readonly EdgeKind[] = [
  'calls',
  'contains',
  'decorates',
  'implements',
  'imports',
  'inherits',
  'references',
];

export type ViewName =
  | 'callers'
  | 'callees'
  | 'bases'
  | 'subclasses'
  | 'interfaces'
  | 'implementers'
  | 'members'
  | 'container'
  | 'importers'
  | 'imports'
  | 'uses'
  | 'used_by';

export interface View {
  readonly name: ViewName;
  /** Whether the neighbours are where the edges start or where they end. */
  readonly side: 'from' | 'to';
  readonly kinds: readonly EdgeKind[];
}

/** All views, in the order of answers. */
export const views: readonly View[] = [
  { name: 'callers', side: 'from', kinds: ['calls'] },
  { name: 'callees', side: 'to', kinds: ['calls'] },
  { name: 'bases', side: 'to', kinds: ['inherits'] },
  { name: 'subclasses', side: 'from', kinds: ['inherits'] },
  { name: 'interfaces', side: 'to', kinds: ['implements'] },
  { name: 'implementers', side: 'from', kinds: ['implements'] },
  { name: 'members', side: 'to', kinds: ['contains'] },
  { name: 'container', side: 'from', kinds: ['contains'] },
  { name: 'importers', side: 'from', kinds: ['imports'] },
  { name: 'imports', side: 'to', kinds: ['imports'] },
  { name: 'uses', side: 'to', kinds: ['references', 'decorates'] },
  { name: 'used_by', side: 'from', kinds: ['references', 'decorates'] },
];

export const defaultViews: readonly ViewName[] = ['callers', 'callees', 'bases', 'subclasses', 'importers'];

/** Every name that may be asked for. */
export const relationNames: readonly string[] = [
  ...views.map((view) => view.name),
  ...edgeKinds.filter((kind) => kind !== 'imports'),
  'all',
];

export type ParsedRelations =
  | { readonly ok: true; readonly views: readonly View[] }
  /** The request is invalid; `message` names what is unknown and what is known. */
  | { readonly ok: false; readonly unknown: readonly string[]; readonly message: string };

/** Reads names, each alone or several with commas between. None at all means the default views. */
export function parseRelations(given: readonly string[]): ParsedRelations {
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim().toLowerCase());
  const asked = names.filter((name) => name !== '');
  const unknown = [...new Set(asked.filter((name) => !relationNames.includes(name)))];
  if (unknown.length > 0) {
    const list = unknown.map((name) => JSON.stringify(name)).join(', ');
    const message = `Unknown relation ${list}. Known are ${relationNames.join(', ')}.`;
    return { ok: false, unknown, message };
  }
  const wanted = asked.length === 0 ? defaultViews : asked;
  return { ok: true, views: views.flatMap((view) => narrowed(view, wanted)) };
}

/** The view as far as it was asked for: `references` leaves `decorates` out of the uses. */
function narrowed(view: View, wanted: readonly string[]): readonly View[] {
  if (wanted.includes('all') || wanted.includes(view.name)) return [view];
  const kinds = view.kinds.filter((kind) => kind !== 'imports' && wanted.includes(kind));
  return kinds.length === 0 ? [] : [{ ...view, kinds }];
}
