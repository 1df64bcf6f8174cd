import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@memory/shared/catalogue/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { newDatabase, type TestDatabase } from '../support/database.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { until } from '../support/until.ts'
import { type ServiceProcess, startService } from './service-process.ts'

/** About the answers of four requests, of which there are many. */
const heapMiB = 400

let folder: string
let database: TestDatabase | undefined
let service: ServiceProcess
const connections: RawConnection[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-unread-'))
  database = await newDatabase()
  service = await startService(folder, {
    NODE_OPTIONS: `--max-old-space-size=${heapMiB}`,
    ...(database === undefined ? {} : { DATABASE_URL: database.url, MEMORY_BOOTSTRAP: 'on' }),
  })
})

afterAll(async () => {
  for (const connection of connections) connection.close()
  await service?.stop('SIGKILL')
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** The most memory that the service has had since `forgetPeak`, MiB. */
function peakMiB(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

const forgetPeak = () => writeFileSync(`/proc/${service.pid}/clear_refs`, '5')

/** Stores 100 values of the greatest length, which a query of one number finds. */
async function storeLongValues(client: Client): Promise<void> {
  const value = Array.from({ length: limits.vectorDimensions }, (_, i) => Math.sin(i + 1))
  const patterns = Array.from({ length: 100 }, () => ({ key: [1], value }))
  expect((await client.post('/v1/memory/batch/store', { patterns })).status).toBe(200)
}

describe.skipIf(process.platform !== 'linux')('answers of 90 MB that nobody reads', () => {
  it('asked for by 18 sockets leave the process alive, its memory bounded and others answered', async () => {
    const client = service.client()
    await storeLongValues(client)
    const queries = Array.from({ length: 10 }, () => ({ embedding: [1], top_k: 100 }))
    const batch = rawRequest('POST', '/v1/memory/batch/retrieve', { 'X-API-Key': client.key }, { queries })
    // So that what one of them takes is part of what is compared with.
    const read = new RawConnection(service.url).read().send(batch)
    connections.push(read)
    await until(() => read.text.endsWith('\r\n0\r\n\r\n'), 'one answer, read')
    expect(read.socket.bytesRead).toBeGreaterThan(80 * 2 ** 20)
    read.text = ''
    const before = peakMiB()

    const unread = Array.from({ length: 18 }, () => new RawConnection(service.url).send(batch, batch))
    connections.push(...unread)
    // Each has filled the buffers between here and there: nothing comes any more.
    for (let i = 0; i < 20; i++) expect((await client.get('/v1/memory/text/stats')).status).toBe(200)
    for (const connection of unread) connection.close()
    for (let i = 0; i < 20; i++) expect((await client.get('/v1/memory/text/stats')).status).toBe(200)
    expect(service.ended).toBe(false)
    expect(peakMiB() - before).toBeLessThan(heapMiB)
  })
})

describe.skipIf(process.platform !== 'linux')('answers of 9 MB that nobody reads', () => {
  it('asked for by 250 sockets are mostly refused before they are made', async () => {
    const client = service.client()
    await storeLongValues(client)
    const body = { embedding: [1], top_k: 100 }
    const query = rawRequest('POST', '/v1/memory/query', { 'X-API-Key': client.key }, body)
    expect((await client.post('/v1/memory/query', body)).status).toBe(200)
    forgetPeak()
    const before = peakMiB()
    const unread = Array.from({ length: 250 }, () => new RawConnection(service.url).send(query))
    connections.push(...unread)
    const begun = () => unread.filter(({ socket }) => socket.readableLength > 0).length
    for (const { socket } of unread) socket.once('readable', () => {})
    await until(() => begun() === unread.length, 'something to be answered to all')
    for (const connection of unread) connection.close()
    expect((await client.get('/v1/memory/text/stats')).status).toBe(200)
    expect(service.ended).toBe(false)
    expect(peakMiB() - before).toBeLessThan(heapMiB)
  })
})
