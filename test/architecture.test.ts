import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { asksDatabase, reached, reachesKernels } from './support/reached.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Source {
  path: string
  text: string
  /** What it imports, by the names that it gives. */
  names: string[]
  /** The same: paths from the root for the repository's own files, names for packages. */
  imports: string[]
}

/** The sources, which the rules below are about; those beside them have no rule but that of circles. */
const sources = readSources('{apps,packages}/*/src/**/*.{ts,tsx}')
const others = readSources('{test,bench,scripts,examples}/**/*.{ts,mjs}')

function readSources(pattern: string): Source[] {
  return globSync(pattern, { cwd: root }).map(readSource)
}

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const matches = text.matchAll(
    /^(?:import|export)\b[^'";]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm,
  )
  const names = [...matches].map(([, from, dynamic, bare]) => (from ?? dynamic ?? bare) as string)
  return { path, text, names, imports: names.map((name) => resolveImport(path, name)) }
}

function resolveImport(path: string, name: string): string {
  if (name.startsWith('.')) return normalize(join(dirname(path), name))
  const [, workspace, rest] = /^@memory\/(\w+)\/(.+)$/.exec(name) ?? []
  if (workspace === undefined) return name
  const folder = existsSync(join(root, 'apps', workspace)) ? 'apps' : 'packages'
  return `${folder}/${workspace}/src/${rest}.ts`
}

const engine = 'packages/engine/src'
const shared = 'packages/shared/src'
/** How files are read that are imported. */
const transfer = 'packages/shared/src/transfer/'
const isTest = (path: string) => path.startsWith('test/')

/** One sentence for each import of files in `from` that `forbidden` does not let them have. */
function wrongImports(
  from: RegExp,
  isForbidden: (imported: string, path: string) => boolean,
  why: string,
): string[] {
  const files = sources.filter(({ path }) => from.test(path))
  expect(files.length, `files that match ${from}`).toBeGreaterThan(0)
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((imported) => isForbidden(imported, path))
      .map((imported) => `${path} imports ${imported}: ${why}`),
  )
}

it('reads every import', () => {
  const all = sources.flatMap(({ imports }) => imports)
  expect(sources.length).toBeGreaterThan(80)
  // A name that resolves to nothing would slip through the rules below.
  const own = all.filter((name) => /^(apps|packages)\//.test(name))
  const paths = new Set(sources.map(({ path }) => path))
  expect(own.filter((name) => /\.tsx?$/.test(name) && !paths.has(name))).toEqual([])
  expect(own.length).toBeGreaterThan(200)
  expect(own.filter(isTest)).toEqual([])
})

/** Groups of names that lead to each other, by Tarjan's algorithm; a name that leads to itself is one. */
function circles(next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const path: string[] = []
  /** @returns the number of the first name on the path that `name` leads back to */
  const visit = (name: string): number => {
    const number = numbers.size
    let lowest = number
    numbers.set(name, number)
    path.push(name)
    for (const to of next.get(name) ?? []) {
      if (!next.has(to)) continue
      if (!numbers.has(to)) lowest = Math.min(lowest, visit(to))
      else if (path.includes(to)) lowest = Math.min(lowest, numbers.get(to) as number)
    }
    if (lowest === number) {
      const group = path.splice(path.indexOf(name))
      if (group.length > 1 || next.get(name)?.has(name)) found.push(group.sort())
    }
    return lowest
  }
  for (const name of next.keys()) if (!numbers.has(name)) visit(name)
  return found
}

it('finds circles', () => {
  const next = (edges: Record<string, string>) =>
    new Map(Object.entries(edges).map(([name, to]) => [name, new Set(to)]))
  expect(circles(next({ a: 'b', b: 'c', c: '' }))).toEqual([])
  expect(circles(next({ a: 'bd', b: 'c', c: 'b', d: 'd' }))).toEqual([['b', 'c'], ['d']])
  expect(circles(next({ a: 'b', b: 'cd', c: 'a', d: 'c' }))).toEqual([['a', 'b', 'c', 'd']])
})

it('no modules import each other in a circle, also not for types alone', () => {
  const all = [...sources, ...others]
  expect(circles(new Map(all.map(({ path, imports }) => [path, new Set(imports)])))).toEqual([])
})

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const manifests = new Map(
  globSync('{apps,packages}/*/package.json', { cwd: root }).map((path) => [
    dirname(path),
    JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
  ]),
)
const folderOf = (path: string) => path.split('/', 2).join('/')
/** The package that a name leads into; undefined for Node's own modules. */
const packageOf = (name: string) =>
  name.startsWith('node:') ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]

it('packages import what their package.json declares, by its name', () => {
  const wrong = sources.flatMap(({ path, names }) => {
    const folder = folderOf(path)
    const { dependencies, devDependencies, peerDependencies } = manifests.get(folder) as Manifest
    // What a build makes one file of is needed by nobody who runs it.
    const bundled = folder === 'apps/console' ? devDependencies : {}
    const declared = Object.keys({ ...dependencies, ...peerDependencies, ...bundled })
    return names.flatMap((name) => {
      if (name.startsWith('.')) {
        return resolveImport(path, name).startsWith(`${folder}/`)
          ? []
          : [`${path} leaves its package by ${name}`]
      }
      const wanted = packageOf(name)
      return wanted === undefined || declared.includes(wanted)
        ? []
        : [`${path} imports ${name}, which ${folder}/package.json does not declare`]
    })
  })
  expect(wrong).toEqual([])
})

it('packages declare nothing that they do not use', () => {
  const unused = [...manifests].flatMap(([folder, { dependencies = {} }]) => {
    const texts = sources.filter(({ path }) => folderOf(path) === folder).map(({ text }) => text)
    return Object.keys(dependencies)
      .filter((name) => !texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)))
      .map((name) => `${folder} does not use ${name}`)
  })
  expect(unused).toEqual([])
})

it('memory and identity know the shared package but not each other, and it knows neither', () => {
  const knows = (folder: string) =>
    Object.keys(manifests.get(folder)?.dependencies ?? {}).flatMap(
      (name) => /^(?:@memory\/|memory-service-)(.+)$/.exec(name)?.[1] ?? [],
    )
  expect(knows('packages/engine')).toEqual(['accel'])
  expect(knows('packages/shared')).toEqual([])
  expect(knows('packages/memory')).toEqual(['accel', 'engine', 'shared'])
  expect(knows('packages/identity')).toEqual(['shared'])
  expect(knows('packages/sdk')).toEqual([])
  expect(knows('packages/router')).toEqual(['sdk'])
  expect(knows('packages/mcp')).toEqual(['sdk', 'shared'])
})

it('what is about accounts and organizations needs each other in no circle', () => {
  const sliceOf = (path: string) => /^packages\/identity\/src\/(\w+)\//.exec(path)?.[1]
  const next = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const slice = sliceOf(path)
    if (slice === undefined) continue
    const others = imports.flatMap((imported) => sliceOf(imported) ?? []).filter((other) => other !== slice)
    next.set(slice, new Set([...(next.get(slice) ?? []), ...others]))
  }
  expect([...next.keys()]).toContain('accounts')
  expect(circles(next)).toEqual([])
})

it('the engine is pure: it imports nothing but itself, and the native kernels in one place', () => {
  expect(
    wrongImports(
      /^packages\/engine\/src\/(?!encoder\/)/,
      (imported, path) =>
        (!imported.startsWith(`${engine}/`) || imported.startsWith(`${engine}/encoder/`)) &&
        !(path === `${engine}/kernels/kernels.ts` && imported === '@memory/accel'),
      'the engine takes arrays and gives arrays, and knows neither time, storage nor services.',
    ),
  ).toEqual([])
})

it('the catalogue imports nothing but itself, zod and the names of domains', () => {
  expect(
    wrongImports(
      /^packages\/shared\/src\/catalogue\//,
      // Of Node it takes what internationalised domains are called.
      (imported) => !['zod', 'node:url'].includes(imported) && !imported.startsWith(`${shared}/catalogue/`),
      'the catalogue is facts, which everything else reads.',
    ),
  ).toEqual([])
})

it('the encoder knows neither memory, tenants nor storage', () => {
  expect(
    wrongImports(
      /^packages\/engine\/src\/encoder\//,
      (imported) =>
        /^(packages|apps)\//.test(imported) &&
        !imported.startsWith(`${engine}/encoder/`) &&
        ![`${engine}/random.ts`, `${engine}/text-form.ts`].includes(imported),
      'the encoder turns texts into vectors, for whoever asks.',
    ),
  ).toEqual([])
})

it('the platform knows nothing but itself and the catalogue', () => {
  expect(
    wrongImports(
      /^packages\/shared\/src\/platform\//,
      (imported) =>
        /^(packages|apps)\//.test(imported) &&
        !imported.startsWith(`${shared}/platform/`) &&
        !imported.startsWith(`${shared}/catalogue/`),
      'the platform serves everything else and depends on none of it.',
    ),
  ).toEqual([])
})

it('applications do not import each other, but for the worker that runs inside the API', () => {
  const app = (path: string) => /^apps\/(\w+)\//.exec(path)?.[1]
  expect(
    wrongImports(
      /^apps\//,
      (imported, path) =>
        app(imported) !== undefined &&
        app(imported) !== app(path) &&
        !(path === 'apps/api/src/main.ts' && imported === 'apps/worker/src/worker.ts'),
      'what two applications need belongs into a package.',
    ),
  ).toEqual([])
})

const httpOutsideApi =
  /^packages\/(identity\/src\/webhooks\/post|shared\/src\/platform\/http-(server|connections|malformed)|shared\/src\/ops\/(listener|own-request))\.ts$/

it('HTTP stops at the API and the operators’ listener', () => {
  expect(
    wrongImports(
      /^(packages\/(engine|shared|memory|identity)|apps\/worker|apps\/cli)\//,
      (imported, path) =>
        // Webhooks are sent from one place, and each process has an operators' listener.
        (!httpOutsideApi.test(path) && /^(express|node:http|node:https|http|https)$/.test(imported)) ||
        imported.startsWith('apps/api/'),
      'a service knows neither requests nor responses.',
    ),
  ).toEqual([])
})

/** Entries of the client for other libraries. */
const adapters: Readonly<Record<string, RegExp>> = {
  'packages/sdk/src/ai.ts': /^ai$/,
  'packages/sdk/src/mastra.ts': /^@mastra\/core\//,
}
/** Parts of them, and the entry that each is a part of. */
const partsOfAdapters: Readonly<Record<string, string>> = {
  'packages/sdk/src/mastra-vector.ts': 'packages/sdk/src/mastra.ts',
}

it('the client and the router stand alone: they know nothing of the service but its API, and nothing of Node', () => {
  expect(
    wrongImports(
      /^packages\/sdk\/src\//,
      (imported, path) =>
        !imported.startsWith('packages/sdk/src/') && !adapters[partsOfAdapters[path] ?? path]?.test(imported),
      'the client is used where nothing else is installed, in browsers too.',
    ),
  ).toEqual([])
  // What needs another package is an entry of its own, which nothing else of the client imports.
  expect(
    wrongImports(
      /^packages\/sdk\/src\//,
      (imported, path) =>
        imported in adapters || (imported in partsOfAdapters && partsOfAdapters[imported] !== path),
      'it would need that package too.',
    ),
  ).toEqual([])
  expect(
    wrongImports(
      /^packages\/router\/src\//,
      (imported) =>
        !imported.startsWith('packages/router/src/') && !['memory-service-sdk', 'express'].includes(imported),
      'the router is the client and an endpoint for each of five calls.',
    ),
  ).toEqual([])
})

it('the MCP server is a client of the API, and is loaded by nobody who is not asked for it', () => {
  expect(
    wrongImports(
      /^packages\/mcp\/src\//,
      (imported) =>
        /^(packages|apps)\//.test(imported) &&
        !/^packages\/(mcp\/(src\/|package\.json$)|shared\/src\/(catalogue\/limits|platform\/fence)\.ts$)/.test(
          imported,
        ),
      'it is installed alone, beside programs of other people.',
    ),
  ).toEqual([])
  // Its library takes longer to load than a start may take more.
  const eager = sources.filter(
    ({ path, text }) =>
      !path.startsWith('packages/mcp/') &&
      /^(import|export) (?!type\b)[^'";]*from '(memory-service-mcp|@modelcontextprotocol\/[^']+)'/m.test(
        text,
      ),
  )
  expect(eager.map(({ path }) => path)).toEqual([])
})

it('the console is a client like any other: it knows the SDK, and how files are read, and nothing else of this repository', () => {
  expect(
    wrongImports(
      /^apps\/console\//,
      (imported) =>
        imported.startsWith('node:') ||
        (/^(apps|packages)\/|^@memory\//.test(imported) &&
          !imported.startsWith('apps/console/src/') &&
          !imported.startsWith(transfer) &&
          imported !== 'memory-service-sdk'),
      'what the API does not give, the console does not have.',
    ),
  ).toEqual([])
})

it('what reads files to import runs in browsers too: of the service it knows limits and what JSON is', () => {
  const libraries = [
    '@noble/hashes/sha2.js',
    '@noble/hashes/utils.js',
    '@streamparser/json',
    'csv-parse',
    'marked',
  ]
  expect(
    wrongImports(
      /^packages\/shared\/src\/transfer\//,
      (imported) =>
        !imported.startsWith(transfer) &&
        !/\/catalogue\/(limits|fields-json)\.ts$/.test(imported) &&
        !libraries.includes(imported),
      'the console reads files as the import command does.',
    ),
  ).toEqual([])
})

it('unit tests start no server, database or process', () => {
  const belongsElsewhere =
    /^(node:)?(child_process|cluster|http|https|net|tls)$|^pg$|^@memory\/api\/(app|context)$|platform\/database\/(embedded|postgres)$/
  const tests = globSync('test/**/*.test.ts', { cwd: root })
  const units = tests.filter((path) => !/\.(service|system)\.test\.ts$/.test(path))
  expect(units.length).toBeGreaterThan(50)
  expect(
    units.flatMap((path) =>
      [...reached(path)]
        .filter((imported) => belongsElsewhere.test(imported))
        .map(
          (imported) => `${path} imports ${imported}: its name ends in .service.test.ts or .system.test.ts`,
        ),
    ),
  ).toEqual([])
})

it('tests that may ask the database are told by their imports, since others are left out of the run on PostgreSQL', () => {
  const tests = globSync('test/**/*.{service,system}.test.ts', { cwd: root })
  const asking = tests.filter(asksDatabase)
  expect(asking).toContain('test/memory/recall.service.test.ts')
  expect(asking).toContain('test/migrations/ordinary-owner.system.test.ts')
  expect(asking).not.toContain('test/process/wrong-starts.system.test.ts')
  // By the words with which a test gets a database or starts the service over one, wherever it imports them from.
  const words = /\b(newDatabase|openTestDatabase|startServer|databaseBackend)\(|\bonPostgres\b/
  const missed = tests.filter((path) => !asking.includes(path))
  expect(missed.filter((path) => words.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})

it('tests that may use kernels are told by their imports, since others are left out of the run without native ones', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: root })
  const units = tests.filter((path) => !/\.(service|system)\.test\.ts$/.test(path))
  const reaching = units.filter(reachesKernels)
  expect(reaching.length).toBeGreaterThan(25)
  expect(reaching).toContain('test/accel/parity.test.ts')
  // Through a package of the service's own, and through several.
  expect(reaching).toContain('test/engine/kernels.test.ts')
  expect(reaching).toContain('test/pool/scheduler.test.ts')
  expect(reaching).not.toContain('test/encoder/encoder.test.ts')
})

it('packages with a choice behind them are imported in one place', () => {
  const homes: Record<string, RegExp> = {
    express: /^(apps\/api\/src\/(http\/|app\.ts$)|packages\/router\/src\/express\.ts$)/,
    piscina: /^apps\/api\/src\/pool\//,
    pg: /^packages\/shared\/src\/platform\/database\/(postgres|pg-values)\.ts$/,
    '@electric-sql/pglite': /^packages\/shared\/src\/platform\/database\//,
    'onnxruntime-node': /^packages\/engine\/src\/encoder\/onnx\.ts$/,
    '@huggingface/tokenizers': /^packages\/engine\/src\/encoder\/tokenizer\//,
    pino: /^packages\/shared\/src\/platform\/log\.ts$/,
    '@datadog/sketches-js': /^packages\/identity\/src\/usage\/latency-sketch\.ts$/,
    bullmq: /^packages\/shared\/src\/platform\/(queue\/|database\/queue-schema\.ts$)/,
    ioredis: /^packages\/shared\/src\/platform\/queue\/(redis-backend|require-redis)\.ts$/,
    '@bull-board/api': /^apps\/api\/src\/ops\/queue-board\.ts$/,
    'prom-client':
      /^((apps\/api|packages\/shared)\/src\/ops\/|packages\/identity\/src\/webhooks\/metrics\.ts$)/,
  }
  for (const [name, home] of Object.entries(homes)) {
    const importers = sources.filter(({ imports }) => imports.includes(name)).map(({ path }) => path)
    expect(importers, `importers of ${name}`).not.toEqual([])
    expect(
      importers.filter((path) => !home.test(path)),
      `${name} is imported outside its home ${home}`,
    ).toEqual([])
  }
})

it('the encoder’s runtime is told not to report before it is loaded, and before a thread that loads it starts', () => {
  const importsOf = (path: string) => sources.find((source) => source.path === path)?.imports ?? []
  const quiet = `${engine}/encoder/no-telemetry.ts`
  expect(importsOf(`${engine}/encoder/onnx.ts`).slice(0, 2)).toEqual([quiet, 'onnxruntime-node'])
  expect(importsOf('apps/api/src/pool/thread-pool.ts')).toContain(quiet)
})

it('a pool thread loads the engine, the encoder, the search, the maps and the benchmark, and no database', () => {
  const loaded = new Set<string>()
  const load = (path: string) => {
    if (loaded.has(path)) return
    loaded.add(path)
    // Imports of types alone are gone when the thread runs.
    const text = sources.find((source) => source.path === path)?.text ?? ''
    const values = [...text.matchAll(/^(?:import|export) (?!type\b)[^'";]*?\bfrom '([^']+)'/gm)]
    for (const [, name] of values) load(resolveImport(path, name as string))
  }
  load('apps/api/src/pool/thread.ts')
  const own = [...loaded].filter((path) => path.endsWith('.ts'))
  expect(own.length).toBeGreaterThan(5)
  expect(
    own.filter(
      (path) =>
        !/^packages\/(engine|memory\/src\/acceleration)\/|\/pool\/thread\.ts$|\/index\/(bits|search-(shard|lexical))\.ts$|\/map\/map-step\.ts$|\/(detect-language|letter-statistics)\.ts$/.test(
          path,
        ),
    ),
  ).toEqual([])
})

it('a slice uses another slice through its service, never through its store', () => {
  const slice = (path: string) =>
    /^packages\/(memory|identity\/src\/(?:keys|organizations))\//.exec(path)?.[1]
  expect(
    wrongImports(
      /^(packages\/(shared|memory|identity)|apps)\//,
      (imported, path) => /store\.ts$/.test(imported) && slice(imported) !== slice(path),
      'rows stay inside the slice that owns them.',
    ),
  ).toEqual([])
})

it('SQL is written in stores, the platform and housekeeping, and nowhere else', () => {
  const mayHaveSql = [
    /^packages\/(shared|memory|identity)\/src\/(\w+\/)*([\w-]+-)?store\.ts$/,
    /^packages\/shared\/src\/platform\/(database|outbox)\//,
    /^packages\/shared\/src\/platform\/idempotency\.ts$/,
    // Its statements work across tenants, under policies of their own.
    /^packages\/memory\/src\/housekeeping\.ts$/,
  ]
  const hasSql = /\bsql`|\bsql<|\bsql\.|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/
  const withSql = sources.filter(({ text }) => hasSql.test(text)).map(({ path }) => path)
  for (const place of mayHaveSql) {
    expect(
      withSql.some((path) => place.test(path)),
      `SQL in ${place}`,
    ).toBe(true)
  }
  expect(
    withSql
      .filter((path) => !mayHaveSql.some((place) => place.test(path)))
      .map((path) => `${path} has SQL in it: move it to a store.ts, or to platform/database.`),
  ).toEqual([])
})

it('the environment is read where a process starts, and handed on from there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const started = Object.values(scripts).flatMap((script) => /\b(apps\/\S+\.ts)\b/.exec(script)?.[1] ?? [])
  // Started by npx, where it is installed.
  started.push('packages/mcp/src/main.ts')
  expect(started).toContain('apps/api/src/main.ts')
  // What runs in a browser has none; it shows others how to read theirs.
  const readers = sources
    .filter(({ path, text }) => !path.startsWith('apps/console/') && /\bprocess\.env\b/.test(text))
    .map(({ path }) => path)
  expect(readers).toContain('apps/api/src/main.ts')
  // The one that writes it: a library looks there whether it may report to its maker.
  const writer = `${engine}/encoder/no-telemetry.ts`
  expect(readers).toContain(writer)
  expect(
    readers
      .filter((path) => !started.includes(path) && path !== writer)
      .map((path) => `${path} reads process.env: let the file that package.json starts pass it.`),
  ).toEqual([])
})

it('relative imports name the file, with its ending', () => {
  const wrong = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bfrom '(\.[^']*)'/g)]
      .filter(([, name]) => !/\.(tsx?|json|js)$/.test(name as string))
      .map(([, name]) => `${path} imports ${name} without its ending.`),
  )
  expect(wrong).toEqual([])
})

it('services take the time from a clock that tests can move', () => {
  const places = sources
    .filter(({ path }) =>
      /^packages\/(engine|memory|identity\/src\/(keys|organizations)|shared\/src\/catalogue)\//.test(path),
    )
    .filter(({ text }) => /\bDate\.now\(\)|\bnew Date\(\)/.test(text))
    .map(({ path }) => `${path} asks the system for the time: take a Clock or a Date.`)
  expect(places).toEqual([])
})
