import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { project } from '@memory/sdk'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages, packages } from '../../scripts/build-packages.ts'
import { runtimesFolder } from '../../scripts/test-runtimes.ts'
import {
  breaksOff,
  fails,
  hangsUp,
  keepsSilent,
  ok,
  type Step,
  startScriptedServer,
} from './scripted-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const read = (path: string) => readFileSync(join(root, path), 'utf8')

let folder: string

/** A project into which both packages are installed as they would be published, without this repository around. */
beforeAll(() => {
  buildPackages()
  folder = mkdtempSync(join(tmpdir(), 'memory-packages-'))
  for (const name of packages) {
    const installed = join(folder, 'node_modules/@memory', name)
    mkdirSync(installed, { recursive: true })
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: join(root, 'packages', name, 'dist'),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ filename: string }]
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed])
  }
  for (const name of ['express', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  const version = JSON.parse(read('package.json')).version
  const dependencies = Object.fromEntries(packages.map((name) => [`@memory/${name}`, version]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, `node_modules/@memory/${name}/package.json`), 'utf8'))

describe('the published packages', () => {
  it('have entries that exist, a README and a licence, and no more dependencies than they say', () => {
    for (const name of packages) {
      const manifest = manifestOf(name)
      expect(manifest).not.toHaveProperty('private')
      expect(manifest).not.toHaveProperty('devDependencies')
      expect(manifest.version).toBe(JSON.parse(read('package.json')).version)
      const installed = globSync('**', { cwd: join(folder, 'node_modules/@memory', name) })
      for (const { types, default: script } of Object.values(manifest.exports) as Record<string, string>[]) {
        expect(installed).toEqual(expect.arrayContaining([types?.slice(2), script?.slice(2)]))
      }
      expect(installed).toEqual(expect.arrayContaining(['README.md', 'LICENSE']))
    }
    expect(manifestOf('sdk').dependencies).toBeUndefined()
    expect(manifestOf('router').dependencies).toEqual({ '@memory/sdk': manifestOf('sdk').version })
  })

  it('have types that a project of its own compiles with, and that find mistakes', () => {
    const use = (lines: string) => `import { MemoryClient, type AnswerOf } from '@memory/sdk'
import { createMemoryRouter } from '@memory/router'
import { createMemoryHandler } from '@memory/router/fetch'
const memory = new MemoryClient({ apiKey: 'key' })
export async function use() {
${lines}
}
export const router = createMemoryRouter({ client: memory, scope: (req) => ({ user: req.get('x-user') ?? '' }) })
export const handler = createMemoryHandler({ apiKey: 'key', scope: (request) => ({ user: request.url }) })
export type Stored = AnswerOf<'POST /v1/memory/text/store'>
`
    const good = `  const { results } = await memory.text.recall({ query: 'x', filter: { user: 'ada' } }, { actor: 'ada' })
  const ids: string[] = results.map((each) => each.pattern_id)
  for await (const { text } of memory.patterns.all()) ids.push(text ?? '')
  await memory.organizations.updateMember('org', 'user', { role: 'admin' })
  const file: Blob = await memory.users.downloadExport('id')
  await memory.patterns.deleteAll({ confirm: 'all' })
  return [ids, file, await memory.text.stats(), await memory.engine.sleep()]`
    const mistakes = [
      `return memory.text.recall({ top_k: 3 })`,
      `return memory.text.recall({ query: 'x', top_k: '3' })`,
      `return (await memory.text.stats()).patterns`,
      `return memory.patterns.get()`,
      `return memory.patterns.deleteAll()`,
      `return memory.organizations.updateMember('org', { role: 'admin' })`,
    ]
    writeFileSync(join(folder, 'good.ts'), use(good))
    for (const [n, line] of mistakes.entries()) writeFileSync(join(folder, `mistake-${n}.ts`), use(line))
    for (const moduleResolution of ['nodenext', 'bundler']) {
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
            ...{ moduleResolution, target: 'es2022', strict: true, noEmit: true, types: ['node'] },
          },
        }),
      )
      let output = ''
      try {
        execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], {
          cwd: folder,
          encoding: 'utf8',
        })
      } catch (error) {
        output = (error as { stdout: string }).stdout
      }
      const wrong = new Set([...output.matchAll(/^(\S+?)\(/gm)].map(([, file]) => file))
      expect([...wrong].toSorted(), output).toEqual(mistakes.map((_, n) => `mistake-${n}.ts`))
    }
  })

  it.each(runtimes())(
    'run in %s',
    async (_, command, args) => {
      await using server = await startScriptedServer(answerSmoke)
      copyFileSync(join(root, 'test/sdk/smoke.mjs'), join(folder, 'smoke.mjs'))
      const { stdout } = await run(command, [...args, 'smoke.mjs', server.url], { cwd: folder })
      const whole = { total_patterns: 7, embedding_dim: 384, storage_bytes: 1 }
      expect(JSON.parse(stdout)).toEqual({
        stats: whole,
        handler: whole,
        listed: ['pat_1', 'pat_2'],
        unavailable: 'ServerError 503',
        waits: [1_000, 2_000, 4_000],
        redirect: 'ApiError 307',
        brokenOff: 'ConnectionError',
        hangUp: 'ConnectionError',
        late: 'TimeoutError',
        aborted: 'AbortError',
        file: 'zipped',
        webhook: 'evt_1',
        projection: project([1, 2, 3], 2),
      })
    },
    60_000,
  )
})

/** One answer for each call of `smoke.mjs`. */
const answerSmoke: Step = (response, request) => {
  const steps: Record<string, Step> = {
    'GET /v1/memory/text/stats': ok({ total_patterns: 7, embedding_dim: 384, storage_bytes: 1 }),
    'GET /v1/memory/patterns': ok({ patterns: [{ pattern_id: 'pat_1' }], next_cursor: '2' }),
    'GET /v1/memory/patterns?cursor=2': ok({ patterns: [{ pattern_id: 'pat_2' }], next_cursor: null }),
    'GET /v1/memory/brain': fails(503, 'Service unavailable'),
    'GET /v1/memory/regime': (response) => response.writeHead(307, { Location: '/elsewhere' }).end(),
    'GET /v1/memory/text/important': breaksOff,
    'GET /v1/memory/tiered/stats': hangsUp,
    'POST /v1/memory/sleep': keepsSilent,
    'GET /v1/users/me/exports/1/download': (response) => response.end('zipped'),
  }
  const step = steps[`${request.method} ${request.path}`] ?? fails(404, 'Not Found')
  step(response, request)
}

/** Names and commands of what can run the packages here; Deno and Bun after `npm run test:runtimes`. */
function runtimes(): [name: string, command: string, args: string[]][] {
  const others = ['deno', 'bun'].map((name) => join(runtimesFolder, 'node_modules/.bin', name))
  const [deno, bun] = others as [string, string]
  return [
    ['Node', process.execPath, []],
    ...systemNodes().map((path) => [`Node at ${path}`, path, []] as [string, string, string[]]),
    ...(existsSync(deno) ? [['Deno', deno, ['run', '--allow-net', '--node-modules-dir=manual']]] : []),
    ...(existsSync(bun) ? [['Bun', bun, ['run']]] : []),
  ] as [string, string, string[]][]
}

/** A Node of the system's own, of a version that is supported. */
function systemNodes(): string[] {
  return ['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node'].filter((path) => {
    try {
      const version = execFileSync(path, ['--version'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      return Number(/^v(\d+)/.exec(version)?.[1]) >= 20
    } catch {
      return false
    }
  })
}

/** A bundle of what a browser would get, minified. */
async function bundle(entry: string): Promise<string> {
  const file = join(folder, 'entry.mjs')
  writeFileSync(file, entry)
  await using build = await rolldown({ input: file, platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  expect(output).toHaveLength(1)
  return output[0].code
}

describe('in a browser', () => {
  it.each(['@memory/sdk', '@memory/router/fetch'])(
    '%s needs no module and no global of Node’s',
    async (name) => {
      const code = await bundle(`export * from '${name}'`)
      expect(code).not.toMatch(/\bimport\b|\brequire\b/)
      expect(code).not.toMatch(/\b(process|Buffer|__dirname|global|setImmediate)\b\s*[.[(]/)
    },
  )

  it('gets only what it uses', async () => {
    const whole = await bundle(`export * from '@memory/sdk'`)
    const projection = await bundle(`export { project } from '@memory/sdk'`)
    const webhook = await bundle(`export { verifyWebhook } from '@memory/sdk'`)
    expect(whole).toContain('/v1/memory/text/store')
    expect(projection).not.toMatch(/\/v1\/|whsec_/)
    expect(webhook).not.toMatch(/\/v1\/|Hadamard/)
    expect(projection.length).toBeLessThan(whole.length / 5)
  })
})
