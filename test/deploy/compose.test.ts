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
    const passwords = read('docker-compose.yml').match(/(?:PASSWORD: |postgres:\/\/memory:)\S+/g) ?? []
    expect(passwords.length).toBeGreaterThan(0)
    for (const password of passwords) expect(password).toContain('${POSTGRES_PASSWORD:?')
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
    expect(argumentsOf('VOLUME')).toEqual([imageEnvironment.MEMORY_DATA_DIR])
  })
})
