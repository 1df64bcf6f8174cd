import type { AnswerOf } from 'memory-service-sdk'
import { askingAgain } from '../../queries.ts'

export type Hook = AnswerOf<'GET /v1/webhooks/{webhook_id}'>
export type Sent = AnswerOf<'GET /v1/webhooks/{webhook_id}/deliveries'>['deliveries'][number]

/** The host of a webhook's address, whose path may be a secret. */
export const hostOf = ({ url }: Pick<Hook, 'url'>): string => new URL(url).host

/** Attempts that are due or under way are looked at so often, those of later less so. */
const soonMs = 1_000
const laterMs = 5_000

/** Asks again for as long as one of these deliveries is pending, more often while an attempt may be under way. */
export function whilePending(sent: readonly Sent[], error: Error | null): number | false {
  const due = sent.flatMap(({ next_attempt_at: at }) => (at === null ? [] : [Date.parse(at) - Date.now()]))
  // An attempt that is under way is leased for a minute.
  const isSoon = due.some((ms) => ms <= 60_000)
  return askingAgain(error, due.length === 0 ? false : isSoon ? soonMs : laterMs)
}
