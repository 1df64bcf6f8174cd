import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startService } from '../process/service-process.ts'

it('streams of notifications end when the service stops, and do not hold it up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'memory-streams-'))
  const service = await startService(folder)
  try {
    const { key } = service.client()
    const response = await fetch(`${service.url}/v1/notifications/stream`, { headers: { 'X-API-Key': key } })
    const text = response.text()
    const { code, stdout } = await service.stop('SIGTERM')
    expect(code).toBe(0)
    // Its end is one that the client can tell from a connection that broke.
    expect(await text).toMatch(/event: unread/)
    expect(stdout).toMatch(/"route":"\/v1\/notifications\/stream","status":200/)
    expect(stdout).not.toContain('answer broken off')
  } finally {
    await service.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
