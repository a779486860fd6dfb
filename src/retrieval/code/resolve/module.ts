/** What an import can mean. */
import type { Language } from '../symbol.ts';

export type InnerModule =
  | {
      /** One file, or the files of a package that share their names. */
      readonly kind: 'files';
      readonly files: readonly string[];
      /** A folder whose files are members by their own names (Python), or null. */
      readonly directory: string | null;
      /** The folder of a package that is a node of its own (Go), or null. */
      readonly package: string | null;
    }
  | { readonly kind: 'namespace'; readonly language: Language; readonly name: string };

export type Module = InnerModule | { readonly kind: 'external'; readonly name: string };

export function fileModule(path: string): InnerModule {
  return { kind: 'files', files: [path], directory: null, package: null };
}

export function external(name: string): Module {
  return { kind: 'external', name };
}
