/** The graph of a project as its questions read it. Edges are those of `link.ts`, nodes carry its ids. */
import type { Edge, EdgeKind } from '../code/link.ts';
import type { SymbolKind } from '../code/symbol.ts';

export interface GraphNode {
  /** Of `symbol.ts`. */
  readonly id: string;
  readonly kind: 'file' | 'package' | 'external' | SymbolKind;
  readonly name: string;
  /** Names from the outermost symbol inward; the path of a file, the name of a package. */
  readonly qualifiedName: string;
  /** Null for what lies in no file of the project. */
  readonly path: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly signature: string;
}

export interface GraphSource {
  node(id: string): GraphNode | null;
  /** Nodes with this simple name in exactly this case, by path and line. Files go by their file name. */
  named(name: string): readonly GraphNode[];
  /** The same for any case. */
  namedInAnyCase(name: string): readonly GraphNode[];
  /** By kind, then target. */
  edgesFrom(id: string, kinds: readonly EdgeKind[]): readonly Edge[];
  /** By kind, then start. */
  edgesTo(id: string, kinds: readonly EdgeKind[]): readonly Edge[];
  /** The symbols of a file in the order of its text. */
  symbolsOf(path: string): readonly GraphNode[];
  /**
   * How many references of the project that nothing was found for end in this name (`lastNameOf`). Those bound to
   * something outside the project do not count. A source without this member does not know.
   */
  unresolvedNamed?(name: string): number;
}
