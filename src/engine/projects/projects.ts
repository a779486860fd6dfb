/**
 * The registered projects: opaque id to folder, kept in `projects.json` of the daemon home.
 *
 * A call may name a project by its id, or by any path inside it. One folder is one project however it is reached; a
 * linked work tree and a second clone are projects of their own. Nothing is registered by looking.
 */
import { realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type OwnSetting, ownFolders, ownSettingOf } from './own-folders.ts';
import { ProjectFile } from './project-file.ts';
import { type ProjectId, projectIdOf } from './project-id.ts';
import { findProjectRoot, refusedPlace } from './project-root.ts';

export interface Project {
  readonly id: ProjectId;
  /** The name of its folder. */
  readonly name: string;
  /** Absolute, links resolved. */
  readonly path: string;
}

export interface ListedProject extends Project {
  /** Its folder is not there any more. */
  readonly missing: boolean;
}

export type ProjectProblem =
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'not-a-folder'; readonly path: string }
  | { readonly kind: 'reserved'; readonly path: string }
  /** `setting` is what puts our data there, if it would not lie there by itself. */
  | { readonly kind: 'own-data'; readonly path: string; readonly setting: OwnSetting | null }
  | { readonly kind: 'relative'; readonly path: string }
  /** The folder of the door carries no mark of a project, so it is only a guess. */
  | { readonly kind: 'guessed'; readonly path: string }
  /** `projects.json` cannot be used; fixed words without a path. */
  | { readonly kind: 'unusable'; readonly message: string };

export type ProjectResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: ProjectProblem };

export interface Projects {
  /** Registers the project that contains `folder`; `created` is false when it was known. Relative paths are refused. */
  register(folder: string): Promise<ProjectResult<{ readonly project: Project; readonly created: boolean }>>;
  /** In the order of registration. Projects whose folder is gone are listed too. */
  list(): Promise<ProjectResult<readonly ListedProject[]>>;
  /** Fails with `missing` when the folder has been moved or deleted, and where `locate` would refuse it. */
  get(id: string): Promise<ProjectResult<Project>>;
  /**
   * The project that contains `folder`, registered or not. With `marked` the folder must lie in a repository or in a
   * project that is known: a door's own folder alone proves nothing.
   */
  locate(folder: string, options?: { readonly marked: boolean }): Promise<ProjectResult<Project>>;
  /** Absolute spellings under which the folder of `project` has been named, its path first. */
  spellings(project: Project): readonly string[];
  /** Of our own data, absolute: no project, and left out of every one that holds them. Asked for on each listing. */
  ownFolders(): readonly string[];
}

export interface ProjectsOptions {
  readonly daemonHome: string;
  /** The user's home, which is never a project itself. */
  readonly userHome?: string;
  /** Where the notebook keeps its records, absolute; asked for on each call. Like the daemon home it is no project. */
  readonly memoryRoot?: () => string;
  readonly clock: Clock;
}

export function openProjects({ daemonHome, userHome = homedir(), memoryRoot, clock }: ProjectsOptions): Projects {
  const file = new ProjectFile(daemonHome);
  const spellings = new Map<string, string[]>();

  const places = { daemonHome, userHome, ...(memoryRoot === undefined ? {} : { memoryRoot }) };
  const own = (): readonly string[] => ownFolders(places);

  const spellingsOf = (root: string): string[] => {
    const known = spellings.get(root);
    if (known !== undefined) return known;
    const made = [root];
    spellings.set(root, made);
    return made;
  };

  /** A caller that reaches the folder through a link will name files through it too. */
  async function learnSpelling(root: string, named: string): Promise<void> {
    const known = spellingsOf(root);
    const plain = path.resolve(named);
    if (known.includes(plain) || known.length >= spellingsMax) return;
    if ((await realpath(plain).catch(() => '')) === root) known.push(plain);
  }

  async function locate(folder: string, options = { marked: false }): Promise<ProjectResult<Project>> {
    if (!path.isAbsolute(folder)) return refuse({ kind: 'relative', path: folder });
    const found = await findProjectRoot(folder, userHome, own());
    if (found.kind === 'own-data') return refuse(await ownData(folder));
    if (found.kind !== 'found') return refuse({ kind: found.kind, path: folder });
    const project = projectAt(found.root);
    if (options.marked && !found.marked && !isRegistered(file, project.id)) {
      return refuse({ kind: 'guessed', path: folder });
    }
    await learnSpelling(project.path, folder);
    return { ok: true, value: project };
  }

  async function ownData(folder: string): Promise<ProjectProblem> {
    const real = await realpath(folder).catch(() => folder);
    return { kind: 'own-data', path: folder, setting: ownSettingOf(real, places) };
  }

  return {
    locate,
    ownFolders: own,
    spellings: (project) => spellingsOf(project.path),
    async register(folder) {
      const located = await locate(folder);
      if (!located.ok) return located;
      const project = located.value;
      const registered_at = clock.now().toISOString();
      const added = await file.add({ id: project.id, path: project.path, registered_at });
      if (!added.ok) return refuse({ kind: 'unusable', message: added.message });
      return { ok: true, value: { project, created: added.added } };
    },
    async list() {
      const stored = file.read();
      if (!stored.ok) return refuse({ kind: 'unusable', message: stored.message });
      const listed = stored.projects.map((one) => ({ ...projectAt(one.path), missing: !isFolder(one.path) }));
      return { ok: true, value: listed };
    },
    async get(id) {
      const stored = file.read();
      if (!stored.ok) return refuse({ kind: 'unusable', message: stored.message });
      const known = stored.projects.map((one) => projectAt(one.path)).find((project) => project.id === id);
      if (known === undefined) return refuse({ kind: 'unknown', id });
      if (!isFolder(known.path)) return refuse({ kind: 'missing', path: known.path });
      // Where the home and our data lie can change after a folder was registered.
      const refused = await refusedPlace(known.path, userHome, own());
      if (refused === 'own-data') return refuse(await ownData(known.path));
      if (refused !== null) return refuse({ kind: refused, path: known.path });
      return { ok: true, value: known };
    },
  };
}

/** More links to one folder than anybody keeps. */
const spellingsMax = 8;

function projectAt(root: string): Project {
  return { id: projectIdOf(root), name: path.basename(root), path: root };
}

function isRegistered(file: ProjectFile, id: ProjectId): boolean {
  const stored = file.read();
  return stored.ok && stored.projects.some((project) => projectIdOf(project.path) === id);
}

/** A link in its place leads to the memory of something else, which was never registered under this name. */
function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory() && realpathSync.native(folder) === folder;
  } catch {
    // Not there, or not to be reached: either way nobody can work in it.
    return false;
  }
}

function refuse(problem: ProjectProblem): { readonly ok: false; readonly problem: ProjectProblem } {
  return { ok: false, problem };
}
