import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom } from '../engine/naive.ts'
import { onPostgres } from '../support/database.ts'
import { findViolations } from './history.ts'
import { RandomRequests } from './random-requests.ts'
import { startTwoProcesses, type TwoProcesses } from './two-processes.ts'

describe.runIf(onPostgres)('two API processes over one database', () => {
  let processes: TwoProcesses

  beforeAll(async () => {
    processes = await startTwoProcesses()
  })

  afterAll(() => processes?.close())

  it.each([
    { requests: 500, atATime: 1 },
    { requests: 1_200, atATime: 16 },
  ])(
    'answer as a single memory would: $requests random requests, $atATime at a time',
    async ({ requests, atATime }) => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      const run = new RandomRequests(await processes.newClients(), randomFrom(seed))
      let left = requests
      const sendInTurn = async () => {
        while (left-- > 0) await run.one()
      }
      try {
        await Promise.all(Array.from({ length: atATime }, sendInTurn))
        expect(findViolations(run.history).slice(0, 10)).toEqual([])
      } catch (error) {
        throw new Error(`With seed ${seed}`, { cause: error })
      }
      // Coming back would hide it.
      expect(processes.logged()).not.toContain('deadlock detected')
      const { stores, changes, removals, reads } = run.history
      for (const each of [stores, changes, removals]) expect(each.length).toBeGreaterThan(requests / 40)
      expect(reads.filter(({ seen }) => seen.size > 0).length).toBeGreaterThan(requests / 4)
    },
    40_000,
  )
})
