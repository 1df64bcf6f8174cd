import { asTask } from '@memory/shared/platform/database/database'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { startTcpProxy } from '../faults/tcp-proxy.ts'
import { SmtpServer } from '../mail/smtp-server.ts'
import { hasRedis, redisUrl } from '../platform/queue/backends.ts'
import { CommandProcess } from '../process/service-process.ts'
import { newUser } from '../support/accounts.ts'
import { onPostgres } from '../support/database.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// With the embedded database the API's process does this work.
describe.runIf(onPostgres)('a worker process', () => {
  let server: TestServer
  let smtp: SmtpServer
  let worker: CommandProcess | undefined

  beforeAll(async () => {
    server = await startServer()
    smtp = await SmtpServer.start()
  })

  afterAll(async () => {
    await worker?.stop('SIGKILL')
    await smtp.stop()
    await server.close()
  })

  const startWorker = (settings: Record<string, string> = {}) =>
    new CommandProcess('apps/worker/src/main.ts', [], {
      ...settings,
      DATABASE_URL: server.databaseUrl as string,
      MEMORY_DATA_DIR: server.context.config.dataDir,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'memory@example.com',
    })

  it('L4, F2 sends a mail once, though it was killed five times with it in hand; then ends in order', async () => {
    // No answer: the worker waits with the mail in hand.
    smtp.answer = undefined
    const ada = await newUser(server)
    for (let kill = 1; kill <= 5; kill++) {
      worker = startWorker()
      await until(() => smtp.recipients.length === kill, `attempt ${kill}`, 20_000)
      await worker.stop('SIGKILL')
      // As if the lease of the dead worker had run out.
      await asTask(server.context.database.queries, 'relay-outbox', (trx) =>
        sql`update app.outbox set available_at = now()`.execute(trx),
      )
    }
    expect(smtp.mails).toEqual([])
    smtp.answer = '250 OK'
    worker = startWorker()
    await until(() => smtp.mails.length > 0, 'the mail', 20_000)
    const ben = await newUser(server)
    await until(() => smtp.mails.length > 1, 'the next mail, by the same worker')
    expect(smtp.mails.map(({ to }) => to)).toEqual([ada.email, ben.email])
    expect(await worker.stop('SIGTERM')).toMatchObject({ code: 0 })
    expect(worker.stdout).not.toContain(smtp.mails[0]?.token)
  })

  it('tells operators that it lives, is ready and what it does, on a port of its own', async () => {
    const port = await freePort()
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    smtp.answer = '250 OK'
    worker = startWorker({ WORKER_OPS_PORT: String(port) })
    await until(() => worker?.stdout.includes('worker ready') ?? false, 'the worker', 20_000)
    expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' })
    expect(await (await ask('/readyz')).json()).toMatchObject({ status: 'ready', queue: 'postgres' })
    expect(await (await ask('/metrics')).text()).toMatch(/^memory_ready 1$[\s\S]*^memory_degraded 0$/m)
    await server.context.queue.add('purge-traces', {})
    await until(async () => {
      const metrics = await (await ask('/metrics')).text()
      return /^memory_job_seconds_count\{job="purge-traces",outcome="completed"\} [1-9]/m.test(metrics)
    }, 'the job in the metrics')
    expect((await ask('/ops/keys')).status).toBe(404)
    const second = startWorker({ WORKER_OPS_PORT: String(port) })
    await until(() => second.stdout.includes('worker ready'), 'a worker whose port is taken', 20_000)
    expect(second.stdout).toContain(`Port ${port} is in use`)
    for (const each of [second, worker]) expect(await each.stop('SIGTERM')).toMatchObject({ code: 0 })
  })

  it.runIf(hasRedis)(
    'is degraded while Redis is away, and alive',
    async () => {
      const url = new URL(redisUrl)
      const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 6379) })
      url.host = `127.0.0.1:${proxy.port}`
      url.pathname = '/12'
      const port = await freePort()
      worker = startWorker({ WORKER_OPS_PORT: String(port), REDIS_URL: url.href })
      const ready = async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
        return answer && (await answer.json()).status
      }
      await until(async () => (await ready()) === 'ready', 'the worker', 20_000)
      proxy.cut()
      await until(async () => (await ready()) === 'degraded', 'the worker to miss Redis')
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
      expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
      await proxy.mend()
      await until(async () => (await ready()) === 'ready', 'the worker to have Redis again', 20_000)
      expect(await worker.stop('SIGTERM')).toMatchObject({ code: 0 })
      proxy.close()
    },
    60_000,
  )

  it('refuses to start with another master key, and does not print it', async () => {
    const other = Buffer.alloc(32, 9).toString('base64')
    const started = new CommandProcess('apps/worker/src/main.ts', [], {
      DATABASE_URL: server.databaseUrl as string,
      MEMORY_DATA_DIR: server.context.config.dataDir,
      MASTER_KEY: other,
    })
    await newUser(server)
    const { code, stdout, stderr } = await started.exit
    expect(code).toBe(1)
    expect(stderr).toContain('The master key is not the one')
    expect(stdout + stderr).not.toContain(other)
  })
})
