import type { Calls } from '../calls.ts'
import type { CallOptions, GivenOf } from '../operations.ts'
import { byCursor } from '../pages.ts'

/** What is stored, texts and vectors alike. */
export const patternsOf = (calls: Calls) => {
  const { plain, query, body } = calls
  const list = query('GET /v1/memory/patterns')
  const history = query('GET /v1/memory/patterns/{pattern_id}/history')
  const receipts = query('GET /v1/memory/receipts')
  return {
    /** A page of patterns, in store order unless asked for otherwise; a long filter is `search`'s, which sends it in a body. */
    list,
    /** A page of the patterns that a filter describes. */
    search: body('POST /v1/memory/patterns/search'),
    /** How many patterns a filter describes. */
    count: body('POST /v1/memory/patterns/count'),
    /** Places for patterns in a square, those of near meaning near each other, with the clusters that they are in. */
    map: query('GET /v1/memory/map'),
    /** Every pattern in store order. */
    all: (given?: GivenOf<'GET /v1/memory/patterns'>, options?: CallOptions) =>
      byCursor(list, ({ patterns }) => patterns, given, options),
    /** One by its id, or by `ext:` followed by your own id of it (its `external_id`). */
    get: plain('GET /v1/memory/patterns/{pattern_id}'),
    /** Up to 200 by their ids or your own, null for each that is not there. */
    getMany: body('POST /v1/memory/patterns/get'),
    /** Changes what is given; a new text is embedded again. `ifMatch` of the options: only if it is still that version. */
    update: body('PATCH /v1/memory/patterns/{pattern_id}'),
    /** `ifMatch` of the options: only if it is still that version. */
    delete: plain('DELETE /v1/memory/patterns/{pattern_id}'),
    /** Deletes up to 1,000 by their ids or your own, or all of an end user (`subject`) or that a filter describes. */
    deleteMany: body('POST /v1/memory/patterns/delete'),
    /** A page of what a pattern was, newest first. */
    history,
    /** Everything that is kept of what a pattern was, newest first. */
    allHistory: (
      id: string,
      given?: GivenOf<'GET /v1/memory/patterns/{pattern_id}/history'>,
      options?: CallOptions,
    ) =>
      byCursor(
        (query, options) => history(id, query, options),
        ({ versions }) => versions,
        given,
        options,
      ),
    /** Makes a pattern what it was in a version. */
    revert: body('POST /v1/memory/patterns/{pattern_id}/revert'),
    /** Erases what a version held. */
    redact: plain('DELETE /v1/memory/patterns/{pattern_id}/history/{version}'),
    ...conflictsOf(calls),
    /** Empties the space; `{ confirm: 'all' }` says that it is meant. */
    deleteAll: query('DELETE /v1/memory/patterns'),
    /** A page of the receipts of what was erased, newest first. */
    receipts,
    /** Every receipt, newest first. */
    allReceipts: (given?: GivenOf<'GET /v1/memory/receipts'>, options?: CallOptions) =>
      byCursor(receipts, ({ receipts }) => receipts, given, options),
    /** Checks a receipt, and with the ids whether any of it is there. */
    verifyReceipt: body('POST /v1/memory/receipts/verify'),
    /** Says that a pattern was useful, or was not: the space learns from it. */
    feedback: body('POST /v1/memory/feedback'),
  }
}

const conflictsOf = ({ plain, query, body }: Calls) => {
  const conflicts = query('GET /v1/memory/conflicts')
  return {
    /** A page of the texts that say nearly the same or contradict each other, newest first. */
    conflicts,
    /** Every conflict, newest first. */
    allConflicts: (given?: GivenOf<'GET /v1/memory/conflicts'>, options?: CallOptions) =>
      byCursor(conflicts, ({ conflicts }) => conflicts, given, options),
    /** Says what a conflict is: both stay, one takes the place of the other, or it is none. */
    resolveConflict: body('POST /v1/memory/conflicts/{conflict_id}/resolve'),
    /** Takes back what was said of a conflict. */
    reopenConflict: plain('POST /v1/memory/conflicts/{conflict_id}/reopen'),
  }
}
