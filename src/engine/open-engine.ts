/**
 * Opens the engine over real files. Nothing is read or made here: the notebook's root appears with the first accepted
 * write, and a directory that is missing is an empty notebook; a project's store appears the same way.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { SERVER_VERSION } from '../base/version.ts';
import { openFileStore } from '../memory/notebook/file-store.ts';
import { createNotebook } from '../memory/notebook/notebook.ts';
import type { NotebookLog } from '../memory/notebook/store.ts';
import type { Embedder } from '../retrieval/embeddings/embedder.ts';
import { lazyMiniLm } from '../retrieval/embeddings/minilm.ts';
import { indexPath } from '../retrieval/index/index-file.ts';
import { openCodeMinds } from './code/code-minds.ts';
import { openDecisionStores } from './decision-stores.ts';
import type { Engine } from './engine.ts';
import { git } from './git.ts';
import { createJobs } from './jobs.ts';
import { openProjects } from './projects/projects.ts';
import { embedderPort } from './text-embedder.ts';

export interface EngineOptions {
  /** Absolute; asked for on each call. */
  readonly memoryRoot: () => string;
  readonly clock: Clock;
  readonly notebookLog: NotebookLog;
  /** The user's home, which is never a project. */
  readonly userHome?: string;
  /** Where the list of projects is kept; `.neuralmind` in the user's home by default. */
  readonly daemonHome?: string;
  /** Ends the process that serves, when there is one. */
  readonly shutdown?: () => void;
  /** The model for search by meaning; null for none. By default MiniLM where its packages are installed. */
  readonly embedder?: Embedder | null;
  /** Whether opening a store also looks for decisions that commits have overtaken. On by default. */
  readonly scanOnOpen?: boolean;
  /** Told when a part of the code mind fails beside an answer that is given all the same. Never told content. */
  readonly onCodeTrouble?: (what: string, fault: string) => void;
}

export function openEngine(options: EngineOptions): Engine {
  const { memoryRoot, clock, notebookLog, userHome = homedir() } = options;
  const records = openFileStore({ root: memoryRoot, log: notebookLog });
  const notebook = createNotebook({ store: records, clock });
  const daemonHome = options.daemonHome ?? path.join(userHome, '.neuralmind');
  const projects = openProjects({ daemonHome, userHome, memoryRoot, clock });
  const jobs = createJobs(clock);
  const embedder = embedderPort(options.embedder === undefined ? lazyMiniLm() : options.embedder);
  const stores = openDecisionStores({
    clock,
    git,
    embedder: embedder.current,
    spellings: projects.spellings,
    scanOnOpen: options.scanOnOpen ?? true,
  });
  const minds = openCodeMinds({
    clock,
    git,
    userHome,
    ownFolders: projects.ownFolders,
    onTrouble: options.onCodeTrouble ?? (() => {}),
  });
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    // From this moment the notebook lets no call in; what is under way is waited for at the end.
    const recordsClosed = records.close();
    await jobs.close();
    await minds.close();
    await stores.close();
    await embedder.close();
    await recordsClosed;
  }

  return {
    clock,
    notebook,
    projects,
    jobs,
    daemon: {
      mode: 'loopback',
      version: SERVER_VERSION,
      startedAt: clock.now(),
      shutdown: options.shutdown ?? null,
    },
    decisions: stores.open,
    code: minds.of,
    isWarm: (project) => stores.isOpen(project) || minds.isOpen(project),
    isBuilt: (project) => existsSync(indexPath(project.path)),
    scanDecisions: stores.scan,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
