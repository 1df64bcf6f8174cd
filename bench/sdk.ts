/**
 * What the client costs: bytes in a browser's bundle, time until it is loaded, time a call above fetch.
 *
 *   npm run bench -- sdk [--calls 3000] [--rounds 5] [--imports 20]
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MemoryClient } from 'memory-service-sdk'
import { buildPackages } from '../scripts/build-packages.ts'
import { readOptions } from '../scripts/read-options.ts'
import { type Size, sizeOf } from './sdk/bundle.ts'
import { environmentLine, readEnvironment, repository } from './support/environment.ts'
import { timed } from './support/load.ts'
import { table, writeResult } from './support/results.ts'
import { type Spread, showSpread, spread, summarize } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    calls: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '5' },
    imports: { type: 'string', default: '20' },
  },
})
const [calls, rounds, imports] = [options.calls, options.rounds, options.imports].map(Number) as [
  number,
  number,
  number,
]

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
buildPackages()
const sdk = join(repository, 'packages/sdk/dist/index.js')

const sizes: Record<string, Size> = {}
for (const name of ['*', 'MemoryClient', 'verifyWebhook', 'project']) sizes[name] = await sizeOf(sdk, name)
console.log(
  table(
    ['export', 'minified', 'gzip', 'brotli'],
    Object.entries(sizes).map(([name, { minified, gzip, brotli }]) => [
      name === '*' ? 'all' : name,
      ...[minified, gzip, brotli].map(String),
    ]),
  ),
)

const importMs = spread(Array.from({ length: imports }, timeImport))
console.log(`\ncold import: ${showSpread(importMs)} ms\n`)

const ways = await timeCalls()
console.log(
  table(
    ['call', 'p50 µs', 'above fetch'],
    Object.entries(ways).map(([way, { p50Us, addedUs }]) => [way, showSpread(p50Us), showSpread(addedUs)]),
  ),
)
writeResult('sdk', environment, { calls, rounds, imports, sizes, importMs, ways })

/** Time to import the built client in a new process, which has loaded nothing else. */
function timeImport(): number {
  const script = `const started = performance.now()
await import(${JSON.stringify(pathToFileURL(sdk).href)})
console.log(performance.now() - started)`
  const node = [process.execPath, '--input-type=module', '--eval', script] as const
  return Number(execFileSync(node[0], node.slice(1), { encoding: 'utf8' }))
}

interface Way {
  p50Us: Spread
  /** Above the first way, of the same round. */
  addedUs: Spread
}

/** One call at a time against a server that answers fixed bytes, the ways taking turns. */
async function timeCalls(): Promise<Record<string, Way>> {
  const child = fork(new URL('support/bare-server.ts', import.meta.url))
  try {
    const baseUrl = await startAnswering(child)
    const memory = new MemoryClient({ apiKey: 'key', baseUrl })
    const body = { query: 'Where did Ada move?', top_k: 10 }
    const send = (signal?: AbortSignal) =>
      fetch(`${baseUrl}/v1/memory/text/recall`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': 'key' },
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }).then((response) => response.json())
    const ways: Record<string, () => Promise<unknown>> = {
      fetch: () => send(),
      'fetch with a time limit': () => send(AbortSignal.timeout(60_000)),
      client: () => memory.text.recall(body),
    }
    const p50Us = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]))
    for (let round = -1; round < rounds; round++) {
      const samplesMs = Object.fromEntries(Object.keys(ways).map((way) => [way, [] as number[]]))
      for (let n = 0; n < calls; n++) {
        for (const [way, call] of Object.entries(ways)) samplesMs[way]?.push(await timed(call))
      }
      // The first round only warms up.
      if (round === -1) continue
      for (const way of Object.keys(ways)) p50Us[way]?.push(1_000 * summarize(samplesMs[way] as number[]).p50)
    }
    return Object.fromEntries(
      Object.entries(p50Us).map(([way, values]) => [
        way,
        {
          p50Us: spread(values),
          addedUs: spread(values.map((value, n) => value - (p50Us.fetch?.[n] as number))),
        },
      ]),
    )
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}

/** An answer of ten texts. */
async function startAnswering(child: ChildProcess): Promise<string> {
  const results = Array.from({ length: 10 }, (_, n) => ({
    text: `Fact number ${n}, which is about as long as a fact is.`,
    metadata: { user: 'ada', role: 'user' },
    similarity: 0.9 - n / 20,
    pattern_id: `pat_${String(n).padStart(26, '0')}`,
  }))
  child.send({ '/v1/memory/text/recall': JSON.stringify({ results, info: {}, latency_ms: 1.2 }) })
  const [port] = (await once(child, 'message')) as [number]
  return `http://127.0.0.1:${port}`
}
