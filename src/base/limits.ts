/** Every limit has a name, and this file is the list. Units are in the names; "chars" are Unicode code points. */

/** Notebook records and requests (contract of the notebook tools). */
export const notebookLimits = {
  identifierCharsMax: 64,
  legacyIdCharsMax: 100,
  labelCharsMax: 100,
  languageCharsMax: 35,
  titleCharsMax: 200,
  contentCharsMax: 4000,
  tagsMax: 10,
  tagCharsMax: 50,
  queryCharsMax: 1000,
  recallResultsMax: 5,
  pageSizeDefault: 50,
  pageSizeMax: 100,
  cursorCharsMax: 4096,
  /** Candidate files in one scanned container; one more aborts the call. */
  candidatesMax: 1000,
  /** Directories below a scope that are walked. */
  depthMax: 4,
  recordBytesMax: 65_536,
  /** Deeper nesting or a longer integer makes a file unreadable JSON rather than a wrong record. */
  recordJsonDepthMax: 512,
  recordIntegerDigitsMax: 4300,
} as const;

/** What the notebook keeps of its files, on the disk and in memory. */
export const notebookFileLimits = {
  cachedRecordsMax: 8192,
  cachedBytesMax: 64 * 1024 * 1024,
  /** A file that changed this shortly before it was read is read again next time: kernel clocks are coarse. */
  clockMs: 30,
  /** The same where a file system keeps whole seconds or pairs of them. */
  coarseClockMs: 2_500,
  /** Files read without letting other work of the process run. */
  readsPerTurn: 64,
  /** A temporary file this old belongs to a writer that was killed. */
  leftoverAgeMs: 60 * 60_000,
  /** How often a directory that is written to is searched for such files. */
  leftoverSearchMs: 10 * 60_000,
  /** Directories about which the above is remembered. */
  knownDirectoriesMax: 4096,
} as const;

/** The lock that keeps a second process off a notebook root. */
export const rootLockLimits = {
  /** How long a writer waits for another process before it gives up. */
  waitMsMax: 10_000,
  /** A lock whose owner cannot be checked (another host) counts as abandoned after this. */
  unknownOwnerMsMax: 30_000,
  /** While calls of one process queue up, the lock is kept between them for about this long. */
  holdMsMax: 50,
  /** Then it stays free for this long if another process waits. */
  yieldMs: 20,
  /** Longest sleep of a waiting writer between two looks. */
  pollMsMax: 12,
  ownerBytesMax: 4096,
  /** A lock file that could not be removed is tried again, this often and this many times. */
  releaseRetryMs: 1_000,
  releaseTriesMax: 60,
  /** A breaker can die as well, and so can the one that clears up after it. */
  breakDepthMax: 8,
} as const;

export const settingsLimits = {
  fileBytesMax: 16_384,
  /** What an operator may make the largest body of `/v1`. */
  apiBodyBytesLeast: 1_024,
  apiBodyBytesMost: 64 * 1024 * 1024,
} as const;

export const httpLimits = {
  mcpBodyBytesMax: 4 * 1024 * 1024,
  apiBodyBytesMax: 1024 * 1024,
  /** An export that is brought back. The command line reads larger ones itself. */
  importBodyBytesMax: 64 * 1024 * 1024,
  jsonDepthMax: 64,
  /** Values in one message. Each costs the parser as much as many characters, so the size alone bounds nothing. */
  jsonValuesMax: 250_000,
  /** One input in a path, encoded. Far beyond any id, and within the 16 KiB that Node takes as headers. */
  pathInputCharsMax: 8_192,
  connectionsMax: 64,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 5_000,
  /** Open event streams of one caller. */
  streamsPerCallerMax: 16,
  streamCommentIntervalMs: 15_000,
  shutdownGraceMs: 5_000,
} as const;

export const mcpLimits = {
  sessionsMax: 64,
  sessionIdleMs: 30 * 60_000,
  /** A longer string argument is never decoded as JSON. */
  stringifiedCharsMax: 65_536,
  /** Containers inside one another in a decoded string argument; no tool takes more than two. */
  stringifiedDepthMax: 64,
  /** Larger `maxLength` values are left out of portable schemas: grammar converters unroll them. */
  portableLengthMax: 500,
  /** All tools of one profile as JSON, so that other servers fit beside us in a client. */
  toolListBytesMax: 40_000,
  toolDescriptionCharsMax: 1_000,
  instructionsCharsMax: 1_500,
  /** One line on stdio. */
  stdioLineBytesMax: 4 * 1024 * 1024,
  /** How long calls in flight may still run after the input of a stdio connection has ended. */
  stdioDrainMs: 10_000,
  /** An unknown method or tool is named in the answer up to here. */
  echoedNameCharsMax: 200,
  /** How long a client may reuse `tools/list` and `server/discover` (2026-07-28). */
  toolListTtlMs: 60_000,
  discoverTtlMs: 300_000,
} as const;

/** What is sent to a model that makes vectors. */
export const embedderLimits = {
  batchTexts: 32,
  /** Far more than the 256 word pieces the model reads. */
  textCharsMax: 8_192,
  /** The model is freed when nobody asked for this long. */
  idleMs: 5 * 60_000,
  /** A longer word is a key, a hash or a blob, and has no meaning to look up. As in BERT. */
  wordCharsMax: 100,
  /** Words whose pieces are remembered by the static table; then it begins anew. */
  knownWordsMax: 50_000,
  /** The static table lets other work of the process run after this long. */
  turnMs: 8,
} as const;

/** Decision records and requests. Import and old stores may exceed the lengths of text: nothing stored is cut. */
export const decisionLimits = {
  idCharsMax: 128,
  titleCharsMax: 500,
  rationaleCharsMax: 65_536,
  nameCharsMax: 200,
  commitCharsMax: 64,
  itemsMax: 200,
  itemCharsMax: 8_000,
  tagCharsMax: 100,
  filesMax: 1_000,
  pathCharsMax: 1_024,
  reasonCharsMax: 2_000,
  queryCharsMax: 8_000,
  /** Distinct words of one query that are looked up; explain says how many were left out. */
  queryTermsMax: 128,
  searchResultsDefault: 10,
  searchResultsMax: 25,
  pageSizeDefault: 50,
  pageSizeMax: 200,
  cursorCharsMax: 2_048,
  batchOperationsMax: 100,
  timelineDefault: 3,
  timelineMax: 10,
  duplicatesMax: 3,
  compactTitleChars: 120,
  idempotencyKeyCharsMax: 255,
  idempotencyHoursKept: 24,
  /** The age, without a change, from which the audit reports an active decision. */
  auditAgeDays: 90,
  importDecisionsMax: 100_000,
  adrFilesMax: 2_000,
  adrBytesMax: 1_048_576,
  /** How long a write waits for another process that holds the store. */
  writeWaitMsMax: 30_000,
  readWaitMsMax: 5_000,
  /** Writes that share one commit. */
  writesPerCommitMax: 64,
} as const;

/** The server in the background. */
export const daemonLimits = {
  /** From spawning the process to its first answer. */
  startMsMax: 20_000,
  /** From the signal to the end: the grace for calls plus a notebook lock that is waited for. */
  stopMsMax: 20_000,
  healthMsMax: 2_000,
  pollMs: 25,
  /** A log that is larger at a start is begun anew. */
  logBytesMax: 10 * 1024 * 1024,
} as const;

export const jobLimits = {
  /** Finished jobs that can still be looked at. */
  keptMax: 200,
} as const;

export const projectLimits = {
  pathCharsMax: 4_096,
  /** How long a registration waits for another process that holds the list of projects. */
  lockWaitMsMax: 5_000,
} as const;

/** The scan that finds decisions whose files changed. */
export const scanLimits = {
  /** While a store is in use, the head of its repository is looked at this often at most. */
  headCheckMs: 2_000,
  /** Files named in the reason of one stale decision. */
  reasonFilesMax: 5,
} as const;

/** What the command line takes in. */
export const cliLimits = {
  /** A text from standard input; more than any field of a decision holds. */
  inputBytesMax: 4 * 1024 * 1024,
  /** An export that is imported. */
  importBytesMax: 512 * 1024 * 1024,
  /** How long a call over the daemon may take: an import or a scan of a large repository runs for minutes. */
  daemonCallMsMax: 600_000,
} as const;

/** Reading source code. */
export const codeLimits = {
  /** A larger file is listed and not read. */
  fileBytesMax: 8 * 1024 * 1024,
  /** A larger text is searched as text but gives no symbols. */
  parsedCharsMax: 3_000_000,
  parseMsMax: 20_000,
  /** Deeper syntax is not looked at: hand-written code nests some dozens of levels. */
  syntaxDepthMax: 400,
  expressionCharsMax: 240,
  signatureCharsMax: 300,
  documentationCharsMax: 2_000,
  /** Lines of one piece of text that is searched as one. */
  chunkLinesMax: 80,
  chunkCharsMax: 6_000,
  /** A file with a line longer than this on average, or with most of its text in such lines, is machine-made. */
  minifiedLineChars: 400,
  generatedMarkLines: 20,
  /** A longer text with errors in it is read as it is. */
  recoveredCharsMax: 400_000,
  /** Classes above a class that are looked at for a member. */
  baseDepthMax: 32,
  /** Passed-on names that are followed to the definition. */
  reexportDepthMax: 64,
  linksDepthMax: 40,
  /** Files that are being parsed or wait for it, per thread. */
  filesInFlightPerThread: 4,
  threadsMax: 4,
  /** What git may say about the files of a repository. */
  listingBytesMax: 512 * 1024 * 1024,
  /** How long a thread may work on one file before it is ended and the file is listed as failed. */
  fileMsMax: 60_000,
} as const;
