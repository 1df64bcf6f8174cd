/** Sizes and counts that schemas, services and tests share. */
export const limits = {
  /** Unicode code points of a stored or embedded text. */
  textChars: 10_000,
  /** Unicode code points of a query, of text_a and text_b. */
  queryChars: 5_000,
  /** The same in normal form (NFKC), which the encoder reads: one character may become many there. */
  queryFormChars: 10_000,
  batchStoreItems: 50,
  /** Texts of one request for embeddings. */
  embeddedTexts: 256,
  /** How long the texts of one batch store may take to be encoded, in ms: less than clients and proxies usually wait. */
  batchEncodingMs: 50_000,
  textTopK: 50,
  /** Tokens that a context may take, as the encoder counts them. */
  contextTokensMin: 100,
  contextTokensMax: 32_000,
  tieredTopK: 20,
  embeddingDimensions: 384,
  vectorDimensions: 8_192,
  vectorTopK: 100,
  /** Patterns of one vector batch store. */
  batchPatterns: 5_000,
  /** Queries of one batch retrieve. */
  batchQueries: 1_000,
  /** Bytes of the JSON text of one batch retrieve's answer. */
  batchAnswerBytes: 256 * 1024 * 1024,
  composeMin: 2,
  composeMax: 10,
  /** Patterns of a map, and associations between them. */
  mapPoints: 20_000,
  mapPointsDefault: 5_000,
  mapAssociations: 1_000,
  /** Keys that one request may warm around, and hops from there. */
  contextKeys: 100,
  prefetchDepth: 5,
  /** Pathways that one request may name. */
  efePathways: 10,
  /** Iterations of each operation of a benchmark. */
  benchmarkIterations: 10_000,
  benchmarkOperations: 100,
  /** Code points of a caller's own id of a pattern. */
  externalIdChars: 255,
  /** Patterns that one request gets or deletes by their ids. */
  getByIds: 200,
  deleteByIds: 1_000,
  versionsDefault: 20,
  versionsMax: 50,
  /** Code points of the name of an end user. */
  subjectChars: 128,
  metadataBytes: 16 * 1024,
  metadataDepth: 8,
  /** Bytes of a filter as JSON. */
  filterBytes: 16 * 1024,
  /** Conditions of a filter, each a field with an operator. */
  filterConditions: 100,
  /** Filters within filters, by $and, $or and $not. */
  filterDepth: 8,
  /** Objects and lists within those of a filter: two for each filter within one, and an operand. */
  filterJsonDepth: 26,
  /** Bytes of a selector of an erasure, as JSON: enough for `deleteByIds` ids of the greatest length, with any characters. */
  selectorBytes: 2 * 1024 * 1024,
  categoryChars: 100,
  /** How long a preview of what to forget may be confirmed, in ms. */
  forgetPreviewMs: 10 * 60_000,
  receiptChars: 10_000,
  /** Ids that one verification of a receipt names. */
  receiptIds: 100_000,
  /** Personal facts in one answer. */
  importantMax: 1_000,
  /** Records of a space's signal and regime that are kept and shown. */
  signalRecords: 1_000,
  /** Sleeps and explorations of a space that are kept and shown. */
  runRecords: 200,
  reasonChars: 200,
  actorChars: 128,
  idempotencyKeyChars: 255,
  /** Code points of a job's error that operators are shown. */
  jobErrorChars: 500,
  listDefault: 50,
  listMax: 200,
  notificationPageMax: 1_000_000_000,
  notificationsDefault: 20,
  notificationsMax: 100,
  /** Open notification streams of one process, of one organization and of all together. */
  notificationStreams: 50,
  notificationStreamsInAll: 2_000,
  /** How often a stream sends a keep-alive, and its client is authenticated again, in ms. */
  streamBeatMs: 10_000,
  /** Seconds after which a stream may be asked to end. */
  streamSecondsMax: 86_400,
  /** Webhooks of one organization. */
  webhooks: 20,
  webhookDescriptionChars: 200,
  /** Attempts at a delivery that are kept and shown: twice as many as are made of themselves. */
  deliveryAttempts: 20,
  /** Entries of the audit log up to the end of a page. */
  auditDepth: 10_000,
  keyNameChars: 100,
  /** Keys that an organization makes in an hour, however many it revokes. */
  keysPerHour: 200,
  /** Least length of a password, in code points. */
  passwordChars: 12,
  passwordBytes: 1_024,
  fullNameChars: 200,
  organizationNameChars: 200,
  jsonDepth: 64,
  bodyBytes: 8 * 1024 * 1024,
  authBodyBytes: 64 * 1024,
  /** Bytes of one message to the MCP server. */
  mcpBodyBytes: 1024 * 1024,
  batchBodyBytes: 64 * 1024 * 1024,
  /** A body may hold a value (numbers of vectors aside) for each of this many bytes that it may have. */
  bodyValueBytes: 64,
  /** Bytes of a body that is sent to an operation that takes none. */
  noBodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  /** Requests of one organization, or of one address before it is known whose they are, that are worked on and that wait. */
  requestsInHand: 64,
  requestsWaiting: 256,
  /** Requests of all organizations and addresses that are worked on and that wait. */
  requestsInHandInAll: 1_024,
  requestsWaitingInAll: 4_096,
  /** Bodies over 256 KiB of one organization that are read at a time: each takes much of one thread. */
  longBodiesAtOnce: 2,
  /** Bytes of large bodies (over `smallBytes`) in memory, of one organization and of all. */
  bodyBytesInHand: 256 * 1024 * 1024,
  bodyBytesInHandInAll: 512 * 1024 * 1024,
  /** Bytes of large answers that clients have not taken yet, of one organization and of all. */
  answerBytesInHand: 64 * 1024 * 1024,
  answerBytesInHandInAll: 256 * 1024 * 1024,
  /** Answers that may be long and are being made at a time, of one organization and of all. */
  longAnswersAtOnce: 4,
  longAnswersAtOnceInAll: 16,
  /** Bytes that are reserved for an answer that is being made, or is produced while it is being sent. */
  streamBytes: 4 * 1024 * 1024,
  /** Bodies and answers of up to this many bytes are not counted. */
  smallBytes: 64 * 1024,
  /**
   * A connection is closed when for this long, in ms, something of an answer waits for its client, who takes fewer bytes
   * than this meanwhile: slower than any network, and what waits keeps memory from others.
   */
  unreadAnswerMs: 30_000,
  leastTakenBytes: 64 * 1024,
  /** Ignored fields that one answer names. */
  ignoredFields: 20,
} as const
