import type { AnswerOf } from 'memory-service-sdk'

/** A memory with all that is kept of it. */
export type Pattern = AnswerOf<'GET /v1/memory/patterns/{pattern_id}'>
