/** Sizes and counts that schemas, services and tests share. */
export const limits = {
  /** Unicode code points of a stored or embedded text. */
  textChars: 10_000,
  /** Unicode code points of a query, of text_a and text_b. */
  queryChars: 5_000,
  batchStoreItems: 50,
  textTopK: 50,
  tieredTopK: 20,
  embeddingDimensions: 384,
  vectorDimensions: 8_192,
  vectorTopK: 100,
  /** Patterns of one vector batch store. */
  batchPatterns: 5_000,
  /** Queries of one batch retrieve. */
  batchQueries: 1_000,
  /** JSON text of one batch retrieve's answer. */
  batchAnswerBytes: 256 * 1024 * 1024,
  composeMin: 2,
  composeMax: 10,
  /** Keys that one request may warm around, and hops from there. */
  contextKeys: 100,
  prefetchDepth: 5,
  /** Pathways that one request may name. */
  efePathways: 10,
  /** Iterations of each operation of a benchmark. */
  benchmarkIterations: 10_000,
  benchmarkOperations: 100,
  metadataBytes: 16 * 1024,
  metadataDepth: 8,
  categoryChars: 100,
  /** Personal facts in one answer. */
  importantMax: 1_000,
  /** Records of a space's signal and regime that are kept and shown. */
  signalRecords: 1_000,
  reasonChars: 200,
  actorChars: 128,
  idempotencyKeyChars: 255,
  listDefault: 50,
  listMax: 200,
  notificationPageMax: 1_000_000_000,
  notificationsDefault: 20,
  notificationsMax: 100,
  /** Of one organization. */
  webhooks: 20,
  webhookDescriptionChars: 200,
  auditPageMax: 1_000_000_000,
  keyNameChars: 100,
  /** Least length of a password, in code points. */
  passwordChars: 12,
  passwordBytes: 1_024,
  fullNameChars: 200,
  organizationNameChars: 200,
  jsonDepth: 64,
  bodyBytes: 8 * 1024 * 1024,
  authBodyBytes: 64 * 1024,
  batchBodyBytes: 64 * 1024 * 1024,
  headerBytes: 16 * 1024,
} as const
