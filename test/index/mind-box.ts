/** A project in a temporary folder, asked the way the program asks: through its code mind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { JsonValue } from '../../src/base/json.ts';
import type {
  BuildAnswer,
  Freshness,
  Hit,
  QueryAnswer,
  SearchAnswer,
  StatsAnswer,
} from '../../src/engine/code/answers.ts';
import type { CodeMind } from '../../src/engine/code/code-mind.ts';
import type { CodeMinds } from '../../src/engine/code/code-minds.ts';
import { IndexBox, newPool, type Pool } from './index-box.ts';
import { answerOf, openMinds, projectAt, queryOf } from './open-minds.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;
export type BuiltStats = Extract<StatsAnswer, { readonly built: true }>;

export class MindBox extends IndexBox {
  readonly mind: CodeMind;

  constructor(minds: CodeMinds, pool: Pool, files: Files) {
    super(pool, files);
    this.mind = minds.of(projectAt(this.root));
  }

  async index(force = false): Promise<BuildAnswer> {
    return answerOf(await this.mind.build({ force }));
  }

  async stats(): Promise<BuiltStats> {
    const stats = answerOf(await this.mind.stats());
    if (!stats.built) throw new Error('There is no index.');
    return stats;
  }

  /** What the index says of its files once it has looked at them again, which it does not do at every moment. */
  async staleness(): Promise<Freshness> {
    for (let tries = 0; tries < 200; tries += 1) {
      const { freshness } = await this.stats();
      if (freshness.state === 'stale') return freshness;
      await sleep(50);
    }
    throw new Error('The index says that it is fresh.');
  }

  /** Resolves when nothing is being built. */
  async settled(): Promise<void> {
    do await sleep(100);
    while (answerOf(await this.mind.health()).building);
  }

  async query(question: string, budget: number | null = null): Promise<QueryAnswer> {
    return answerOf(await this.mind.query(queryOf(question, budget)));
  }

  async search(query: string, n = 10): Promise<SearchAnswer> {
    return answerOf(await this.mind.search({ query, n }));
  }

  /** Id and first line of each hit. */
  async found(query: string): Promise<readonly string[]> {
    return (await this.search(query)).results.map((hit: Hit) => `${hit.id}:${hit.start_line}`);
  }

  /** `relation id` of the neighbours, as they come. */
  async neighbours(q: string, ...relations: readonly string[]): Promise<readonly string[]> {
    const answer = answerOf(await this.mind.structuralNeighbours({ q, relations, blast_radius: false, depth: 1 }));
    return listOf(answer['relations']).flatMap((view) =>
      listOf(view['neighbours']).map((one) => `${view['relation']} ${one['id']}`),
    );
  }

  /** Whether anything has exactly this name. */
  async resolution(q: string): Promise<string> {
    const answer = answerOf(await this.mind.structuralNeighbours({ q, relations: [], blast_radius: false, depth: 1 }));
    return String(answer['resolution']);
  }

  /** `relation id` of the dependents, inferred ones with a `?`. */
  async dependents(symbol: string, depth = 3): Promise<readonly string[]> {
    const answer = answerOf(await this.mind.impact({ symbol, depth }));
    return listOf(answer['dependents']).map(
      (one) => `${one['relation']} ${one['id']}${one['inferred'] === true ? ' ?' : ''}`,
    );
  }

  /** `path reason` of what was left out. */
  async skipped(): Promise<readonly string[]> {
    return (await this.stats()).skipped_files.map((one) => `${one.path} ${one.reason}`);
  }
}

type Row = Readonly<Record<string, JsonValue>>;

export function listOf(value: JsonValue | undefined): readonly Row[] {
  if (!Array.isArray(value)) throw new Error('That is no list.');
  return value.flatMap((one) => (one !== null && typeof one === 'object' && !Array.isArray(one) ? [one] : []));
}

/** Boxes of one test file: their threads are shared, their folders go after each test. */
export function mindBoxes(): { readonly minds: () => CodeMinds; readonly boxOf: (files: Files) => MindBox } {
  let minds: CodeMinds | null = null;
  let pool: Pool | null = null;
  const boxes: MindBox[] = [];
  const ready = <Value>(value: Value | null): Value => {
    if (value === null) throw new Error('A box is made within a test.');
    return value;
  };
  beforeAll(() => {
    minds = openMinds();
    pool = newPool();
  });
  afterEach(() => {
    for (const box of boxes.splice(0)) box.dispose();
  });
  afterAll(async () => {
    await minds?.close();
    await pool?.close();
  });
  return {
    minds: () => ready(minds),
    boxOf(files) {
      const box = new MindBox(ready(minds), ready(pool), files);
      boxes.push(box);
      return box;
    },
  };
}
