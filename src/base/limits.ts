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

/** What one question to git may say, and how long it may take. */
export const gitLimits = {
  outputBytesMax: 256 * 1024 * 1024,
  waitMsMax: 60_000,
} as const;

/** How files are read for their fingerprints. */
export const blobLimits = {
  /** A file whose line ends may be converted is read whole; a larger one has none. */
  convertedBytesMax: 64 * 1024 * 1024,
  /** Files about which one command of git is asked by arguments, which systems limit together. */
  namesAtOnce: 50,
} as const;

/** What a call of a tool is told about arguments that the tool has not. */
export const unknownArgumentLimits = {
  told: 20,
  nameCharsMax: 200,
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

export const staticTableLimits = {
  /** So many pieces are looked for in the file; who wants more gets a map of all, which takes longer to make. */
  searchedPiecesMax: 500,
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
  /** How often a build that a person waits for is looked at: soon at first, for one that changes little. */
  jobPollMsMin: 20,
  jobPollMsMax: 160,
  /** How often a watching command looks for an update to tell. */
  watchLookMs: 200,
} as const;

/** Listing the files of a project. */
export const listingLimits = {
  /** How long it may keep the thread before others have a turn. */
  turnMsMax: 10,
  /** Of a file with ignore rules, and of one with names of git; a larger one counts as not there. */
  ruleFileBytesMax: 1024 * 1024,
  gitFileBytesMax: 64 * 1024 * 1024,
  /** A pipe in the place of one of its files makes git wait for ever; then the folders are walked. */
  gitMsMax: 120_000,
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
  /** What is shown of a signature beside a hit. */
  shownSignatureCharsMax: 200,
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
  threadYoungMegabytes: 48,
  /** What git may say about the files of a repository. */
  listingBytesMax: 512 * 1024 * 1024,
  /** How long a thread may work on one file before it is ended and the file is listed as failed. */
  fileMsMax: 60_000,
} as const;

/** Ranking of code. */
export const searchLimits = {
  /** A longer word is a key, a hash or a blob. */
  wordCharsMax: 80,
  /** A longer word that begins with a digit is data. */
  numberCharsMax: 6,
  /** Words whose terms are remembered while files are read; then it begins anew. */
  knownWordsMax: 150_000,
  /** Distinct terms of one question that are looked up. */
  queryTermsMax: 64,
  /** Further terms that its words may mean. */
  queryMeaningsMax: 160,
  /** Names of one question whose definitions are looked up. */
  queryNamesMax: 8,
  /** Words of a name that is written as its words. */
  nameWordsMax: 4,
  queryPhrasesMax: 64,
  /** A name with more definitions tells none of them apart. */
  namedDefinitionsMax: 40,
  /** Rows whose similarity is computed in full, after a first pass over their leading dimensions. */
  exactVectorsMax: 1_000,
  queryCharsMax: 16_384,
  /** Words of the text a vector is made from. */
  vectorWordsMax: 40,
  leadingDocumentationCharsMax: 1_200,
} as const;

/** The index of a project's code. */
export const indexLimits = {
  readWaitMsMax: 5_000,
  writeWaitMsMax: 30_000,
  /** How long a build waits for another process that builds the same index. */
  lockWaitMsMax: 120_000,
  lockPollMs: 50,
  buildCacheKibibytes: 65_536,
  mappedBytesMax: 256 * 1024 * 1024,
  /** A build lets other work of the process run after this long. */
  turnMs: 12,
  /** A file that changed this shortly before it was listed is read again next time: kernel clocks are coarse. */
  clockMs: 30,
  /** Postings that are gathered in memory, at 10 to 20 bytes, before they are written. */
  segmentPostingsMax: 4_000_000,
  /** More lists for one term are joined. */
  segmentsMax: 12,
  /** Chunk numbers in use are made dense again when fewer than one in this many is. */
  sparseFactor: 3,
  sparseChunksMin: 20_000,
  /** Parts of files that are not there any more are kept up to this share of those that are, and this many bytes. */
  keptPartsFactor: 1,
  keptPartsBytesLeast: 16 * 1024 * 1024,
  /** From this share of changed files on, the facts of all are held in memory to link them. */
  linkAllShare: 0.3,
  /** Facts of unchanged files that are held while some are linked. */
  heldFactsMax: 4_000,
} as const;

/** What is told of the files and folders that are in no index. */
export const leftOutLimits = {
  foldersNamedMax: 3,
  /** Of a project with more files in the index than this, a build does not name the folders that are left out. */
  fewFilesMax: 10,
} as const;

/** What is read from an index that may be damaged: more than this no build ever wrote. */
export const damageLimits = {
  /** Facts of one file, unpacked. */
  factsBytesMax: 256 * 1024 * 1024,
  /** How long the content is looked at when a question failed for no known reason. */
  lookMsMax: 600,
} as const;

/** Following the changes of a project's files. */
export const watchLimits = {
  /** Changes are told after so long without another one. */
  quietMs: 250,
  /** Changes that do not end are told this long after the first. */
  waitMsMax: 2_000,
  /** A checkout that git has begun is waited for up to here, so that it is told once. */
  gitWaitMsMax: 10_000,
  /** Each folder takes a watch of the system, which has few for all programs together. Above it the files are listed again and again. */
  foldersMax: 4_096,
  /** After so many events at once the system may have dropped some, and with them new folders. */
  eventsLookMin: 1_000,
  /** Between two listings, and how many times as long as a listing takes that is at least. */
  pollMs: 3_000,
  pollRestFactor: 10,
} as const;

/** Looking for faults. */
export const doctorLimits = {
  /** How long the content of an index is read. What that leaves out is said; the order of its pages is checked whole. */
  contentMsMax: 600,
  /** Paths that are named in a message. */
  namedMax: 3,
} as const;

/** Questions to the graph of a project. */
export const graphLimits = {
  /** Nodes that are named when a name stands for several. */
  candidatesMax: 20,
  /** Names of a search that are tried when nothing has the name asked for. */
  guessesMax: 5,
  /** Neighbours that are listed for one relation. */
  neighboursMax: 200,
  radiusDepthDefault: 2,
  /** Of a blast radius and of an impact. */
  depthMax: 5,
  /** Dependents of one node that a blast radius follows. */
  radiusPerNodeMax: 50,
  radiusNodesMax: 1_000,
  impactDepthDefault: 1,
  /** Dependents that are listed. */
  dependentsMax: 500,
  /** Dependents after which an impact stops looking for more. */
  dependentsFoundMax: 20_000,
  /** Types above or below a type whose methods are looked at. */
  relatedTypesMax: 500,
  /** The outline of a file as JSON. */
  outlineBytesDefault: 16_384,
  outlineBytesMin: 8_192,
  outlineBytesMax: 1_048_576,
  outlineNameChars: 200,
  outlineSummaryChars: 200,
} as const;

/** Documents that the user adds by hand. */
export const documentLimits = {
  fileBytesMax: 10 * 1024 * 1024,
  /** Text of one document; a small PDF can hold any amount of it, packed. */
  textCharsMax: 12_000_000,
  pagesMax: 5_000,
  /** More headings make a text a list, not a document. */
  headingsMax: 20_000,
  /** A piece of a document that is searched as one. */
  chunkLines: 60,
  chunkChars: 1_500,
  /** How long the thread may work on one document, and what it may hold meanwhile. */
  readMsMax: 30_000,
  readBytesMax: 768 * 1024 * 1024,
  /** How often that is looked at. */
  memoryCheckMs: 50,
  /** The thread ends when it was not asked for this long. */
  idleMs: 10_000,
  /** The list of documents of one project. */
  listedMax: 10_000,
  listBytesMax: 8 * 1024 * 1024,
  lockWaitMsMax: 5_000,
} as const;

/** What an answer about a project may take, in tokens, lines and characters. */
export const contextLimits = {
  /** Of the layers, when the budget has room for all. */
  identityTokensMax: 150,
  summaryTokensMax: 600,
  onDemandTokensMax: 800,
  hitTokensMax: 1_000,
  /** An answer to a question for which no budget was given, and how its layers share it. */
  answerTokensDefault: 1_500,
  answerIdentityTokens: 110,
  answerSummaryTokens: 80,
  answerOnDemandTokens: 330,
  answerHitTokens: 800,
  wakeupTokensMax: 800,
  /** Room that is kept for the line that says what was cut. */
  noteTokens: 20,
  /** With less, hits are names and places only. */
  wholeHitTokensLeast: 250,
  /** With less, a project is its name, and there is no summary. */
  wholeIdentityTokensLeast: 600,
  /** With less there is room for names and sizes of groups only. */
  wholeSummaryTokensLeast: 200,
  hitsMax: 8,
  poolMax: 20,
  candidatesMax: 12,
  groupsMax: 10,
  briefGroupsMax: 3,
  groupFilesMax: 2,
  groupLabelsMax: 3,
  groupNameCharsMax: 80,
  groupLabelCharsMax: 40,
  nameCharsMax: 80,
  descriptionCharsMax: 200,
  /** Read of a file to find its first paragraph. */
  descriptionBytesMax: 32 * 1024,
  paragraphCharsMax: 4_000,
  languagesMax: 5,
  labelCharsMax: 80,
  signatureCharsMax: 100,
  summaryCharsMax: 110,
  snippetCharsMax: 180,
  staleNamesMax: 3,
  staleNameCharsMax: 60,
  traceListMax: 10,
  traceVerboseListMax: 25,
  /** One line of the log of queries and wake-ups. */
  usageLineBytesMax: 512,
  /** A log of this size is put aside, and the one put aside before is dropped. */
  usageLogBytesMax: 4 * 1024 * 1024,
  /** A larger one is not ours and is not read. */
  usageLogReadBytesMax: 64 * 1024 * 1024,
  recentQueriesMax: 5,
  /** Problems that are listed by a validation; all of them are counted. */
  validationIssuesMax: 100,
  /** An index that takes more as JSON is not written. */
  irCharsMax: 256 * 1024 * 1024,
  irBytesMax: 512 * 1024 * 1024,
} as const;

/** Requests about code, and what a tool answers them. */
export const codeRequestLimits = {
  questionCharsMax: 8_000,
  searchResultsDefault: 10,
  searchResultsMax: 100,
  contextTokensMax: 200_000,
  nameCharsMax: 2_000,
  relationsMax: 32,
  modelCharsMax: 100,
  queriesPerDayDefault: 100,
  queriesPerDayMax: 50_000,
  /** Items of an answer that are passed over to read on. */
  offsetMax: 10_000_000,
  /** An answer of a tool as text. It must leave room in a context window; what was left out is said. */
  toolAnswerBytesMax: 24 * 1024,
} as const;

/** The code mind of a running process. */
export const codeMindLimits = {
  /** Threads are ended when nothing was indexed for this long. */
  poolIdleMs: 5 * 60_000,
  /** At most one part in this many of the time goes into finding whether the index is fresh, and it is found anew after this long. */
  freshnessShare: 20,
  freshnessMsMax: 5_000,
  /** Files named when an index is not fresh. */
  staleFilesMax: 5,
  skippedFilesMax: 50,
  candidatesMax: 20,
  /** Names that stand for a group of files. */
  groupLabelsMax: 3,
  snippetCharsMax: 200,
  /** Bytes of an outline in one answer. */
  outlineBytesMax: 16_384,
  /** Guesses of what a name could mean. */
  guessesMax: 5,
  /** Places looked through for results of different files and symbols. */
  piecesMax: 2_000,
} as const;

export const outlineLimits = {
  /** Of a value in an outline; the rest stands in the file. */
  valueCharsMax: 120,
} as const;

/** What commands print of what was typed, and how much of a long answer. */
export const typedLimits = {
  /** Of an error of the command line on one line; the middle of a longer one is left out. */
  errorCharsMax: 400,
  /** Neighbours of one relation where nobody asked for that one. */
  neighboursShown: 10,
  /** Known projects that are named where none has the name that was typed. */
  projectsShown: 8,
} as const;

/** Names that are offered where nothing has the name that was asked for. */
export const nearNameLimits = {
  offeredMax: 5,
  /** Nobody misspells a longer one. */
  typedCharsMax: 200,
  /** Letters that may differ. */
  lettersMax: 3,
  /** Names that are looked through, which takes some tenths of a second at most. */
  namesMax: 200_000,
  /** Of a name that was only begun; and how many that begin so are looked at. */
  beginningCharsLeast: 3,
  beginningsMax: 200,
  /** Near names whose places are looked up, and places of each. */
  candidatesMax: 20,
  placesMax: 20,
} as const;
