export type { Fetch } from './attempt.ts'
export { MemoryClient, type MemoryClientOptions } from './client.ts'
export * from './errors.ts'
export type { AnswerOf, CallOptions, InputOf, Method, Route, Schemas, StoreOptions } from './operations.ts'
export { project, unproject } from './projection.ts'
export type { Tokens } from './session.ts'
export {
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEvents,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhook.ts'
