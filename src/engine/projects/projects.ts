/**
 * The registered projects: opaque id to folder, kept in `projects.json` of the daemon home.
 *
 * The file is read again on every call and rewritten under a lock, because a command line may register a project while
 * the daemon runs. A file that cannot be understood is never rewritten: the calls fail and say so.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isReservedPath } from './reserved-path.ts';
import { type ProjectId, projectIdOf } from './project-id.ts';
import { findProjectRoot } from './project-root.ts';
import type { ProjectFile } from './project-file.ts';

export interface Project {
  readonly id: ProjectId;
  /** The name of its folder. */
  readonly name: string;
  /** Absolute, links resolved. */
  readonly path: string;
}

export type ProjectProblem =
  | { readonly kind: 'unknown'; readonly id: string }
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'not-a-folder'; readonly path: string }
  | { readonly kind: 'reserved'; readonly path: string }
  /** `projects.json` cannot be used; fixed words without a path. */
  | { readonly kind: 'unusable'; readonly message: string };

export type ProjectResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: ProjectProblem };

export interface Projects {
  /** Registers the project that contains `folder`; `created` is false when it was known. Relative paths are refused. */
  register(folder: string): Promise<ProjectResult<{ readonly project: Project; readonly created: boolean }>>;
  /** In the order of registration. Projects whose folder is gone are listed too. */
  list(): Promise<ProjectResult<readonly Project[]>>;
  /** Fails with `missing` when the folder has been moved or deleted. */
  get(id: string): Promise<ProjectResult<Project>>;
}
