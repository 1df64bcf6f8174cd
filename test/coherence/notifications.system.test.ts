import { MemoryClient, type NotificationEvent } from 'memory-service-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onPostgres } from '../support/database.ts'
import { until } from '../support/until.ts'
import { startTwoProcesses, type TwoProcesses } from './two-processes.ts'

describe.runIf(onPostgres)('two API processes over one database', () => {
  let processes: TwoProcesses

  beforeAll(async () => {
    processes = await startTwoProcesses()
  })

  afterAll(() => processes?.close())

  it('tell the streams of each other of what happens', async () => {
    const [first, second] = await processes.newClients()
    const ending = new AbortController()
    const listen = (url: string, key: string) => {
      const told: NotificationEvent[] = []
      const client = new MemoryClient({ baseUrl: url, apiKey: key })
      const end = (async () => {
        for await (const event of client.notifications.stream({ signal: ending.signal })) told.push(event)
      })().catch(() => {})
      return { told, end }
    }
    const streams = [first, second].map(({ url, key }) => listen(url, key))
    for (const { told } of streams) await until(() => told.length === 1, 'the stream')
    await first.post('/v1/memory/regime/inject-anomaly', { magnitude: 100 })
    for (const { told } of streams) {
      await until(() => told.some(({ event }) => event === 'notification'), 'the notification')
    }
    await second.post('/v1/notifications/read-all')
    for (const { told } of streams) {
      await until(() => told.findLast(({ event }) => event === 'unread')?.data, 'how many are unread')
      await until(
        () => told.filter(({ event }) => event === 'unread').length >= 3,
        'that they were read elsewhere',
      )
    }
    ending.abort()
    await Promise.all(streams.map(({ end }) => end))
    const ids = streams.map(({ told }) =>
      told.filter(({ event }) => event === 'notification').map(({ id }) => id),
    )
    expect(ids[0]).toEqual(ids[1])
  })
})
