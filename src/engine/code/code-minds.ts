/** The code minds of this process, one for each project that was asked about, and the threads they share. */
import type { Clock } from '../../base/clock.ts';
import type { Embedder } from '../../retrieval/embeddings/embedder.ts';
import { lazyStatic } from '../../retrieval/embeddings/static.ts';
import type { Git } from '../git.ts';
import type { Project } from '../projects/projects.ts';
import type { CodeMind } from './code-mind.ts';
import { Mind } from './mind.ts';
import { WorkerPools } from './worker-pools.ts';

export interface CodeMinds {
  /** Opens nothing before the first question. */
  of(project: Project): CodeMind;
  /** Whether this process was asked about `project`. */
  isOpen(project: Project): boolean;
  /** Ends running builds and waits for them. Idempotent. */
  close(): Promise<void>;
}

export interface CodeMindsOptions {
  readonly clock: Clock;
  readonly git: Git;
  readonly userHome: string;
  /** Of our own data, absolute; asked for on each listing. None by default. */
  readonly ownFolders?: () => readonly string[];
  readonly embedder?: Embedder;
  readonly onTrouble: (what: string, fault: string) => void;
}

export function openCodeMinds(options: CodeMindsOptions): CodeMinds {
  const { clock, git, userHome, ownFolders = () => [], onTrouble, embedder = lazyStatic() } = options;
  const minds = new Map<string, Mind>();
  const pools = new WorkerPools();
  return {
    of(project) {
      const known = minds.get(project.path);
      if (known !== undefined) return known;
      const { id: projectId, name, path: root } = project;
      const mind = new Mind({ projectId, name, root, userHome, ownFolders, clock, git, pools, embedder, onTrouble });
      minds.set(project.path, mind);
      return mind;
    },
    isOpen: (project) => minds.has(project.path),
    async close() {
      await Promise.all([...minds.values()].map((mind) => mind.close()));
      await Promise.all([pools.close(), embedder.close()]);
    },
  };
}
