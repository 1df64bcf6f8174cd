import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskReserve, reserveBytes } from '@memory/shared/platform/database/disk-reserve'
import { openAsFound } from '@memory/shared/platform/database/embedded'
import { createLog } from '@memory/shared/platform/log'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setPlan } from '../organizations/support.ts'
import { newUser } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { plant } from '../support/plant.ts'
import { whileReadOnly } from '../support/read-only.ts'
import { startServer } from '../support/server.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('says once that the reserve of a disk is reached, and once that it is left', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  let freeBytes = reserveBytes
  const reserve = new DiskReserve('/data', log, () => freeBytes)
  const look = () => {
    vi.advanceTimersByTime(1_000)
    return reserve.isLow
  }
  expect(look()).toBe(false)
  freeBytes -= 1
  expect([look(), look(), look()]).toEqual([true, true, true])
  freeBytes += 1
  expect([look(), look()]).toEqual([false, false])
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: expect.stringContaining('nearly full'), folder: '/data', freeMiB: 319, neededMiB: 320 },
    { msg: expect.stringContaining('has room again'), freeMiB: 320 },
  ])
})

describe('a database whose disk is nearly full', () => {
  it.skipIf(onPostgres)(
    'answers what has nothing to write, also where searches are yet to be learned from',
    async () => {
      const server = await startServer()
      try {
        const ada = await newUser(server)
        await setPlan(server, ada, 'enterprise')
        const client = await server.newClient({ organizationId: ada.organizationId })
        await client.store(['Ada lives in Lisbon.', 'Ada has a cat.'])
        await client.retrieve('Where does Ada live?')
        const reads = [
          'brain',
          'map',
          'regime',
          'regime/history',
          'neuromodulation/state',
          'explore/suggestions',
        ]
        await whileReadOnly(server.context.database.queries, async () => {
          for (const read of reads) {
            expect([read, (await client.get(`/v1/memory/${read}`)).status]).toEqual([read, 200])
          }
          const invitations = `/v1/organizations/${ada.organizationId}/invitations`
          expect((await ada.get(invitations)).status).toBe(200)
        })
        // Learned from once there is room.
        expect((await client.get('/v1/memory/neuromodulation/history')).body.records).not.toEqual([])
      } finally {
        await server.close()
      }
    },
  )

  it('is opened as it was found, only read as the service, and written to when there is room', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-reserve-'))
    const directory = join(folder, 'database')
    plant(directory)
    const reserve = { isLow: true }
    const found = await openAsFound(directory, reserve)
    try {
      const { queries } = await found.asService()
      const isReadOnly = async () => {
        const { rows } = await sql<{
          it: string
        }>`select current_setting('transaction_read_only') as it`.execute(queries)
        return rows[0]?.it
      }
      expect(await isReadOnly()).toBe('on')
      reserve.isLow = false
      expect(await isReadOnly()).toBe('off')
    } finally {
      await found.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('can be written to when there was room by the time that it was the service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-reserve-'))
    const directory = join(folder, 'database')
    plant(directory)
    const reserve = { isLow: true }
    const found = await openAsFound(directory, reserve)
    try {
      reserve.isLow = false
      const { queries } = await found.asService()
      const { rows } = await sql`select current_setting('transaction_read_only') as it`.execute(queries)
      expect(rows).toEqual([{ it: 'off' }])
    } finally {
      await found.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
