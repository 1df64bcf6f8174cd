import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { project } from 'memory-service-sdk'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPackages, packages } from '../../scripts/build-packages.ts'
import { runtimesFolder } from '../../scripts/test-runtimes.ts'
import { systemNodes } from '../support/system-nodes.ts'
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
/** What `npm pack` made of each package. */
const packed = new Map<string, string>()

const npm = (args: string[], cwd: string) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** An empty project into which packages are installed as from a registry, which there is none of. */
function newProject(names: readonly string[]): string {
  const project = mkdtempSync(join(tmpdir(), 'memory-packages-'))
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  const archives = names.map((name) => packed.get(name) as string)
  npm(['install', '--offline', '--no-audit', '--no-fund', ...archives], project)
  return project
}

beforeAll(() => {
  buildPackages()
  const archives = mkdtempSync(join(tmpdir(), 'memory-archives-'))
  for (const name of packages) {
    const args = ['pack', '--json', '--pack-destination', archives]
    const [{ filename }] = JSON.parse(npm(args, join(root, 'packages', name, 'dist'))) as [
      { filename: string },
    ]
    packed.set(name, join(archives, filename))
  }
  folder = newProject(packages)
  for (const name of ['express', '@types', 'ai', '@ai-sdk', '@mastra', '@standard-schema']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}, 120_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(dirname(packed.get('sdk') as string), { recursive: true, force: true })
})

const nameOf = (folder: string) => `memory-service-${folder}`
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', nameOf(name), 'package.json'), 'utf8'))

describe('the published packages', () => {
  it('have entries that exist, a README and a licence, and no more dependencies than they say', () => {
    for (const name of packages) {
      const manifest = manifestOf(name)
      expect(manifest).not.toHaveProperty('private')
      expect(manifest).not.toHaveProperty('devDependencies')
      expect(manifest.version).toBe(JSON.parse(read('package.json')).version)
      const installed = globSync('**', { cwd: join(folder, 'node_modules', nameOf(name)) })
      const { './package.json': _, ...entries } = manifest.exports
      for (const ways of Object.values(entries) as Record<string, Record<string, string>>[]) {
        for (const { types, default: script } of Object.values(ways)) {
          expect(installed).toEqual(expect.arrayContaining([types?.slice(2), script?.slice(2)]))
        }
      }
      expect(installed).toEqual(expect.arrayContaining(['README.md', 'LICENSE']))
    }
    expect(manifestOf('sdk').dependencies).toBeUndefined()
    expect(manifestOf('router').dependencies).toEqual({ 'memory-service-sdk': manifestOf('sdk').version })
  })

  it.each(packages)('%s pleases who looks for mistakes in packages', async (name) => {
    const { messages } = await publint({ pkgDir: join(root, 'packages', name, 'dist'), strict: true })
    expect(messages).toEqual([])
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '--eval', analyze, packed.get(name) as string],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    const { types, problems } = JSON.parse(output) as {
      types: unknown
      problems: { resolutionKind?: string }[]
    }
    expect(types).toBeTruthy()
    // What resolves as Node 10 did knows no entries beside the main one.
    expect(problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([])
  })

  it('have types that a project of its own compiles with, and that find mistakes', () => {
    const use = (lines: string) => `import { MemoryClient, type AnswerOf } from 'memory-service-sdk'
import { createMemoryRouter } from 'memory-service-router'
import { createMemoryHandler } from 'memory-service-router/fetch'
import { memoryMiddleware, memoryTools } from 'memory-service-sdk/ai'
import { memoryProcessor } from 'memory-service-sdk/mastra'
import { generateText, wrapLanguageModel, type LanguageModel } from 'ai'
import { Agent } from '@mastra/core/agent'
const memory = new MemoryClient({ apiKey: 'key' })
const ada = memory.forSubject('ada')
export const wrapped = (model: Parameters<typeof wrapLanguageModel>[0]['model']) =>
  wrapLanguageModel({ model, middleware: memoryMiddleware(ada, { topK: 3 }) })
export const answered = (model: LanguageModel) => generateText({ model, tools: memoryTools(ada), prompt: 'Hi' })
const processor = memoryProcessor(memory)
export const agent = new Agent({
  ...{ id: 'a', name: 'a', instructions: 'Be brief.', model: 'openai/any' },
  inputProcessors: [processor], outputProcessors: [processor],
})
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
  const maybe = ids.length > 1 ? 1 : undefined
  await memory.text.recall({ query: 'x', top_k: maybe })
  for await (const _ of memory.patterns.all({ limit: maybe })) break
  return [ids, file, await memory.text.stats(), await memory.engine.sleep()]`
    const mistakes = [
      `return memory.text.recall({ top_k: 3 })`,
      `return memory.text.recall({ query: 'x', top_k: '3' })`,
      `return memory.text.recall({ query: 'x', filter: undefined })`,
      `return memory.text.forget({ query: 'x', threshold: undefined })`,
      `return (await memory.text.stats()).patterns`,
      `return memory.patterns.get()`,
      `return memory.patterns.deleteAll()`,
      `return memory.organizations.updateMember('org', { role: 'admin' })`,
    ]
    writeFileSync(join(folder, 'good.ts'), use(good))
    writeFileSync(join(folder, 'good.cts'), use(good))
    for (const [n, line] of mistakes.entries()) writeFileSync(join(folder, `mistake-${n}.ts`), use(line))
    for (const moduleResolution of ['nodenext', 'bundler']) {
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
            ...{ moduleResolution, target: 'es2022', strict: true, noEmit: true, types: ['node'] },
            exactOptionalPropertyTypes: true,
          },
        }),
      )
      let output = ''
      try {
        execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], {
          cwd: folder,
          encoding: 'utf8',
          // What the other packages' types say is a mebibyte already, which is where Node would cut it off.
          maxBuffer: Number.POSITIVE_INFINITY,
        })
      } catch (error) {
        output = (error as { stdout: string }).stdout
      }
      const wrong = new Set(
        [...output.matchAll(/^(\S+?)\(/gm)]
          .map(([, file]) => file as string)
          // What other packages say of their types is theirs.
          .filter((file) => !/node_modules\/(?!memory-service)/.test(file)),
      )
      expect([...wrong].toSorted(), output).toEqual(mistakes.map((_, n) => `mistake-${n}.ts`))
    }
  })

  it.each(runtimes())(
    'run in %s',
    async (_, command, args, file) => {
      await using server = await startScriptedServer(answerSmoke)
      writeFileSync(join(folder, 'smoke.mjs'), smoke)
      writeFileSync(join(folder, 'smoke.cjs'), asCommonJs(smoke))
      const { stdout } = await run(command, [...args, file, server.url], { cwd: folder })
      const whole = { total_patterns: 7, embedding_dim: 384, storage_bytes: 1 }
      expect(JSON.parse(stdout)).toEqual({
        stats: whole,
        handler: whole,
        listed: ['pat_1', 'pat_2'],
        unavailable: 'ServerError 503',
        waits: [1, 2, 4],
        redirect: 'ApiError 307',
        brokenOff: 'ConnectionError',
        hangUp: 'ConnectionError',
        reconnects: 6,
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

it('tell errors apart by class, also those of the build for the other way to load it', () => {
  const program = `import * as sdk from 'memory-service-sdk'
import { createRequire } from 'node:module'
const other = createRequire(import.meta.url)('memory-service-sdk')
const { createMemoryHandler } = createRequire(import.meta.url)('memory-service-router/fetch')
class Mine extends sdk.ApiError {}
const answer = { status: 422, detail: 'no', issues: [] }
const of = (error) => [...Object.entries(sdk), ['Mine', Mine]]
  .filter(([name, Class]) => /^Mine|Error$/.test(name) && error instanceof Class).map(([name]) => name)
const client = new sdk.MemoryClient({ apiKey: 'key', fetch: async () => Response.json({ detail: 'no' }, { status: 403 }) })
const { status } = await createMemoryHandler({ client })(new Request('http://app/memory/stats'))
console.log(JSON.stringify({
  other: other.ApiError !== sdk.ApiError,
  theirs: of(new other.ValidationError(answer)),
  aborted: of(new other.AbortedError('x')),
  mine: of(new Mine(answer)),
  foreign: [new Error('x'), {}, null, 'x', undefined].flatMap(of),
  status,
}))`
  const args = ['--input-type=module', '--eval', program]
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))).toEqual({
    other: true,
    theirs: ['ApiError', 'MemoryError', 'ValidationError'],
    aborted: ['AbortedError', 'MemoryError'],
    mine: ['ApiError', 'MemoryError', 'Mine'],
    foreign: [],
    status: 403,
  })
})

/** Programs that say what an export of a package is. */
const programs = (name: string, use: string) => [
  ['--input-type=module', '--eval', `import { ${use} } from '${name}'; console.log(typeof ${use})`],
  ['--input-type=commonjs', '--eval', `const { ${use} } = require('${name}'); console.log(typeof ${use})`],
]

describe('each package alone, in an empty project', () => {
  it.each([
    [['sdk'], 'memory-service-sdk', 'MemoryClient'],
    [['router', 'sdk'], 'memory-service-router/fetch', 'createMemoryHandler'],
  ] as const)(
    '%j is installed and runs',
    (names, entry, use) => {
      const project = newProject(names)
      expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(
        names.map(nameOf),
      )
      for (const node of [process.execPath, ...systemNodes()]) {
        for (const args of programs(entry, use)) {
          expect(execFileSync(node, args, { cwd: project, encoding: 'utf8' }).trim()).toBe('function')
        }
      }
      rmSync(project, { recursive: true, force: true })
    },
    60_000,
  )
})

it('the entries for other libraries run beside them, as modules and as CommonJS', () => {
  const entries = { ai: 'memoryMiddleware', mastra: 'memoryProcessor' }
  for (const [entry, use] of Object.entries(entries)) {
    for (const args of programs(`memory-service-sdk/${entry}`, use)) {
      expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim()).toBe('function')
    }
  }
}, 60_000)

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

/** Asks for what is wrong with a package's types. A program of its own: vitest would take the sources of what it imports. */
const analyze = `import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
const [archive] = process.argv.slice(1)
console.log(JSON.stringify(await checkPackage(createPackageFromTarballData(readFileSync(archive)))))`

const smoke = read('test/sdk/smoke.mjs')

/** The same program for `require`. */
function asCommonJs(module: string): string {
  const required = module.replaceAll(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = require($2)')
  return `(async () => {\n${required}\n})()`
}

/** Names and commands of what can run the packages here, as modules and as CommonJS; Deno and Bun after `npm run test:runtimes`. */
function runtimes(): [name: string, command: string, args: string[], file: string][] {
  const others = ['deno', 'bun'].map((name) => join(runtimesFolder, 'node_modules/.bin', name))
  const [deno, bun] = others as [string, string]
  const commands: [name: string, command: string, args: string[]][] = [
    ['Node', process.execPath, []],
    ...systemNodes().map((path) => [`Node at ${path}`, path, []] as [string, string, string[]]),
    ...(existsSync(deno)
      ? [['Deno', deno, ['run', '--allow-net', '--node-modules-dir=manual']] as [string, string, string[]]]
      : []),
    ...(existsSync(bun) ? [['Bun', bun, ['run']] as [string, string, string[]]] : []),
  ]
  return commands.flatMap(([name, command, args]) => [
    [`${name}, as a module`, command, args, 'smoke.mjs'],
    [`${name}, as CommonJS`, command, args, 'smoke.cjs'],
  ])
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
  it.each(['memory-service-sdk', 'memory-service-router/fetch'])(
    '%s needs no module and no global of Node’s',
    async (name) => {
      const code = await bundle(`export * from '${name}'`)
      expect(code).not.toMatch(/\bimport\b|\brequire\b/)
      expect(code).not.toMatch(/\b(process|Buffer|__dirname|global|setImmediate)\b\s*[.[(]/)
    },
  )

  it('gets only what it uses', async () => {
    const whole = await bundle(`export * from 'memory-service-sdk'`)
    const projection = await bundle(`export { project } from 'memory-service-sdk'`)
    const webhook = await bundle(`export { verifyWebhook } from 'memory-service-sdk'`)
    expect(whole).toContain('/v1/memory/text/store')
    expect(projection).not.toMatch(/\/v1\/|whsec_/)
    expect(webhook).not.toMatch(/\/v1\/|Hadamard/)
    expect(projection.length).toBeLessThan(whole.length / 5)
  })
})
