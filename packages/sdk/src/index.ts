export type { Fetch } from './attempt.ts'
export { MemoryClient, type MemoryClientOptions } from './client.ts'
export * from './errors.ts'
export type { StreamOptions } from './event-stream.ts'
export {
  type ExportedPage,
  type ExportSelection,
  type ExportSource,
  exportPages,
  exportSourceOf,
  toExport,
  versionsBefore,
} from './export.ts'
export {
  auditActions,
  benchmarkedKernels,
  conflictKinds,
  conflictStatuses,
  deliveryStatuses,
  errorDetails,
  jobStates,
  latencyPeriods,
  notifiedEvents,
  protectedCategories,
  queueNames,
  runKinds,
  storeFields,
  textCharsMax,
  usageDivisions,
  usagePeriods,
  userStatuses,
} from './generated/facts.ts'
export { isInvisible } from './generated/invisible.ts'
export type { NotificationEvent } from './groups/events.ts'
export type {
  AnswerOf,
  CallOptions,
  InputOf,
  Method,
  Route,
  Schemas,
  StoreOptions,
  TaggedOptions,
} from './operations.ts'
export { project, unproject } from './projection.ts'
export type { Tokens } from './session.ts'
export type { DebugEvent } from './transport.ts'
export {
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookHeaders,
} from './webhook.ts'
