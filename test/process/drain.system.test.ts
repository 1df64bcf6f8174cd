import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { type ServiceProcess, startService } from './service-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'memory-process-'))
let service: ServiceProcess

beforeAll(async () => {
  // Longer than what follows takes on a machine that is busy with other tests.
  service = await startService(folder, { DRAIN_SECONDS: '8' })
})

afterAll(async () => {
  await service.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it('F7 answers for DRAIN_SECONDS after SIGTERM while readiness says 503, then exits with 0', async () => {
  const stopping = service.stop('SIGTERM')
  await until(() => service.stdout.includes('"stopping"'), 'the signal to be seen')
  const client = service.client()
  expect((await client.get('/readyz')).status).toBe(503)
  const stored = await client.post('/v1/memory/text/store', { text: 'Ada moved to Lisbon.' })
  expect([stored.status, stored.headers.get('connection')]).toEqual([200, 'close'])
  expect((await stopping).code).toBe(0)
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
})
