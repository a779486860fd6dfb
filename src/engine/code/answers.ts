/** What questions to the code mind answer, as they travel. */
import type { JsonObject } from '../../base/json.ts';

export interface Freshness {
  readonly state: 'fresh' | 'stale';
  /** Files whose content differs from what was indexed, that are new, and that are gone. */
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
  /** Some of them, by path. */
  readonly files: readonly string[];
  /** ISO-8601, UTC. */
  readonly indexed_at: string;
}

/** Why a hit is there. Absent parts had no share in it. */
export interface HitReasons {
  /** The words of the question that it holds; `word → meaning` for what was found by a meaning. */
  readonly lexical?: readonly string[];
  /** Cosine of question and hit, 0 to 1. */
  readonly vector?: number;
  /** Paths of better hits that it hangs together with. */
  readonly graph?: readonly string[];
}

export interface Hit {
  /** Of a file or a symbol. */
  readonly id: string;
  readonly label: string;
  readonly file_type: 'code' | 'document';
  readonly source_file: string;
  /** 0 to 1, comparable within one answer, 3 decimals. */
  readonly score: number;
  readonly kind: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly summary: string;
  readonly why: HitReasons;
}

export interface QueryAnswer {
  readonly project_id: string;
  readonly question: string;
  readonly context: string;
  readonly tokens: {
    readonly total: number;
    readonly l0: number;
    readonly l1: number;
    readonly l2: number;
    readonly l3: number;
  };
  readonly budget: number;
  readonly layers_used: readonly string[];
  readonly reduction_ratio: number;
  /** How many hits the context shows. */
  readonly search_hits: number;
  readonly top_search_hits: readonly Hit[];
  /** Lines that the budget left out, by layer. */
  readonly cut: { readonly l0: number; readonly l1: number; readonly l2: number; readonly l3: number };
  /** Null when the index is fresh. */
  readonly freshness: Freshness | null;
  readonly trace: JsonObject | null;
}

export interface SearchAnswer {
  readonly project_id: string;
  readonly query: string;
  readonly results: readonly Hit[];
  readonly freshness: Freshness | null;
}

export interface WakeupAnswer {
  readonly project_id: string;
  readonly context: string;
  readonly tokens: number;
  readonly reduction_ratio: number;
  readonly layers_used: readonly string[];
  readonly freshness: Freshness | null;
}

export type StatsAnswer =
  | { readonly project_id: string; readonly project: string; readonly built: false }
  | {
      readonly project_id: string;
      readonly project: string;
      readonly built: true;
      readonly nodes: number;
      readonly edges: number;
      readonly communities: number;
      readonly files: number;
      readonly symbols: number;
      readonly lines: number;
      readonly tokens: number;
      readonly languages: Readonly<Record<string, number>>;
      /** Files that are searched by their text and have no symbols, by reason. */
      readonly text_only: Readonly<Record<string, number>>;
      readonly skipped: Readonly<Record<string, number>>;
      /** The first of them with their reasons, paths in order. */
      readonly skipped_files: readonly { readonly path: string; readonly reason: string }[];
      readonly unresolved: number;
      readonly embedder: string;
      readonly db_path: string;
      readonly db_bytes: number;
      readonly build_stats: {
        readonly built_at: string;
        readonly duration_seconds: number;
        readonly commit: string;
        readonly generation: number;
      };
      readonly freshness: Freshness;
    };

export interface BuildAnswer {
  readonly success: true;
  readonly project: string;
  readonly backend: 'sqlite';
  readonly nodes_total: number;
  readonly communities: number;
  readonly nodes_added: number;
  /** Files that were read again. */
  readonly nodes_updated: number;
  /** Files that were as before. */
  readonly nodes_skipped: number;
  readonly nodes_removed: number;
  readonly files: number;
  readonly files_read: number;
  readonly files_reused: number;
  readonly files_removed: number;
  readonly files_skipped: number;
  readonly changed: boolean;
  readonly db_path: string;
  readonly duration_seconds: number;
  readonly built_at: string;
}

export interface HealthAnswer {
  readonly project_id: string;
  readonly project: string;
  /** `ok`: built and fresh. `stale`: out of step with the files. `missing`: not built. `unusable`: see the message. */
  readonly state: 'ok' | 'stale' | 'missing' | 'unusable';
  readonly message: string;
  readonly freshness: Freshness | null;
  readonly watching: boolean;
  readonly building: boolean;
}

export interface SkeletonAnswer {
  readonly project_id: string;
  readonly source_file: string;
  readonly language: string;
  readonly lines: number;
  /** One line a symbol, indented by nesting: lines, kind, signature. */
  readonly outline: string;
  readonly symbols: number;
  /** Why there are no symbols; null when there are. */
  readonly note: string | null;
  readonly truncated: boolean;
  /** Ask again with this offset for the rest; null at the end. */
  readonly next_offset: number | null;
  readonly freshness: Freshness | null;
}

export interface DocumentAnswer {
  readonly success: true;
  readonly project_id: string;
  readonly file_path: string;
  readonly content_type: 'markdown' | 'text' | 'pdf';
  readonly node_count: number;
  readonly already_indexed: boolean;
}
