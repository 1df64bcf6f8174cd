import { purgeIdempotencyKeys } from '@memory/shared/memory/housekeeping'
import { asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import {
  type Claim,
  claim,
  type IdempotentRequest,
  recordAnswer,
  releaseClaim,
} from '@memory/shared/platform/idempotency'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newOrganization, openTestDatabase } from './open-database.ts'

let database: Database
let queries: Queries
let request: IdempotentRequest

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
})

beforeEach(async () => {
  const { spaceId } = await newOrganization(queries)
  request = { spaceId, route: 'POST /a', key: 'k', bodyHash: Buffer.from('one body') }
})

afterAll(() => database.close())

async function claimed(as = request): Promise<string> {
  const answer = await claim(queries, as)
  if (answer.outcome !== 'claimed') throw new Error(`The claim gave ${answer.outcome}.`)
  return answer.token
}

const answerWith = (token: string, response = '{"n":1}') =>
  asTenant(queries, request, (trx) => recordAnswer(trx, request, token, 200, response))

/** Moves the claim and its request into the past. */
const pass = (hours: number) =>
  asTenant(queries, request, (trx) =>
    sql`update app.idempotency_keys set created_at = created_at - make_interval(hours => ${hours}),
      claimed_until = claimed_until - make_interval(hours => ${hours})`.execute(trx),
  )

describe('an idempotency claim', () => {
  it('F3 is given to one of 20 requests that come at once; the others see it running', async () => {
    const outcomes = (await Promise.all(Array.from({ length: 20 }, () => claim(queries, request)))).map(
      ({ outcome }) => outcome,
    )
    expect(outcomes.sort()).toEqual(['claimed', ...Array(19).fill('running')])
  })

  it('F3 ends with the answer, which every repetition gets', async () => {
    const token = await claimed()
    await answerWith(token, '{"text":"ä"}')
    const replay: Claim = { outcome: 'replay', status: 200, response: '{"text":"ä"}' }
    expect(await claim(queries, request)).toEqual(replay)
    expect(await claim(queries, request)).toEqual(replay)
  })

  it('F3 tells another body under the same key, while it runs and afterwards', async () => {
    const other = { ...request, bodyHash: Buffer.from('another body') }
    const token = await claimed()
    expect(await claim(queries, other)).toEqual({ outcome: 'other_body' })
    await answerWith(token)
    expect(await claim(queries, other)).toEqual({ outcome: 'other_body' })
  })

  it('F3 is for one space and one route', async () => {
    await claimed()
    await claimed({ ...request, route: 'POST /b' })
    await claimed({ ...request, key: 'K' })
    await claimed({ ...request, spaceId: (await newOrganization(queries)).spaceId })
  })

  it('F3 passes to a repetition when the first request died, and the first can no longer have an effect', async () => {
    const first = await claimed()
    await pass(1)
    const other = { ...request, bodyHash: Buffer.from('another body') }
    expect(await claim(queries, other)).toEqual({ outcome: 'other_body' })
    const second = await claimed()
    expect(second).not.toBe(first)

    const late = asTenant(queries, request, async (trx) => {
      await sql`insert into app.query_counts (space_id, day, used) values (${request.spaceId}, now(), 1)`.execute(
        trx,
      )
      await recordAnswer(trx, request, first, 200, 'late')
    })
    await expect(late).rejects.toMatchObject({ code: 'idempotent_twin_running', retryAfterS: 1 })
    const effects = await asTenant(queries, request, (trx) =>
      sql`select * from app.query_counts`.execute(trx),
    )
    expect(effects.rows).toEqual([])
    await releaseClaim(queries, request, first)
    expect(await claim(queries, request)).toEqual({ outcome: 'running' })
    await answerWith(second, 'second')
    expect(await claim(queries, request)).toMatchObject({ outcome: 'replay', response: 'second' })
  })

  it('F3 is free again when the request failed', async () => {
    await releaseClaim(queries, request, await claimed())
    await claimed()
  })

  it('F3 an answer is not given up by a late release', async () => {
    const token = await claimed()
    await answerWith(token)
    await releaseClaim(queries, request, token)
    expect(await claim(queries, request)).toMatchObject({ outcome: 'replay' })
  })

  it('F3 an answer is recorded with its effect or not at all', async () => {
    const token = await claimed()
    const work = asTenant(queries, request, async (trx) => {
      await recordAnswer(trx, request, token, 200, 'lost')
      throw new Error('the effect failed')
    })
    await expect(work).rejects.toThrow('the effect failed')
    expect(await claim(queries, request)).toEqual({ outcome: 'running' })
  })

  it('F3 is forgotten after a day, whether or not housekeeping has come by', async () => {
    await answerWith(await claimed())
    await pass(23)
    expect(await claim(queries, request)).toMatchObject({ outcome: 'replay' })
    await purgeIdempotencyKeys(queries)
    expect(await claim(queries, request)).toMatchObject({ outcome: 'replay' })
    await pass(2)
    await answerWith(await claimed({ ...request, bodyHash: Buffer.from('another body') }))
    await pass(25)
    await purgeIdempotencyKeys(queries)
    const kept = await asTenant(queries, request, (trx) =>
      sql`select * from app.idempotency_keys`.execute(trx),
    )
    expect(kept.rows).toEqual([])
  })
})
