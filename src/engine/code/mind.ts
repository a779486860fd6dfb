/** The code mind of one project over its index. See `code-mind.ts`. */
import path from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { codeMindLimits, contextLimits } from '../../base/limits.ts';
import { plain } from '../../base/plain.ts';
import { fail, invalidField, ok, type Result, unavailable } from '../../memory/decisions/outcome.ts';
import { detectIntent } from '../../retrieval/context/intent.ts';
import { writeIr } from '../../retrieval/context/ir-file.ts';
import { queryContext } from '../../retrieval/context/query-context.ts';
import { savings } from '../../retrieval/context/savings.ts';
import { intentEvent, TraceRecorder } from '../../retrieval/context/trace.ts';
import { appendUsage, readUsage, usageLogName } from '../../retrieval/context/usage-log.ts';
import { validateIr } from '../../retrieval/context/validate.ts';
import { wakeup } from '../../retrieval/context/wakeup.ts';
import { DocumentsList } from '../../retrieval/documents/documents-list.ts';
import { type Embedder, EmbedderFailure } from '../../retrieval/embeddings/embedder.ts';
import { impact } from '../../retrieval/graph/impact.ts';
import { parseRelations } from '../../retrieval/graph/relations.ts';
import { type Resolution, resolveOrGuess } from '../../retrieval/graph/resolve-name.ts';
import { structuralNeighbours } from '../../retrieval/graph/structural.ts';
import { indexPath, stateOf } from '../../retrieval/index/index-file.ts';
import { IndexReader, type IndexView } from '../../retrieval/index/index-reader.ts';
import { entitySearch, rank, searchEntities } from '../../retrieval/search/rank.ts';
import { relatedWordsFault } from '../../retrieval/search/related-words.ts';
import type {
  BuildAnswer,
  DocumentAnswer,
  Freshness,
  HealthAnswer,
  QueryAnswer,
  SearchAnswer,
  SkeletonAnswer,
  StatsAnswer,
  WakeupAnswer,
} from './answers.ts';
import type {
  BuildProgressReport,
  CodeMind,
  DocumentsAnswer,
  QueryRequest,
  SavingsRequest,
  StructuralRequest,
  WatchAnswer,
} from './code-mind.ts';
import { contextHit, distinctHits, wireHit } from './hits.ts';
import type { BuilderOptions, IndexBuilder } from './index-builder.ts';
import { indexDocument } from './index-document.ts';
import { closed, IndexQuestions } from './index-questions.ts';
import { statsOf } from './index-stats.ts';
import { indexedOutline } from './indexed-outline.ts';
import { listDocument } from './list-document.ts';
import { documentFacts, type IndexedDocument, indexedDocuments, unlistDocument } from './listed-documents.ts';
import { contextFreshness, type FoundFreshness, isFresh, MindFreshness, wireFreshness } from './mind-freshness.ts';
import { healthOf } from './mind-health.ts';
import { nearNames } from './near-names.ts';
import { outlineNote, outlineText } from './outline-text.ts';
import { described, type ProjectPortrait, portraitOf } from './project-portrait.ts';
import { refusalWords } from './refusal-words.ts';
import { orTrouble } from './trouble.ts';
import type { Watching } from './watcher.ts';

export interface MindOptions extends BuilderOptions {
  readonly projectId: string;
  readonly embedder: Embedder;
  /** Told about what went wrong beside an answer that was given all the same; never content. */
  readonly onTrouble: (what: string, fault: string) => void;
}

export class Mind implements CodeMind {
  readonly #options: MindOptions;
  readonly #reader: IndexReader;
  /** Loaded when something is built: questions need none of it. */
  #builder: Promise<IndexBuilder> | null = null;
  #builds = 0;
  readonly #freshness: MindFreshness;
  readonly #questions: IndexQuestions;
  #portrait: ProjectPortrait | null = null;
  #watching: Watching | null = null;
  #dueAgain = false;
  readonly #ending = new AbortController();

  constructor(options: MindOptions) {
    this.#options = options;
    this.#reader = new IndexReader(indexPath(options.root));
    this.#freshness = new MindFreshness(options, this.#reader);
    this.#questions = new IndexQuestions({
      reader: this.#reader,
      freshness: this.#freshness,
      build: () => this.#update(),
      ending: this.#ending.signal,
    });
  }

  build(
    request: { readonly force: boolean },
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: BuildProgressReport) => void } = {},
  ): Promise<Result<BuildAnswer>> {
    return this.#build({ ...request, retry: true }, options);
  }

  /** What nobody asked for reads only what changed. */
  #update(): Promise<Result<BuildAnswer>> {
    return this.#build({ force: false, retry: false });
  }

  #build(
    request: { readonly force: boolean; readonly retry: boolean },
    options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: BuildProgressReport) => void } = {},
  ): Promise<Result<BuildAnswer>> {
    if (this.#ending.signal.aborted) return Promise.resolve(closed);
    const { signal: given, onProgress } = options;
    const signal = given === undefined ? this.#ending.signal : AbortSignal.any([given, this.#ending.signal]);
    this.#builder ??= import('./index-builder.ts').then(({ IndexBuilder }) => new IndexBuilder(this.#options));
    this.#builds += 1;
    const built = this.#builder.then((builder) =>
      builder.build({
        ...request,
        distrusted: this.#questions.distrusted,
        signal,
        ...(onProgress === undefined ? {} : { onProgress }),
      }),
    );
    return built.finally(() => {
      this.#builds -= 1;
      this.#freshness.forget();
    });
  }

  async query(request: QueryRequest): Promise<Result<QueryAnswer>> {
    const { question, query_type: type } = request;
    const vector = await this.#vectorOf(question);
    this.#tellOfRelatives();
    const found = await this.#questions.ask((view) => {
      const ranked = rank(view.search, question, vector, { queryType: type, count: codeMindLimits.candidatesMax });
      // Only where a budget is asked for may there be room for more of a group than its name and size.
      const portrait = this.#portraitOf(view, { groups: request.context_budget !== null });
      return {
        portrait,
        ranked,
        pool: ranked.map((hit, at) => contextHit(view, hit, at < contextLimits.hitsMax ? this.#options.root : null)),
      };
    });
    if (!found.ok) return found;
    const { portrait, ranked, pool } = found.value;
    const aged = await this.#questions.age([...new Set(ranked.map((hit) => hit.path))]);
    if (!aged.ok) return aged;
    const freshness = aged.value;
    const recorder = request.trace || request.trace_verbose ? new TraceRecorder(question, request.trace_verbose) : null;
    recorder?.add(intentEvent(type, detectIntent(question)));
    const composed = orTrouble(() =>
      queryContext({
        identity: portrait.identity,
        groups: portrait.groups,
        freshness: contextFreshness(freshness),
        hits: pool,
        pool,
        budget: request.context_budget,
        indexedTokens: portrait.tokens,
        recorder,
      }),
    );
    if (!composed.ok) return composed;
    const answer = composed.value;
    if (request.learn) this.#note('query', answer.tokens.total, portrait.tokens);
    return ok({
      project_id: this.#options.projectId,
      question,
      context: answer.context,
      tokens: answer.tokens,
      budget: request.context_budget ?? contextLimits.answerTokensDefault,
      layers_used: answer.layersUsed,
      reduction_ratio: answer.reductionRatio,
      search_hits: answer.searchHits,
      top_search_hits: ranked.slice(0, contextLimits.hitsMax).map(wireHit),
      cut: answer.cut,
      freshness: onlyStale(freshness),
      trace: recorder === null ? null : plain(recorder.trace()),
    });
  }

  async search({ query, n }: { readonly query: string; readonly n: number }): Promise<Result<SearchAnswer>> {
    const vector = await this.#vectorOf(query);
    this.#tellOfRelatives();
    const found = await this.#questions.ask((view) => distinctHits(entitySearch(view.search, query, vector), n));
    if (!found.ok) return found;
    const aged = await this.#questions.age([...new Set(found.value.map((hit) => hit.path))]);
    if (!aged.ok) return aged;
    return ok({
      project_id: this.#options.projectId,
      query,
      results: found.value.map(wireHit),
      freshness: onlyStale(aged.value),
    });
  }

  async wakeup({ learn }: { readonly learn: boolean }): Promise<Result<WakeupAnswer>> {
    const found = await this.#questions.ask((view) => this.#portraitOf(view, { groups: true }));
    if (!found.ok) return found;
    const { identity, groups, tokens } = found.value;
    const aged = await this.#questions.age();
    if (!aged.ok) return aged;
    const freshness = aged.value;
    const composed = orTrouble(() =>
      wakeup({ identity, groups, freshness: contextFreshness(freshness), indexedTokens: tokens }),
    );
    if (!composed.ok) return composed;
    const answer = composed.value;
    if (learn) this.#note('wakeup', answer.tokens, tokens);
    return ok({
      project_id: this.#options.projectId,
      context: answer.context,
      tokens: answer.tokens,
      reduction_ratio: answer.reductionRatio,
      layers_used: answer.layersUsed,
      freshness: onlyStale(freshness),
    });
  }

  async stats(): Promise<Result<StatsAnswer>> {
    const { projectId: project_id, name: project, root } = this.#options;
    const found = this.#questions.askNow((view) => statsOf(view, root));
    if (found.kind === 'no-index') return ok({ project_id, project, built: false });
    if (found.kind === 'failed') return fail(found.failure);
    const aged = await this.#questions.age();
    if (!aged.ok) return aged;
    // Removed between the two looks.
    if (aged.value === null) return ok({ project_id, project, built: false });
    return ok({ project_id, project, ...found.value, freshness: wireFreshness(aged.value) });
  }

  async savings({ cost, model, queries_per_day: queriesPerDay }: SavingsRequest): Promise<Result<JsonObject>> {
    const log = readUsage(this.#folder);
    if (log.kind === 'unreadable') return unavailable('unreadable', `the usage log cannot be read (${log.fault})`);
    const { name: project, projectId: project_id } = this.#options;
    const shown = savings({
      project,
      log: `.neuralmind/${usageLogName}`,
      events: log.events,
      cost,
      model,
      queriesPerDay,
    });
    return ok({ project_id, ...plain(shown) });
  }

  async validate({ write }: { readonly write: boolean }): Promise<Result<JsonObject>> {
    const { projectId: project_id } = this.#options;
    const found = await this.#questions.ask((view) => {
      const document = indexDocument(view, this.#portraitOf(view, { groups: false }));
      const summary = validateIr(document);
      return { summary, written: write ? writeIr(this.#folder, document, summary) : null };
    });
    if (!found.ok) return found;
    const { summary, written } = found.value;
    if (written?.kind === 'too_large')
      return unavailable('full', 'the index is too large to be written as one document');
    const written_to = written === null ? null : { ir: written.path, meta: written.metaPath };
    return ok({ project_id, ...plain(summary), written_to });
  }

  async health(): Promise<Result<HealthAnswer>> {
    const { projectId: project_id, name: project } = this.#options;
    const facts = { project_id, project, watching: this.#watching !== null, building: this.#builds > 0 };
    return ok({ ...facts, ...(await healthOf(this.#reader.file, () => this.#questions.age())) });
  }

  async skeleton(request: { readonly file_path: string; readonly offset: number }): Promise<Result<SkeletonAnswer>> {
    const { file_path: given, offset } = request;
    const found = await this.#questions.ask((view) => indexedOutline(view, this.#options.root, given, offset));
    if (!found.ok) return found;
    if (found.value.kind === 'absent') return invalidField(['file_path'], found.value.words, 'not_indexed');
    const { outline } = found.value;
    const aged = await this.#questions.age([outline.path]);
    if (!aged.ok) return aged;
    return ok({
      project_id: this.#options.projectId,
      source_file: outline.path,
      language: outline.language,
      lines: outline.lines,
      outline: outlineText(outline),
      symbols: outline.count,
      note: outlineNote(outline),
      truncated: outline.truncated,
      next_offset: outline.next_offset,
      freshness: onlyStale(aged.value),
    });
  }

  async structuralNeighbours(request: StructuralRequest): Promise<Result<JsonObject>> {
    const relations = parseRelations(request.relations);
    if (!relations.ok) return invalidField(['relations'], relations.message, 'unknown_relation');
    const found = await this.#questions.ask((view) =>
      structuralNeighbours(view.graph, {
        text: request.q,
        views: relations.views,
        blastRadius: request.blast_radius ? request.depth : null,
        resolution: meaningOf(view, request.q),
      }),
    );
    if (!found.ok) return found;
    return this.#withAge(found.value);
  }

  async impact({ symbol, depth }: { readonly symbol: string; readonly depth: number }): Promise<Result<JsonObject>> {
    const found = await this.#questions.ask((view) => impact(view.graph, symbol, depth, meaningOf(view, symbol)));
    if (!found.ok) return found;
    return this.#withAge(found.value);
  }

  async addDocument(request: {
    readonly path: string;
    readonly content_type: 'auto' | 'markdown' | 'text' | 'pdf';
  }): Promise<Result<DocumentAnswer>> {
    const listed = await listDocument(request, this.#options);
    if (!listed.ok) return listed;
    const { path: file_path, kind: content_type, isNew } = listed.value;
    this.#watching?.refresh();
    const built = await this.#update();
    if (!built.ok) return built;
    const found = await this.#questions.ask(({ db }) =>
      db
        .prepare<[string], number>('SELECT COUNT(*) FROM node JOIN file ON file.id = node.file WHERE file.path = ?')
        .pluck()
        .get(file_path),
    );
    if (!found.ok) return found;
    return ok({
      success: true,
      project_id: this.#options.projectId,
      file_path,
      content_type,
      node_count: found.value ?? 0,
      already_indexed: !isNew && built.value.files_read === 0,
    });
  }

  async documents(): Promise<Result<DocumentsAnswer>> {
    const { root, ownFolders } = this.#options;
    const read = new DocumentsList(root, ownFolders).read();
    if (!read.ok) return unavailable('unreadable', read.message);
    const found = this.#questions.askNow(({ db }) => indexedDocuments(db, read.documents));
    if (found.kind === 'failed') return fail(found.failure);
    const indexed = found.kind === 'answered' ? found.value : new Map<string, IndexedDocument>();
    return ok({ items: await documentFacts(root, read.documents, indexed), next_cursor: null });
  }

  async removeDocument({ path: given }: { readonly path: string }): Promise<Result<{ readonly removed: string }>> {
    const unlisted = await unlistDocument(this.#options.root, given);
    if (!unlisted.ok) return unlisted;
    this.#watching?.refresh();
    if (stateOf(this.#reader.file).kind !== 'missing') {
      const built = await this.#update();
      if (!built.ok) return built;
    }
    return ok({ removed: unlisted.value });
  }

  async watch(isOn: boolean): Promise<Result<WatchAnswer>> {
    if (!isOn) {
      const watching = this.#watching;
      this.#watching = null;
      await watching?.close();
      return ok({ watching: false, method: 'off' });
    }
    if (this.#watching === null) {
      const { root, userHome, ownFolders } = this.#options;
      const { watchProject } = await import('./watcher.ts');
      const begun = await watchProject(root, () => this.#rebuild(), { userHome, ownFolders });
      if (begun.kind === 'refused') return unavailable('unreadable', refusalWords[begun.reason]);
      this.#watching = begun.watching;
      // What changed before events came is not told.
      this.#rebuild();
    }
    return ok({ watching: true, method: this.#watching.method });
  }

  /** One build at a time; changes that come meanwhile lead to one more. */
  #rebuild(): void {
    this.#freshness.forget();
    if (this.#builds > 0) {
      if (this.#dueAgain) return;
      this.#dueAgain = true;
      void this.#finished().then(() => {
        this.#dueAgain = false;
        this.#rebuild();
      });
      return;
    }
    void this.#update().then(
      (built) => {
        if (!built.ok) this.#options.onTrouble('watch', built.failure.code);
      },
      (error: unknown) =>
        this.#options.onTrouble('watch', error instanceof Error ? error.constructor.name : typeof error),
    );
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.watch(false);
    await this.#finished();
    this.#reader.close();
  }

  /** Resolves when nothing is being built. */
  async #finished(): Promise<void> {
    await (await this.#builder)?.finished();
  }

  get #folder(): string {
    return path.join(this.#options.root, '.neuralmind');
  }

  #portraitOf(view: IndexView, wanted: { readonly groups: boolean }): ProjectPortrait {
    const known = this.#portrait?.generation === view.search.generation ? this.#portrait : null;
    const portrait = known ?? portraitOf(view, this.#options.root, this.#options.name);
    this.#portrait = wanted.groups ? described(portrait, view) : portrait;
    return this.#portrait;
  }

  /** Null when the table of vectors cannot be used: words and the graph still answer. */
  async #vectorOf(text: string): Promise<Float32Array | null> {
    try {
      const [vector] = await this.#options.embedder.embed([text]);
      return vector ?? null;
    } catch (error) {
      if (!(error instanceof EmbedderFailure)) throw error;
      this.#options.onTrouble('embedder', error.reason ?? 'failed');
      return null;
    }
  }

  /** Without the list of related words the others still answer. */
  #tellOfRelatives(): void {
    const fault = relatedWordsFault();
    if (fault !== null) this.#options.onTrouble('related words', fault);
  }

  #note(kind: 'query' | 'wakeup', tokens: number, baseline: number): void {
    const at = this.#options.clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    const written = appendUsage(this.#folder, { at, kind, tokens, baseline });
    if (written.kind === 'failed') this.#options.onTrouble('usage log', written.fault);
  }

  async #withAge(answer: object): Promise<Result<JsonObject>> {
    const aged = await this.#questions.age();
    if (!aged.ok) return aged;
    const freshness = onlyStale(aged.value);
    const project_id = this.#options.projectId;
    return ok({ project_id, ...plain(answer), freshness: freshness === null ? null : plain(freshness) });
  }
}

function onlyStale(found: FoundFreshness | null): Freshness | null {
  return found === null || isFresh(found) ? null : wireFreshness(found);
}

/** What a name means; where nothing has it, what a search finds for it, told as a guess, or the names that are near. */
function meaningOf(view: IndexView, text: string): Resolution {
  const meaning = resolveOrGuess(view.graph, text, () =>
    searchEntities(view.search, text, null, codeMindLimits.guessesMax).flatMap((hit) => hit.symbol?.id ?? []),
  );
  return meaning.kind === 'none' ? { kind: 'none', near: nearNames(view.db, text) } : meaning;
}
