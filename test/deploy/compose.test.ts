import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as config from '@memory/shared/platform/config'
import { composeSettings, setByCompose } from '@memory/shared/platform/settings-help'
import { describe, expect, it } from 'vitest'
import { compose, composeText, environmentWith, interpolate, type ServiceName } from './compose-file.ts'
import { copiedSources, environmentOf, type Instruction, lastStage, readDockerfile } from './dockerfile.ts'

// Docker runs nowhere in these tests: they hold the deployment files against the code they deploy.

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const { services } = compose
const dockerfile = readDockerfile(read('Dockerfile'))
const imageEnvironment = environmentOf(dockerfile)
const proxyfile = readDockerfile(read('deploy/proxy/Dockerfile'))
const argumentsIn = (file: Instruction[], name: string) =>
  file.filter((instruction) => instruction.name === name).map(({ arguments: rest }) => rest)
const argumentsOf = (name: string) => argumentsIn(dockerfile, name)
const packageJson = JSON.parse(read('package.json')) as {
  dependencies: { node: string }
  scripts: Record<string, string>
}

/** What `.env` has to set. */
const needed = {
  POSTGRES_PASSWORD: 'secret',
  REDIS_PASSWORD: 'secret',
  MASTER_KEY: Buffer.alloc(32).toString('base64'),
}
const ours = ['api', 'worker'] as const

describe('docker-compose.yml', () => {
  it.each(['api', 'worker'] as const)('gives %s only variables the configuration knows', (name) => {
    const unknown = Object.keys(services[name].environment ?? {}).filter(
      (variable) => !(variable in config.settings),
    )
    expect(unknown).toEqual([])
  })

  it.each(ours)('gives %s settings it can start with, behind a proxy that ends TLS', (name) => {
    // What else may stand in `.env` is there too, and taken for no misspelt setting.
    const ofCompose = Object.entries(composeSettings).map(([key, { fallback }]) => [key, fallback])
    const environment = environmentWith(name, { ...Object.fromEntries(ofCompose), ...needed })
    const read = config.readConfig({ ...imageEnvironment, ...environment })
    expect(read.http.host).toBe(name === 'api' ? '0.0.0.0' : '127.0.0.1')
    expect(read.database.url).toBe('postgres://memory:secret@postgres:5432/memory')
    expect(read.http.publicBaseUrl).toBe('https://localhost')
    expect(environment).not.toHaveProperty('MEMORY_ALLOW_PLAINTEXT')
    const named = environmentWith(name, { ...needed, DOMAIN: 'memory.example.com' })
    expect(named.PUBLIC_BASE_URL).toBe('https://memory.example.com')
  })

  it.each(ours)('passes every setting of .env on to %s, but those that it says it sets itself', (name) => {
    const given = Object.fromEntries(
      Object.keys(config.settings).map((setting) => [setting, `of ${setting}`]),
    )
    const environment = environmentWith(name, { ...needed, ...given })
    const others = Object.keys(config.settings).filter((setting) => environment[setting] !== given[setting])
    expect(others.toSorted()).toEqual(setByCompose.toSorted())
  })

  it('opens the proxy alone, and to this machine unless BIND_ADDRESS says otherwise', () => {
    const published = (variables: Record<string, string>) =>
      Object.entries(services).flatMap(([name, { ports = [] }]) =>
        ports.map((port) => `${name} ${interpolate(port, variables)}`),
      )
    const { http } = config.readConfig(environmentWith('api', needed))
    const ops = `api 127.0.0.1:${http.opsPort}:${http.opsPort}`
    expect(published({})).toEqual([ops, 'proxy 127.0.0.1:80:8080', 'proxy 127.0.0.1:443:8443'])
    expect(published({ BIND_ADDRESS: '0.0.0.0' })).toEqual([
      ops,
      'proxy 0.0.0.0:80:8080',
      'proxy 0.0.0.0:443:8443',
    ])
  })

  it('lets the proxy reach the API alone, at the port that it listens on', () => {
    expect(Object.entries(services).filter(([, { networks }]) => networks?.includes('edge'))).toEqual([
      ['api', services.api],
      ['proxy', services.proxy],
    ])
    expect(services.proxy.networks).toEqual(['edge'])
    const { http } = config.readConfig(environmentWith('api', needed))
    expect(read('deploy/proxy/Caddyfile')).toContain(`reverse_proxy api:${http.port}`)
  })

  it('lets Prometheus reach the metrics of the API and of the workers', () => {
    for (const name of ours) expect(environmentWith(name, needed).OPS_HOST).toBe('0.0.0.0')
  })

  it('runs as many workers as are asked for', () => {
    const replicas = services.worker.deploy?.replicas ?? ''
    expect([interpolate(replicas, {}), interpolate(replicas, { WORKERS: '3' })]).toEqual(['1', '3'])
  })

  it('has no secret in it', () => {
    const passwords = composeText.match(/(?:PASSWORD: |postgres:\/\/memory:|AUTH: |redis:\/\/:)\S+/g) ?? []
    expect(passwords).toHaveLength(4)
    for (const password of passwords) expect(password).toMatch(/\$\{(?:POSTGRES|REDIS)_PASSWORD:\?/)
    for (const name of ['api', 'worker'] as const) {
      expect(services[name].environment?.MASTER_KEY).toMatch(/^\$\{MASTER_KEY:\?/)
    }
  })

  it('runs programs that exist', () => {
    for (const { command } of ours.map((name) => services[name])) {
      const [node, file = ''] = command ?? (JSON.parse(argumentsOf('CMD').at(-1) ?? '[]') as string[])
      expect(node).toBe('node')
      expect(existsSync(join(root, file)), file).toBe(true)
    }
  })

  it('pins every image', () => {
    expect(argumentsIn(proxyfile, 'FROM')).toEqual([expect.stringMatching(/^caddy:\d+\.\d+\.\d+-alpine$/)])
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
      const url = new URL(environmentWith(name, needed).REDIS_URL as string)
      expect([url.username, url.password, url.host]).toEqual(['', 'secret', 'redis:6379'])
    }
  })

  it('leaves Redis room below the limit of its container', () => {
    const { command = [], mem_limit } = services.redis
    expect(command[command.indexOf('--maxmemory') + 1]).toBe('512mb')
    expect(mem_limit).toBe('1g')
  })

  it.each(Object.keys(services) as ServiceName[])('confines %s', (name) => {
    const service = services[name]
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp']),
    })
    expect(interpolate(service.mem_limit ?? '', {})).toMatch(/^[1-9]\d*[mg]$/)
    expect([service.cap_add, service.privileged]).toEqual([undefined, undefined])
    // Of our own images the Dockerfile names the user.
    expect(service.user).toEqual(
      service.build !== undefined ? undefined : expect.stringMatching(/^(?:postgres|redis)$/),
    )
  })

  it('gives the API and a worker more memory than what they hold by their settings', () => {
    const { indexBudgetBytes, cacheBudgetBytes } = config.readConfig({})
    for (const name of ['api', 'worker'] as const) {
      const bytes = Number.parseInt(interpolate(services[name].mem_limit ?? '', {}), 10) * 2 ** 30
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

  it('asks for settings and for what .env.example says is its own, with the defaults told there', () => {
    const asked = [...composeText.matchAll(/\$\{(\w+):[-?]([^${}]*)\}/g)]
    const own = asked.filter(([, name = '']) => !(name in config.settings))
    expect([...new Set(own.map(([, name]) => name))].sort()).toEqual(Object.keys(composeSettings).sort())
    for (const [, name = '', fallback] of own) {
      if (name.endsWith('_PASSWORD')) continue
      expect(fallback, name).toBe(composeSettings[name]?.fallback)
    }
  })

  it('says what is missing in .env', () => {
    expect(() => environmentWith('api', { ...needed, MASTER_KEY: '' })).toThrow(/MASTER_KEY .+ openssl rand/)
    for (const name of Object.keys(needed)) expect(read('.env.example')).toContain(`\n#${name}=\n`)
  })
})

describe('Dockerfile', () => {
  it('builds on the Node.js that the project pins', () => {
    const major = packageJson.dependencies.node.split('.')[0]
    const stages = argumentsOf('FROM').map((rest) => rest.split(' AS ')[1])
    const images = argumentsOf('FROM')
      .map((rest) => rest.split(' ')[0])
      .filter((image) => !stages.includes(image))
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
      expect(allowed, source).toContain(allowed.includes(source) ? source : source.split('/')[0])
    }
  })

  it('has every file that the scripts of an operator name', () => {
    const copied = copiedSources(lastStage(dockerfile))
    const isCopied = (file: string) => copied.some((each) => file === each || file.startsWith(`${each}/`))
    const scripts = Object.entries(packageJson.scripts).filter(([, script]) => / apps\/\S+\.ts$/.test(script))
    const names = scripts.map(([name]) => name)
    expect(names).toEqual(
      expect.arrayContaining(['migrate', 'backup', 'restore', 'doctor', 'keys', 'accounts']),
    )
    for (const [name, script] of scripts) {
      const files = script.match(/(?<= (?:\.\/)?)\b[\w-]+\/\S+\.\w+/g) ?? []
      expect(files.length, name).toBeGreaterThan(1)
      for (const file of files) expect(isCopied(file), `${file} of npm run ${name}`).toBe(true)
    }
  })

  it('can back up and restore the database of docker-compose.yml, into the volume', () => {
    const major = /-pg(\d+)-/.exec(services.postgres.image)?.[1]
    const commands = lastStage(dockerfile).filter(({ name }) => name === 'RUN')
    expect(commands.some(({ arguments: rest }) => rest.includes(` postgresql-client-${major} `))).toBe(true)
    const { backupDir, dataDir } = config.readConfig({
      ...imageEnvironment,
      ...environmentWith('api', needed),
    })
    expect(backupDir).toBe(join(dataDir, 'backups'))
  })

  it('installs the dependencies of every workspace', () => {
    const manifests = globSync(['packages/*/package.json', 'apps/*/package.json'], { cwd: root })
    expect(manifests.length).toBeGreaterThan(0)
    expect(copiedSources(dockerfile)).toEqual(expect.arrayContaining(manifests))
  })

  it('sets only variables the configuration knows', () => {
    const unknown = Object.keys(imageEnvironment).filter((variable) => !(variable in config.settings))
    // Read by libraries, and by npm, which may write to /tmp alone.
    expect(unknown).toEqual([
      'NODE_ENV',
      'NPM_CONFIG_CACHE',
      'NPM_CONFIG_UPDATE_NOTIFIER',
      'ORT_DISABLE_TELEMETRY',
    ])
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

describe('the proxy’s image', () => {
  it('runs as nobody, who may keep certificates, on ports for which no capability is needed', () => {
    expect(argumentsIn(proxyfile, 'USER')).toEqual(['nobody'])
    expect(argumentsIn(proxyfile, 'RUN')).toEqual([
      'setcap -r /usr/bin/caddy && chown -R nobody /data /config',
    ])
    const [http, https] = argumentsIn(proxyfile, 'EXPOSE')[0]?.split(' ') ?? []
    const caddyfile = read('deploy/proxy/Caddyfile')
    expect(caddyfile).toContain(`http_port ${http}\n`)
    expect(caddyfile).toContain(`https_port ${https}\n`)
  })
})
