import { purgeIdempotencyKeys } from '@memory/memory/housekeeping'
import { asTenant, type Database, type Queries } from '@memory/shared/platform/database/database'
import {
  type Claim,
  type HeldClaim,
  IdempotencyClaims,
  type IdempotentRequest,
} from '@memory/shared/platform/idempotency'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newOrganization, openTestDatabase, silent, withFailures } from './open-database.ts'

let database: Database
let queries: Queries
let request: IdempotentRequest
/** Two processes; what one of them holds the other knows from the database. */
let claims: IdempotencyClaims
let others: IdempotencyClaims
const held = new Map<HeldClaim, IdempotencyClaims>()

beforeAll(async () => {
  database = await openTestDatabase()
  queries = database.queries
})

beforeEach(async () => {
  const { spaceId } = await newOrganization(queries)
  request = { spaceId, route: 'POST /a', key: 'k', bodyHash: Buffer.from('one body') }
  claims = new IdempotencyClaims(queries, silent)
  others = new IdempotencyClaims(queries, silent)
})

afterEach(() => {
  for (const [claim, process] of held) process.drop(claim)
  held.clear()
})

afterAll(() => database.close())

async function claimed(as = request, process = claims): Promise<HeldClaim> {
  const answer = await process.claim(as)
  if (answer.outcome !== 'claimed') throw new Error(`The claim gave ${answer.outcome}.`)
  held.set(answer.held, process)
  return answer.held
}

const answerWith = async (claim: HeldClaim, response = '{"n":1}', process = claims) => {
  await asTenant(queries, request, (trx) => process.record(trx, claim, 200, response))
  process.drop(claim)
}

/** Moves the claim and its request into the past. */
const pass = (interval: string) =>
  asTenant(queries, request, (trx) =>
    sql`update app.idempotency_keys set created_at = created_at - ${interval}::interval,
      claimed_until = claimed_until - ${interval}::interval`.execute(trx),
  )

describe('an idempotency claim', () => {
  it('F3 is given to one of 20 requests that come at once; the others see it running', async () => {
    const outcomes = (
      await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? claims : others).claim(request)))
    ).map(({ outcome }) => outcome)
    expect(outcomes.sort()).toEqual(['claimed', ...Array(19).fill('running')])
  })

  it('F3 ends with the answer, which every repetition gets', async () => {
    const claim = await claimed()
    await answerWith(claim, '{"text":"ä"}')
    const replay: Claim = { outcome: 'replay', status: 200, response: '{"text":"ä"}' }
    expect(await others.claim(request)).toEqual(replay)
    expect(await others.claim(request)).toEqual(replay)
  })

  it('F3 tells another body under the same key, while it runs and afterwards', async () => {
    const other = { ...request, bodyHash: Buffer.from('another body') }
    const claim = await claimed()
    expect(await others.claim(other)).toEqual({ outcome: 'other_body' })
    await answerWith(claim)
    expect(await others.claim(other)).toEqual({ outcome: 'other_body' })
  })

  it('F3 is for one space and one route', async () => {
    await claimed()
    await claimed({ ...request, route: 'POST /b' })
    await claimed({ ...request, key: 'K' })
    await claimed({ ...request, spaceId: (await newOrganization(queries)).spaceId })
  })

  it('is told apart where a route and a key have spaces', async () => {
    await claimed({ ...request, route: 'store/Ann', key: 'Lee k1' })
    await claimed({ ...request, route: 'store/Ann Lee', key: 'k1', bodyHash: Buffer.from('another body') })
  })

  it('F3 passes to a repetition when the first request died, and the first can no longer have an effect', async () => {
    const first = await claimed()
    await pass('5 seconds')
    const other = { ...request, bodyHash: Buffer.from('another body') }
    expect(await others.claim(other)).toEqual({ outcome: 'other_body' })
    const second = await claimed(request, others)

    const late = asTenant(queries, request, async (trx) => {
      await sql`insert into app.query_counts (space_id, day, used) values (${request.spaceId}, now(), 1)`.execute(
        trx,
      )
      await claims.record(trx, first, 200, 'late')
    })
    await expect(late).rejects.toMatchObject({ code: 'idempotent_twin_running', retryAfterS: 1 })
    const effects = await asTenant(queries, request, (trx) =>
      sql`select * from app.query_counts`.execute(trx),
    )
    expect(effects.rows).toEqual([])
    await claims.release(first)
    expect(await others.claim(request)).toEqual({ outcome: 'running' })
    await answerWith(second, 'second', others)
    expect(await others.claim(request)).toMatchObject({ outcome: 'replay', response: 'second' })
  })

  it('F3 is kept by a process that lives, however long its request takes', async () => {
    const claim = await claimed()
    // Nothing was renewed for a second less than the lease.
    await pass('3 seconds')
    expect(await others.claim(request)).toEqual({ outcome: 'running' })
    await claims.renew()
    await pass('3 seconds')
    expect(await others.claim(request)).toEqual({ outcome: 'running' })
    // Even when its renewals do not get through: what runs in the process itself is known to run.
    await pass('1 hour')
    expect(await claims.claim(request)).toEqual({ outcome: 'running' })
    expect(await claims.claim({ ...request, bodyHash: Buffer.from('another body') })).toEqual({
      outcome: 'other_body',
    })
    // Nobody has taken it over.
    await answerWith(claim)
    expect(await others.claim(request)).toMatchObject({ outcome: 'replay' })
  })

  it('F3 is renewed with all others of its process in one statement, and no other process’s', async () => {
    const requests = ['a', 'b', 'c'].map((key) => ({ ...request, key }))
    for (const [n, each] of requests.entries()) await claimed(each, n === 2 ? others : claims)
    await pass('2 hours')
    await claims.renew()
    const { rows } = await asTenant(queries, request, (trx) =>
      sql`select key, claimed_until > now() as held from app.idempotency_keys order by key`.execute(trx),
    )
    expect(rows).toEqual([
      { key: 'a', held: true },
      { key: 'b', held: true },
      { key: 'c', held: false },
    ])
  })

  it('F3 that was taken over is not renewed by the one that lost it', async () => {
    await claimed()
    await pass('5 seconds')
    await claimed(request, others)
    await pass('5 seconds')
    await claims.renew()
    await claimed(request, new IdempotencyClaims(queries, silent))
  })

  it('F3 is free again when the request failed', async () => {
    await claims.release(await claimed())
    await claimed(request, others)
  })

  describe('F3 of a request that failed while the database was away', () => {
    it('is given up as soon as the database answers the process', async () => {
      const broken = withFailures(queries)
      const process = new IdempotencyClaims(broken.queries, silent)
      const claim = await claimed(request, process)
      broken.failing = 'idempotency_keys'
      await expect(process.release(claim)).rejects.toThrow('terminated')
      await expect(process.renew()).rejects.toThrow('terminated')
      expect(await others.claim(request)).toEqual({ outcome: 'running' })
      broken.failing = undefined
      await process.renew()
      await claimed(request, others)
    })

    it('is given up before the same process takes it again', async () => {
      const broken = withFailures(queries)
      const process = new IdempotencyClaims(broken.queries, silent)
      const claim = await claimed(request, process)
      broken.failing = 'idempotency_keys'
      await expect(process.release(claim)).rejects.toThrow('terminated')
      await expect(process.claim(request)).rejects.toThrow('terminated')
      broken.failing = undefined
      const again = await claimed(request, process)
      await process.renew()
      expect(await others.claim(request)).toEqual({ outcome: 'running' })
      await answerWith(again, '{"n":2}', process)
    })

    it('is given up where the database had made it and could not say so', async () => {
      const broken = withFailures(queries)
      const process = new IdempotencyClaims(broken.queries, silent)
      broken.afterwards = 'claim_idempotency_key'
      await expect(process.claim(request)).rejects.toThrow('terminated')
      broken.afterwards = undefined
      await process.renew()
      await claimed(request, others)
    })
  })

  it('F3 an answer is not given up by a late release', async () => {
    const claim = await claimed()
    await answerWith(claim)
    await claims.release(claim)
    expect(await others.claim(request)).toMatchObject({ outcome: 'replay' })
  })

  it('F3 an answer is recorded with its effect or not at all', async () => {
    const claim = await claimed()
    const work = asTenant(queries, request, async (trx) => {
      await claims.record(trx, claim, 200, 'lost')
      throw new Error('the effect failed')
    })
    await expect(work).rejects.toThrow('the effect failed')
    expect(await others.claim(request)).toEqual({ outcome: 'running' })
  })

  it('F3 is forgotten after a day, whether or not housekeeping has come by', async () => {
    await answerWith(await claimed())
    await pass('23 hours')
    expect(await others.claim(request)).toMatchObject({ outcome: 'replay' })
    await purgeIdempotencyKeys(queries)
    expect(await others.claim(request)).toMatchObject({ outcome: 'replay' })
    await pass('2 hours')
    await answerWith(await claimed({ ...request, bodyHash: Buffer.from('another body') }))
    await pass('25 hours')
    await purgeIdempotencyKeys(queries)
    const kept = await asTenant(queries, request, (trx) =>
      sql`select * from app.idempotency_keys`.execute(trx),
    )
    expect(kept.rows).toEqual([])
  })
})
