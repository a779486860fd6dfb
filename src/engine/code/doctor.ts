/**
 * Looks for faults of a project, its index and the program, and names the cure of each.
 *
 * It only reads: databases are looked at in copies, and no file of the project or of the user is touched. One check
 * asks one question; a check that cannot be made is a warning and keeps no other from being made.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../base/package-root.ts';
import { errnoOf } from '../../base/private-file.ts';
import { type ScanResult, scanProject } from '../../retrieval/code/scan.ts';
import { DocumentsList, type DocumentsRead } from '../../retrieval/documents/documents-list.ts';
import { indexPath } from '../../retrieval/index/index-file.ts';
import { type OwnSetting, ownFolders, ownSettingOf } from '../projects/own-folders.ts';
import { daemon, daemonHomeAccess } from './checks/daemon-files.ts';
import { sqliteCodeOf } from './checks/database-copy.ts';
import { decisions } from './checks/decisions.ts';
import { documents } from './checks/documents.ts';
import { examineIndex, type IndexExamination } from './checks/examine-index.ts';
import { type Check, type Finding, type Patient, shellWord, warning } from './checks/finding.ts';
import { freshness } from './checks/freshness.ts';
import { grammars } from './checks/grammars.ts';
import { indexLog } from './checks/index-log.ts';
import { indexPages, indexState } from './checks/index-state.ts';
import { indexableFiles } from './checks/indexable-files.ts';
import { links } from './checks/links.ts';
import { locks } from './checks/locks.ts';
import { nodeVersion } from './checks/node-version.ts';
import { packagedTables } from './checks/packaged-tables.ts';
import { permissions } from './checks/permissions.ts';
import { projectFolder, refusedFolder } from './checks/project-folder.ts';
import { repository } from './checks/repository.ts';
import { staticTable } from './checks/static-table.ts';
import { usageLog } from './checks/usage-log.ts';
import { watching } from './checks/watching.ts';

export type { Finding } from './checks/finding.ts';

export interface DoctorOptions {
  readonly daemonHome: string;
  /** The folder of the user, which is never a project. */
  readonly userHome?: string;
  /** Where the notebook keeps its records: like the daemon home it is left out of the project. */
  readonly memoryRoot?: string;
  /** The folder of the program's `package.json`, for its grammars and its tables. */
  readonly packageRoot?: string;
  /** As `process.versions.node`. */
  readonly nodeVersion?: string;
}

/** The same from the sources and from the build. */
const ownPackage = fileURLToPath(packageRoot);

/** In a fixed order, one finding for each check. The checks of a project are left out where it cannot be one. */
export async function diagnose(root: string, options: DoctorOptions): Promise<readonly Finding[]> {
  const { daemonHome, memoryRoot, userHome = os.homedir(), nodeVersion: version = process.versions.node } = options;
  const places = { daemonHome, userHome, ...(memoryRoot === undefined ? {} : { memoryRoot: () => memoryRoot }) };
  const own = ownFolders(places);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'mnemosyne-doctor-'));
  try {
    const real = realRoot(root);
    const patient = new LazyPatient({
      root: real ?? root,
      userHome,
      daemonHome,
      ownFolders: own,
      ownSetting: ownSettingOf(real ?? root, places),
      packageRoot: options.packageRoot ?? ownPackage,
      nodeVersion: version,
      scratch,
    });
    const ofProgram = [nodeVersion, grammars, staticTable, packagedTables, daemonHomeAccess, daemon];
    const isProject = real !== null && refusedFolder(real, userHome, own) === null;
    const ofProject = [
      repository,
      links,
      permissions,
      indexState,
      indexPages,
      indexLog,
      locks,
      indexableFiles,
      freshness,
      documents,
      decisions(() => path.join(scratch, 'decisions')),
      usageLog,
      watching,
    ];
    const findings: Finding[] = [];
    for (const check of [projectFolder, ...(isProject ? ofProject : []), ...ofProgram]) {
      findings.push(await findingOf(check, patient));
    }
    return findings;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function findingOf(check: Check, patient: Patient): Promise<Finding> {
  try {
    return { check: check.name, ...(await check.look(patient)) };
  } catch (error) {
    const code = errnoOf(error) ?? sqliteCodeOf(error);
    if (code === null) throw error;
    const again = `Look again as the owner of the files with \`mnemosyne doctor ${shellWord(patient.root)}\`.`;
    return { check: check.name, ...warning(`It could not be checked (${code}).`, again) };
  }
}

function realRoot(root: string): string | null {
  try {
    return realpathSync(root);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

class LazyPatient implements Patient {
  readonly root: string;
  readonly userHome: string;
  readonly daemonHome: string;
  readonly ownFolders: readonly string[];
  readonly ownSetting: OwnSetting | null;
  readonly packageRoot: string;
  readonly nodeVersion: string;
  readonly #scratch: string;
  #scan: Promise<ScanResult> | null = null;
  #documents: DocumentsRead | null = null;
  #index: Promise<IndexExamination> | null = null;

  constructor(facts: Omit<Patient, 'scan' | 'documents' | 'index'> & { readonly scratch: string }) {
    this.root = facts.root;
    this.userHome = facts.userHome;
    this.daemonHome = facts.daemonHome;
    this.ownFolders = facts.ownFolders;
    this.ownSetting = facts.ownSetting;
    this.packageRoot = facts.packageRoot;
    this.nodeVersion = facts.nodeVersion;
    this.#scratch = facts.scratch;
  }

  scan(): Promise<ScanResult> {
    this.#scan ??= scanProject(this.root, this.userHome, this.ownFolders);
    return this.#scan;
  }

  documents(): DocumentsRead {
    this.#documents ??= new DocumentsList(this.root, () => this.ownFolders).read();
    return this.#documents;
  }

  index(): Promise<IndexExamination> {
    this.#index ??= this.#examine();
    return this.#index;
  }

  async #examine(): Promise<IndexExamination> {
    const folder = path.join(this.#scratch, 'index');
    mkdirSync(folder);
    return examineIndex(indexPath(this.root), folder);
  }
}
