/**
 * Questions to the index of one project. Other processes may build or remove it at any time: where there is none it is
 * built first, and after trouble with the file the next question looks at it anew.
 */
import { damageLimits } from '../../base/limits.ts';
import { type Failure, fail, ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import { identityOf, openForReading, stateOf } from '../../retrieval/index/index-file.ts';
import type { IndexReader, IndexView } from '../../retrieval/index/index-reader.ts';
import { checkContent } from './checks/index-content.ts';
import type { FoundFreshness, MindFreshness } from './mind-freshness.ts';
import { damagedIndex, indexTrouble, unusableIndex } from './trouble.ts';

export interface QuestionsOptions {
  readonly reader: IndexReader;
  readonly freshness: MindFreshness;
  /** Builds what is missing. */
  readonly build: () => Promise<Result<unknown>>;
  /** Nothing is asked after it. */
  readonly ending: AbortSignal;
}

/** How often one question builds an index that somebody removes meanwhile. */
const firstBuildsMax = 5;

/** What one try gave. */
export type Now<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  | { readonly kind: 'no-index' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The answer to who asks while the process is ending. */
export const closed = {
  ok: false,
  failure: { code: 'unavailable', message: 'the process is ending', reason: 'closed' },
} as const;

export class IndexQuestions {
  readonly #reader: IndexReader;
  readonly #freshness: MindFreshness;
  readonly #build: () => Promise<Result<unknown>>;
  readonly #ending: AbortSignal;
  #firstBuild: Promise<Result<unknown>> | null = null;
  #distrusted: string | null = null;

  constructor({ reader, freshness, build, ending }: QuestionsOptions) {
    this.#reader = reader;
    this.#freshness = freshness;
    this.#build = build;
    this.#ending = ending;
  }

  /** `identityOf` the index that a question found damaged, or null: a build begins anew in place of that one. */
  get distrusted(): string | null {
    return this.#distrusted;
  }

  /** Asks the index; where there is none, builds it first. */
  async ask<Value>(question: (view: IndexView) => Value): Promise<Result<Value>> {
    for (let builds = 0; ; builds += 1) {
      const asked = this.askNow(question);
      if (asked.kind === 'answered') return ok(asked.value);
      if (asked.kind === 'failed') return fail(asked.failure);
      if (builds === firstBuildsMax) return unavailable('unreadable', 'the index is removed as often as it is built');
      this.#firstBuild ??= this.#build().finally(() => {
        this.#firstBuild = null;
      });
      const built = await this.#firstBuild;
      if (!built.ok) return built;
    }
  }

  /** Asks once. `isAgain`: the reader was closed for trouble just before. */
  askNow<Value>(question: (view: IndexView) => Value, isAgain = false): Now<Value> {
    if (this.#ending.aborted) return { kind: 'failed', failure: closed.failure };
    try {
      const asked = this.#reader.ask(question);
      if (asked.kind === 'answered') return asked;
      if (asked.kind === 'missing' || asked.kind === 'other-version') return { kind: 'no-index' };
      const failure = unusableIndex(asked, this.#reader.file);
      if (failure === null) throw new Error('An index is either answered or told why not.');
      return { kind: 'failed', failure };
    } catch (error) {
      const failure = this.#troubleOf(error);
      // The next question looks at the file anew.
      this.#reader.close();
      // Removed, or removed and made anew, while it was being opened.
      if (stateOf(this.#reader.file).kind === 'missing') return { kind: 'no-index' };
      return isAgain ? { kind: 'failed', failure } : this.askNow(question, true);
    }
  }

  /** How well the index fits the files, looking anew when one of `paths` changed; null where there is no index. */
  async age(paths?: readonly string[], isAgain = false): Promise<Result<FoundFreshness | null>> {
    try {
      return ok(await (paths === undefined ? this.#freshness.find() : this.#freshness.findFor(paths)));
    } catch (error) {
      const failure = this.#troubleOf(error);
      // The next question looks at the file anew.
      this.#reader.close();
      return isAgain ? fail(failure) : this.age(paths, true);
    }
  }

  /** Throws a fault of ours. */
  #troubleOf(error: unknown): Failure {
    const { file } = this.#reader;
    const failure = indexTrouble(error) ?? damageIn(file);
    if (failure === null) throw error;
    if (failure.code === 'unavailable' && failure.reason === 'damaged') this.#distrusted = identityOf(file);
    return failure;
  }
}

/**
 * What is wrong with an index that a question came to grief over in an unforeseen way, or null: rows that contradict
 * each other can lead anywhere.
 */
function damageIn(file: string): Failure | null {
  const state = stateOf(file);
  if (state.kind !== 'usable') return unusableIndex(state, file);
  const db = openForReading(file);
  try {
    const { fault } = checkContent(db, damageLimits.lookMsMax);
    return fault === null ? null : damagedIndex(fault);
  } catch (error) {
    return indexTrouble(error);
  } finally {
    db.close();
  }
}
