import type { Calls } from '../calls.ts'
import type { CallOptions, GivenOf } from '../operations.ts'
import { byCursor } from '../pages.ts'

/** The end users of a tenant, of each of whom a memory is kept apart. */
export const subjectsOf = ({ plain, query, body, queriedFile }: Calls) => {
  const list = query('GET /v1/memory/subjects')
  return {
    /** A page of those of whom something is stored. */
    list,
    /** Everybody of whom something is stored, in the order of their names. */
    all: (given?: GivenOf<'GET /v1/memory/subjects'>, options?: CallOptions) =>
      byCursor(list, ({ subjects }) => subjects, given, options),
    /** What is stored of one. */
    get: plain('GET /v1/memory/subjects/{subject}'),
    /** Every pattern of one, or those that a filter describes, a line of JSON each. */
    export: queriedFile('GET /v1/memory/subjects/{subject}/export'),
    /** Erases one, and answers a receipt. */
    erase: plain('DELETE /v1/memory/subjects/{subject}'),
    /** A token for one, which a browser may have. */
    token: body('POST /v1/memory/subject-tokens'),
  }
}
