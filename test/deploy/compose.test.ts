import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { copiedSources, environmentOf, readDockerfile } from './dockerfile.ts'

// Docker runs nowhere in these tests: they hold the deployment files against the code they deploy.

interface Service {
  image: string
  environment?: Record<string, string>
  command?: string[]
  ports?: string[]
  volumes?: string[]
  healthcheck?: { test?: string[] }
  depends_on?: Record<string, { condition: string }>
  user?: string
  cap_drop?: string[]
  cap_add?: string[]
  privileged?: boolean
  security_opt?: string[]
  read_only?: boolean
  tmpfs?: string[]
  mem_limit?: string
}

interface Compose {
  services: Record<'postgres' | 'redis' | 'api' | 'worker', Service>
  volumes: Record<string, null>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose
const { services } = compose
const dockerfile = readDockerfile(read('Dockerfile'))
const imageEnvironment = environmentOf(dockerfile)
const argumentsOf = (name: string) =>
  dockerfile.filter((instruction) => instruction.name === name).map(({ arguments: rest }) => rest)
const packageJson = JSON.parse(read('package.json')) as { dependencies: { node: string } }

/** What a value reads as when `.env` sets only what is required. */
const resolved = (value: string) =>
  value
    .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replace(/\$\{MASTER_KEY:\?[^}]*\}/g, Buffer.alloc(32).toString('base64'))
    .replace(/\$\{\w+:\?[^}]*\}/g, 'secret')

let config: typeof import('../../packages/shared/src/platform/config.ts')
beforeAll(async () => {
  config = await import('../../packages/shared/src/platform/config.ts')
})

describe('docker-compose.yml', () => {
  it.each(['api', 'worker'] as const)('gives %s only variables the configuration knows', (name) => {
    const unknown = Object.keys(services[name].environment ?? {}).filter(
      (variable) => !(variable in config.settings),
    )
    expect(unknown).toEqual([])
  })

  it.each(['api', 'worker'] as const)('gives %s settings it can start with', (name) => {
    const variables = Object.entries(services[name].environment ?? {}).map(([variable, value]) => [
      variable,
      resolved(value),
    ])
    const { http, database } = config.readConfig({ ...imageEnvironment, ...Object.fromEntries(variables) })
    expect(http.host).toBe(name === 'api' ? '0.0.0.0' : '127.0.0.1')
    expect(database.url).toBe('postgres://memory:secret@postgres:5432/memory')
  })

  it('publishes the port the API listens on, to this machine only', () => {
    const { http } = config.readConfig({})
    expect(services.api.ports).toEqual([`127.0.0.1:${http.port}:${http.port}`])
    expect([services.postgres.ports, services.redis.ports, services.worker.ports]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('has no secret in it', () => {
    const passwords =
      read('docker-compose.yml').match(/(?:PASSWORD: |postgres:\/\/memory:|AUTH: |redis:\/\/:)\S+/g) ?? []
    expect(passwords).toHaveLength(4)
    for (const password of passwords) expect(password).toMatch(/\$\{(?:POSTGRES|REDIS)_PASSWORD:\?/)
    for (const name of ['api', 'worker'] as const) {
      expect(services[name].environment?.MASTER_KEY).toMatch(/^\$\{MASTER_KEY:\?/)
    }
  })

  it('runs programs that exist', () => {
    for (const { command } of [services.api, services.worker]) {
      const [node, file = ''] = command ?? (JSON.parse(argumentsOf('CMD').at(-1) ?? '[]') as string[])
      expect(node).toBe('node')
      expect(existsSync(join(root, file)), file).toBe(true)
    }
  })

  it('pins every image', () => {
    for (const [name, { image }] of Object.entries(services)) expect(image, name).toMatch(/^[^:]+:.*\d/)
  })

  it('starts after what it needs is healthy', () => {
    for (const { depends_on = {} } of Object.values(services)) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect(condition).toBe('service_healthy')
        const checked =
          needed === 'api' ? argumentsOf('HEALTHCHECK') : services[needed as 'redis'].healthcheck?.test
        expect(checked).toBeDefined()
      }
    }
  })

  it('asks the worker’s own listener whether it lives', () => {
    const { http } = config.readConfig({})
    const [kind, node, , script] = services.worker.healthcheck?.test ?? []
    expect([kind, node]).toEqual(['CMD', 'node'])
    // Compose reads $$ as $.
    expect(script?.replaceAll('$$', '$')).toContain(
      `process.env.WORKER_OPS_PORT || ${http.workerOpsPort}}/healthz`,
    )
  })

  it('keeps data in volumes that it declares, at the data folder of the image', () => {
    const used = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')),
    )
    expect([...new Set(used.map(([name]) => name))].sort()).toEqual(Object.keys(compose.volumes).sort())
    expect(used).toContainEqual(['data', imageEnvironment.MEMORY_DATA_DIR])
  })

  it('lets Redis drop no job', () => {
    expect(services.redis.command).toEqual(expect.arrayContaining(['--maxmemory-policy', 'noeviction']))
  })

  it('asks for a password of Redis, which all who use it have', () => {
    const { command = [], environment = {}, healthcheck } = services.redis
    const password = command[command.indexOf('--requirepass') + 1] ?? ''
    expect(password).toMatch(/^\$\{REDIS_PASSWORD:\?.+\}$/)
    expect(environment.REDISCLI_AUTH).toBe(password)
    expect(healthcheck?.test?.join(' ')).toContain('PONG')
    for (const name of ['api', 'worker'] as const) {
      const url = new URL(resolved(services[name].environment?.REDIS_URL ?? ''))
      expect([url.username, url.password, url.host]).toEqual(['', 'secret', 'redis:6379'])
    }
  })

  it('leaves Redis room below the limit of its container', () => {
    const { command = [], mem_limit } = services.redis
    expect(command[command.indexOf('--maxmemory') + 1]).toBe('512mb')
    expect(mem_limit).toBe('1g')
  })

  it.each(Object.keys(services) as (keyof Compose['services'])[])('confines %s', (name) => {
    const service = services[name]
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp']),
      mem_limit: expect.stringMatching(/^[1-9]\d*[mg]$/),
    })
    expect([service.cap_add, service.privileged]).toEqual([undefined, undefined])
    // Of our own image the Dockerfile names the user.
    const isOurs = service.image === services.api.image
    expect(service.user).toEqual(isOurs ? undefined : expect.stringMatching(/^(?:postgres|redis)$/))
  })

  it('gives the API and a worker more memory than what they hold by their settings', () => {
    const { indexBudgetBytes, cacheBudgetBytes } = config.readConfig({})
    for (const name of ['api', 'worker'] as const) {
      const bytes = Number.parseInt(services[name].mem_limit ?? '', 10) * 2 ** 30
      expect(bytes).toBeGreaterThan(1.5 * indexBudgetBytes + cacheBudgetBytes + 2 ** 30)
    }
  })

  it('shows no service what another one keeps', () => {
    const names = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(':')[0]),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(services.worker.environment).not.toHaveProperty('MEMORY_BOOTSTRAP')
  })

  it('asks only for what .env.example names', () => {
    const asked = [...read('docker-compose.yml').matchAll(/\$\{(\w+):/g)].map(([, name]) => name)
    expect(read('.env.example').match(/\b[A-Z0-9_]{2,}\b/g)).toEqual(expect.arrayContaining(asked))
  })
})

describe('Dockerfile', () => {
  it('builds on the Node.js that the project pins', () => {
    const major = packageJson.dependencies.node.split('.')[0]
    const images = argumentsOf('FROM').map((rest) => rest.split(' ')[0])
    // What runs; the native kernels are built in an image of their own.
    expect(images.at(-1)).toBe(`node:${major}-bookworm-slim`)
    expect(images.filter((image) => !image?.startsWith('rust:'))).toEqual(
      images.filter((image) => image === `node:${major}-bookworm-slim`),
    )
  })

  it('copies what exists and what .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const source of copiedSources(dockerfile)) {
      expect(existsSync(join(root, source)), source).toBe(true)
      expect(allowed, source).toContain(source.split('/')[0])
    }
  })

  it('installs the dependencies of every workspace', () => {
    const manifests = globSync(['packages/*/package.json', 'apps/*/package.json'], { cwd: root })
    expect(manifests.length).toBeGreaterThan(0)
    expect(copiedSources(dockerfile)).toEqual(expect.arrayContaining(manifests))
  })

  it('sets only variables the configuration knows', () => {
    const unknown = Object.keys(imageEnvironment).filter((variable) => !(variable in config.settings))
    // Read by libraries.
    expect(unknown).toEqual(['NODE_ENV', 'ORT_DISABLE_TELEMETRY'])
    expect(imageEnvironment.ORT_DISABLE_TELEMETRY).toBe('1')
  })

  it('exposes and checks the port the API listens on, and stops as the API expects', () => {
    const { http } = config.readConfig({})
    expect(argumentsOf('EXPOSE')).toEqual([String(http.port)])
    expect(argumentsOf('HEALTHCHECK').join()).toContain(`process.env.PORT || ${http.port}}/healthz`)
    expect(argumentsOf('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  it('does not run as root', () => {
    expect(argumentsOf('USER')).toEqual(['node'])
    expect(argumentsOf('RUN').at(-1)).toBe('install --directory --owner=node --group=node --mode=700 data')
    expect(argumentsOf('VOLUME')).toEqual([imageEnvironment.MEMORY_DATA_DIR])
  })
})
