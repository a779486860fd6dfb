/**
 * The open decision stores of this process, one for each project, and the catching up with their repositories.
 *
 * A store is opened at its first use and never made by looking. Before a caller gets it, it is scanned once, and again
 * whenever HEAD has moved since: commits made without our hook, pulls and rebases are seen at the next call.
 */
import path from 'node:path';
import type { Clock } from '../base/clock.ts';
import { scanLimits } from '../base/limits.ts';
import type { Decisions } from '../memory/decisions/decisions.ts';
import type { TextEmbedder } from '../memory/decisions/embedder.ts';
import type { GitFacts } from '../memory/decisions/git-facts.ts';
import { ok, type Result } from '../memory/decisions/outcome.ts';
import { nothingSince } from './decision-scan/nothing-since.ts';
import { type ScanReport, scanDecisions } from './decision-scan/scan.ts';
import type { Git } from './git.ts';
import type { Project } from './projects/projects.ts';

export interface DecisionStores {
  /** Caught up with HEAD, as far as the store lets itself be written, unless `catchUp` is false. */
  open(project: Project, options?: { readonly catchUp: boolean }): Promise<Decisions>;
  /** Whether the store of `project` is open in this process. */
  isOpen(project: Project): boolean;
  /** Scans at once, whether or not HEAD has moved. */
  scan(project: Project): Promise<Result<ScanReport>>;
  /** Waits for running scans and writes. Idempotent. */
  close(): Promise<void>;
}

export interface DecisionStoresOptions {
  readonly clock: Clock;
  readonly git: Git;
  readonly embedder: () => TextEmbedder | null;
  /** Absolute spellings of a project's folder. The list may grow. */
  readonly spellings: (project: Project) => readonly string[];
  /** Off leaves scanning to those who ask for it. */
  readonly scanOnOpen: boolean;
}

interface OpenStore {
  readonly file: string;
  readonly decisions: Decisions;
  /** HEAD at the last complete scan; undefined before the first. */
  scannedHead: string | null | undefined;
  /** When HEAD was last looked at, by `performance.now()`. */
  lookedAt: number;
  running: Promise<unknown>;
}

export function openDecisionStores(options: DecisionStoresOptions): DecisionStores {
  const { git } = options;
  const stores = new Map<string, OpenStore>();
  let closed = false;

  async function storeOf(project: Project): Promise<OpenStore> {
    // A process that asks about code alone never loads it.
    const { Decisions } = await import('../memory/decisions/decisions.ts');
    const known = stores.get(project.path);
    if (known !== undefined) return known;
    const file = path.join(project.path, '.neuralmind', 'memory.db');
    const roots = options.spellings(project);
    const facts = gitFactsOf(git, project.path);
    const { clock, embedder } = options;
    const decisions = new Decisions({ file, roots, clock, git: facts, embedder });
    const opened = { file, decisions, scannedHead: undefined, lookedAt: Number.NEGATIVE_INFINITY };
    const store: OpenStore = { ...opened, running: Promise.resolve() };
    // After the end nothing is kept open; such a store refuses every call in its own words.
    if (closed) void decisions.close();
    else stores.set(project.path, store);
    return store;
  }

  async function scan(project: Project, store: OpenStore): Promise<Result<ScanReport>> {
    const place = { root: project.path, file: store.file, decisions: store.decisions, git };
    const report = await scanDecisions(place);
    if (report.ok) store.scannedHead = report.value.commit;
    return report;
  }

  /** One at a time for each store, so that two callers never scan the same commit. */
  function inTurn<Value>(store: OpenStore, work: () => Promise<Value>): Promise<Value> {
    const run = store.running.then(work);
    store.running = run.catch(() => {});
    return run;
  }

  async function catchUp(project: Project, store: OpenStore): Promise<void> {
    if (performance.now() - store.lookedAt < scanLimits.headCheckMs) return;
    store.lookedAt = performance.now();
    const head = (await git.headCommit(project.path)) ?? null;
    if (head === store.scannedHead) return;
    // A scan that fails keeps nobody from reading; the next look tries again, and the call itself reports the trouble.
    await scan(project, store);
  }

  return {
    async open(project, { catchUp: wanted } = { catchUp: true }) {
      const store = await storeOf(project);
      if (wanted && options.scanOnOpen && !closed) await inTurn(store, () => catchUp(project, store));
      return store.decisions;
    },
    isOpen: (project) => stores.has(project.path),
    async scan(project) {
      if (closed) return ok({ commit: null, scanned: 0, marked: [] });
      const store = await storeOf(project);
      return inTurn(store, () => scan(project, store));
    },
    async close() {
      closed = true;
      await Promise.all([...stores.values()].map((store) => store.running));
      await Promise.all([...stores.values()].map((store) => store.decisions.close()));
    },
  };
}

function gitFactsOf(git: Git, root: string): GitFacts {
  return {
    headCommit: async () => (await git.headCommit(root)) ?? null,
    allCommits: async () => (await git.allCommits(root)) ?? null,
    blobIds: (paths) => git.blobsOf(root, paths),
    nothingSince: (decisions) => nothingSince(git, root, decisions),
  };
}
