import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@memory/shared/platform/database/database'
import { createLog } from '@memory/shared/platform/log'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { Anonymous, newEmail } from '../support/accounts.ts'
import { readMails } from '../support/mails.ts'
import { until } from '../support/until.ts'
import { canStartRedis, RedisServer } from './runner/redis-server.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

describe.runIf(canStartRedis)('F5 while Redis is down', () => {
  let folder: string
  let proxy: TcpProxy
  let service: ServiceProcess
  let redis: RedisServer
  /** Sees Redis when the service does not. */
  let queue: JobQueue

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-outage-'))
    redis = await RedisServer.start()
    queue = new JobQueue({ redisUrl: redis.url, database: {} as Database, log: createLog('silent') })
    proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(redis.url).port) })
    service = await startService(folder, { REDIS_URL: `redis://127.0.0.1:${proxy.port}` })
    // Before it has kept its schedules, or while it does.
    proxy.cut()
  })

  afterAll(async () => {
    await service.stop('SIGKILL')
    proxy.close()
    await queue.close()
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const ready = async () => (await service.client().get('/readyz')).body
  const is = (status: string) => until(async () => (await ready()).status === status, status)
  /** So many at least: schedules whose minute comes meanwhile have jobs too. */
  const done = (count: number) =>
    until(async () => {
      const { waiting, active, completed } = (await queue.counts()).chores
      return waiting + active === 0 && completed >= count
    }, `${count} jobs done`)

  it('the service says that it is degraded from its start on; with Redis it is ready and keeps its schedules', async () => {
    await is('degraded')
    expect(await ready()).toMatchObject({ queue: 'redis' })
    await proxy.mend()
    await is('ready')
    await until(async () => (await queue.counts()).chores.delayed > 10, 'the schedules', 240_000)
    await queue.add('purge-traces', {})
    await done(1)
  })

  it('memory is written and read, users register and get their mail, readiness says degraded', async () => {
    proxy.cut()
    const began = performance.now()
    await service.client().store(['Ada lives in Lisbon.'])
    expect(await service.client().retrieve('Where does Ada live?')).toEqual(['Ada lives in Lisbon.'])
    const email = newEmail()
    const registered = await new Anonymous(service.url).post('/v1/auth/register', {
      email,
      password: 'a password of this test',
    })
    expect(registered.status).toBe(201)
    await until(() => readMails(join(folder, 'outbox')).some(({ to }) => to === email), 'the mail')
    expect(performance.now() - began).toBeLessThan(15_000)
    await is('degraded')
    expect((await fetch(`http://127.0.0.1:${service.opsPort}/metrics`)).status).toBe(200)
  })

  it('F5 R6 E4 authentication and limits are as strict as with it', async () => {
    const anyone = new Anonymous(service.url)
    const [email, password] = [newEmail(), 'a password of this test']
    const { body } = await anyone.post('/v1/auth/register', { email, password })
    const asUser = { Authorization: `Bearer ${body.access_token}` }
    const { body: key } = await anyone.post('/v1/api-keys', { name: 'a key' }, asUser)
    const { body: phone } = await anyone.post('/v1/auth/login', { email, password })
    const byKey = () => anyone.get('/v1/memory/text/stats', { 'X-API-Key': key.key })
    const byPhone = () => anyone.get('/v1/users/me', { Authorization: `Bearer ${phone.access_token}` })
    expect([(await byKey()).status, (await byPhone()).status]).toEqual([200, 200])

    expect((await anyone.delete(`/v1/api-keys/${key.id}`, undefined, asUser)).status).toBe(200)
    expect(await byKey()).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } })
    const sessions = (await anyone.get('/v1/security/sessions', asUser)).body
    const { id } = sessions.find((each: { is_current: boolean }) => !each.is_current)
    expect((await anyone.delete(`/v1/security/sessions/${id}`, undefined, asUser)).status).toBe(200)
    expect(await byPhone()).toMatchObject({ status: 401, body: { detail: 'Token revoked' } })

    const wrong = await Promise.all(
      Array.from({ length: 15 }, () => anyone.post('/v1/auth/login', { email, password: 'wrong' })),
    )
    expect(wrong.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
    expect((await anyone.post('/v1/auth/login', { email, password })).status).toBe(429)
    await is('degraded')
  })

  it('the backlog drains when it is back, and the process ends in order', async () => {
    for (let i = 0; i < 3; i++) await queue.add('purge-traces', {})
    expect((await queue.counts()).chores.waiting).toBeGreaterThanOrEqual(3)
    await proxy.mend()
    await done(4)
    await is('ready')
    expect(await service.stop('SIGTERM')).toMatchObject({ code: 0 })
  })

  it('a process whose Redis is gone ends in order too', async () => {
    service = await startService(folder, { REDIS_URL: `redis://127.0.0.1:${proxy.port}` })
    await is('ready')
    proxy.cut()
    await is('degraded')
    const began = performance.now()
    const { code } = await service.stop('SIGTERM')
    expect(code).toBe(0)
    expect(performance.now() - began).toBeLessThan(28_000)
  })
})
