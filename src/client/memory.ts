/** A decision as the client gives it: names in camelCase, frozen, with the complete answer in `raw`. */
import { deepFreeze, listOf, number, type Open, type RawObject, text, textOrNull, texts } from './raw.ts';

export type MemoryStatus = 'ACTIVE' | 'STALE' | 'INVALIDATED';
export type MemoryType = 'ARCHITECTURE' | 'DEPENDENCY' | 'TEST' | 'REFACTOR' | 'BUGFIX' | 'CONFIG';

export interface Memory {
  readonly id: string;
  readonly title: string;
  readonly rationale: string;
  /** The status that holds now: past `reviewBy` an active decision reads STALE. */
  readonly status: Open<MemoryStatus>;
  readonly type: Open<MemoryType>;
  /** The files it governs, relative to the project. */
  readonly files: readonly string[];
  readonly tags: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  /** The commit it was recorded at, or "". */
  readonly commitSha: string;
  readonly author: string | null;
  readonly agent: string | null;
  readonly sessionId: string | null;
  readonly evidence: readonly string[];
  readonly rejectedAlternatives: readonly string[];
  /** Ids of the decisions it depends on. */
  readonly dependencyConstraints: readonly string[];
  /** ISO 8601 in UTC, like every time. */
  readonly createdAt: string;
  /** Also what `ifMatch` of an update takes. */
  readonly updatedAt: string;
  /** A day; the decision reads STALE from the day after. */
  readonly reviewBy: string | null;
  /** The decision that this one replaced. */
  readonly supersedes: string | null;
  /** The decision that replaced this one. */
  readonly supersededBy: string | null;
  readonly raw: RawObject;
}

/** A hint that a new decision may exist already. */
export interface PossibleDuplicate {
  readonly id: string;
  readonly title: string;
  readonly status: Open<MemoryStatus>;
  /** Higher is nearer; comparable within one answer. */
  readonly score: number;
}

export interface AddedMemory extends Memory {
  /** At most three. Nothing was merged or refused because of them. */
  readonly possibleDuplicates: readonly PossibleDuplicate[];
  /** This is the answer of an earlier request with the same idempotency key; nothing was added now. */
  readonly replayed: boolean;
}

/** The row of a list that is scanned: 50 to 100 tokens. */
export interface CompactMemory {
  readonly id: string;
  /** Cut at 120 characters. */
  readonly title: string;
  readonly status: Open<MemoryStatus>;
  readonly type: Open<MemoryType>;
  /** The first ten characters. */
  readonly commit: string;
  /** The day of the last change. */
  readonly updated: string;
  /** How many files it governs. */
  readonly files: number;
  readonly raw: RawObject;
}

export function readMemory(raw: RawObject): Memory {
  return deepFreeze(memoryFields(raw));
}

export function readAddedMemory(raw: RawObject, replayed: boolean): AddedMemory {
  const possibleDuplicates = listOf(raw, 'possible_duplicates', (hint) => ({
    id: text(hint, 'id'),
    title: text(hint, 'title'),
    status: text(hint, 'status'),
    score: number(hint, 'score'),
  }));
  return deepFreeze({ ...memoryFields(raw), possibleDuplicates, replayed });
}

export function readCompactMemory(raw: RawObject): CompactMemory {
  return deepFreeze({
    id: text(raw, 'id'),
    title: text(raw, 'title'),
    status: text(raw, 'status'),
    type: text(raw, 'type'),
    commit: text(raw, 'commit'),
    updated: text(raw, 'updated'),
    files: number(raw, 'files'),
    raw,
  });
}

function memoryFields(raw: RawObject): Memory {
  return {
    id: text(raw, 'id'),
    title: text(raw, 'title'),
    rationale: text(raw, 'rationale'),
    status: text(raw, 'status'),
    type: text(raw, 'decision_type'),
    files: texts(raw, 'files_affected'),
    tags: texts(raw, 'tags'),
    confidence: number(raw, 'confidence'),
    commitSha: text(raw, 'commit_sha'),
    author: textOrNull(raw, 'author'),
    agent: textOrNull(raw, 'agent'),
    sessionId: textOrNull(raw, 'session_id'),
    evidence: texts(raw, 'evidence'),
    rejectedAlternatives: texts(raw, 'rejected_alternatives'),
    dependencyConstraints: texts(raw, 'dependency_constraints'),
    createdAt: text(raw, 'created_at'),
    updatedAt: text(raw, 'updated_at'),
    reviewBy: textOrNull(raw, 'review_by'),
    supersedes: textOrNull(raw, 'supersedes'),
    supersededBy: textOrNull(raw, 'superseded_by'),
    raw,
  };
}
