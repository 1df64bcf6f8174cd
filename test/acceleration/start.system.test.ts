import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accel } from '@memory/accel'
import { operations } from '@memory/memory/acceleration/workloads'
import { expect, it } from 'vitest'
import { startService } from '../process/service-process.ts'
import { until } from '../support/until.ts'

it.skipIf(accel === null)(
  'a service measures each operation after its start, without being asked',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'memory-acceleration-'))
    const service = await startService(folder)
    try {
      const client = service.client()
      const measured = async () =>
        Object.keys((await client.get('/v1/memory/acceleration/status')).body.speedup_factors)
      await until(
        async () => (await measured()).length === operations.length,
        'every operation to be measured',
      )
      expect(await measured()).toEqual(operations)
    } finally {
      await service.stop('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
