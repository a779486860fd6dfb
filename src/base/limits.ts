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
} as const;

/** The lock that keeps a second process off a notebook root. */
export const rootLockLimits = {
  /** How long a writer waits for another process before it gives up. */
  waitMsMax: 10_000,
  /** A lock whose owner cannot be checked (another host) counts as abandoned after this. */
  unknownOwnerMsMax: 30_000,
} as const;

export const settingsLimits = {
  fileBytesMax: 16_384,
} as const;

export const httpLimits = {
  mcpBodyBytesMax: 4 * 1024 * 1024,
  apiBodyBytesMax: 1024 * 1024,
  jsonDepthMax: 64,
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
  /** One line on stdio. */
  stdioLineBytesMax: 4 * 1024 * 1024,
} as const;

/** What is sent to a model that makes vectors. */
export const embedderLimits = {
  batchTexts: 32,
  /** Far more than the 256 word pieces the model reads. */
  textCharsMax: 8_192,
  /** The model is freed when nobody asked for this long. */
  idleMs: 5 * 60_000,
} as const;
