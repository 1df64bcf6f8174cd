import { ApiError } from '@memory/shared/catalogue/errors'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Queries } from '@memory/shared/platform/database/database'
import * as store from './subject-store.ts'

/** The queries that a request makes for an end user. */
export interface SubjectQueries {
  caller: Pick<Caller, 'organizationId' | 'spaceId'>
  subject: string
  count: number
}

/** Counts the queries of an end user, if the organization limits them. @throws ApiError query_limit_reached */
export async function takeSubjectQueries(
  queries: Queries,
  { caller, subject, count }: SubjectQueries,
  retryAfterS: number,
): Promise<void> {
  if (await store.takeQueries(queries, caller, subject, count)) return
  throw new ApiError('query_limit_reached', {
    detail: 'Daily query limit of the subject reached',
    retryAfterS,
  })
}

/** Takes back the queries of a request that did not succeed. */
export function returnSubjectQueries(
  queries: Queries,
  { caller, subject, count }: SubjectQueries,
): Promise<void> {
  return store.returnQueries(queries, caller.spaceId, subject, count)
}
