import { returnQueries, secondsToMidnight } from '@memory/identity/keys/service'
import {
  returnSubjectQueries,
  type SubjectQueries,
  takeSubjectQueries,
} from '@memory/memory/subjects/subject-queries'
import { regardless } from '@memory/shared/platform/asker'
import type { Response } from 'express'
import type { Context } from '../context.ts'
import type { Authenticated } from './authenticate.ts'
import { announceAllowance } from './error-answers.ts'

/**
 * The queries of a request: counted for its organization when it was authenticated, and for its end user by `takeOfSubject`.
 * They are given back together, once.
 */
export class CountedQueries {
  readonly #context: Pick<Context, 'clock' | 'database' | 'log'>
  #count: number
  #ofOrganization: Omit<Authenticated, 'caller'> | undefined
  #ofSubject: SubjectQueries | undefined
  /** The UTC day whose queries they are. */
  readonly #day: number

  /** @param authenticated the result of authentication, which counted them; undefined where nobody is authenticated */
  constructor(
    context: Pick<Context, 'clock' | 'database' | 'log'>,
    authenticated: Authenticated | undefined,
    count: number,
  ) {
    this.#context = context
    this.#day = dayOf(context.clock.now())
    this.#ofOrganization = authenticated
    this.#count = count
  }

  /** How many there are; 0 once they were given back. */
  get count(): number {
    return this.#count
  }

  /** @param queries undefined where they are those of no end user @throws ApiError query_limit_reached */
  async takeOfSubject(queries: SubjectQueries | undefined): Promise<void> {
    if (queries === undefined) return
    const { clock, database } = this.#context
    await takeSubjectQueries(database.queries, queries, secondsToMidnight(clock.now()))
    this.#ofSubject = queries
  }

  /**
   * Uncounts them, and announces it in the headers of the answer; not once their day is over, since the next one has not counted
   * them. When that fails, it is only logged.
   */
  async giveBack(res: Response): Promise<void> {
    const [organization, subject] = [this.#ofOrganization, this.#ofSubject]
    this.#ofOrganization = undefined
    this.#ofSubject = undefined
    this.#count = 0
    const { clock, database, log } = this.#context
    if (dayOf(clock.now()) !== this.#day) return
    try {
      if (organization?.spaceId !== undefined && organization.queriesCounted > 0) {
        const { spaceId, queriesCounted, allowance } = organization
        await regardless(() => returnQueries(database.queries, spaceId, queriesCounted))
        if (allowance !== undefined && !res.headersSent) {
          announceAllowance(res, { ...allowance, remaining: allowance.remaining + queriesCounted })
        }
      }
      if (subject !== undefined) await regardless(() => returnSubjectQueries(database.queries, subject))
    } catch (error) {
      log.warn({ err: error, spaceId: organization?.spaceId }, 'queries not given back')
    }
  }
}

const dayOf = (now: Date): number => Math.floor(now.getTime() / 86_400_000)
