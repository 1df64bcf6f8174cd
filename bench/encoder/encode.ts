/**
 * The encoder in one thread: its tokenizer and inference by lengths of texts, start and memory.
 *
 *   npm run bench -- encoder [MODELS]
 *
 * The last line is JSON. Times in milliseconds, memory in megabytes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { LibraryTokenizer } from '../../packages/engine/src/encoder/tokenizer/library-tokenizer.ts'
import { openTokenizer } from '../../packages/engine/src/encoder/tokenizer/open-tokenizer.ts'
import type { Tokenizer } from '../../packages/engine/src/encoder/tokenizer/tokenizer.ts'
import { readOptions } from '../../scripts/read-options.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const { positionals } = readOptions({ allowPositionals: true })
const directory = positionals[0] ?? fileURLToPath(new URL('../../models', import.meta.url))
const sentence =
  'The quick brown fox jumps over the lazy dog while my sister reads an old book about gardens in Lisbon'

function rss(): number {
  return round(process.memoryUsage.rss() / 2 ** 20)
}

/** Heap and buffers that are still referenced. */
async function retained(): Promise<number> {
  // The memory of buffers is given back some time after the collection that finds them unused.
  for (let i = 0; i < 4; i++) {
    collectGarbage()
    await setTimeout(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}

function percentiles(times: number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  return { p50: at(0.5), p99: at(0.99), best: at(0) }
}

async function time(runs: number, action: () => unknown) {
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    await action()
    times.push(performance.now() - start)
  }
  return percentiles(times)
}

async function measureTokenizer(build: () => Tokenizer) {
  const rssBefore = rss()
  const before = await retained()
  const start = performance.now()
  const tokenizer = build()
  const buildMs = round(performance.now() - start)
  const retainedMb = round((await retained()) - before)
  const long = `${sentence}. `.repeat(100).slice(0, 10_000)
  await time(200, () => tokenizer.encode(sentence))
  return {
    kind: tokenizer.kind,
    buildMs,
    retainedMb,
    rssMb: round(rss() - rssBefore),
    words20: await time(500, () => tokenizer.encode(sentence)),
    characters10000: await time(20, () => tokenizer.encode(long)),
  }
}

const settings = JSON.parse(readFileSync(join(directory, 'tokenizer_config.json'), 'utf8'))
const tokenizerPath = join(directory, 'tokenizer.json')
const result: Record<string, unknown> = { node: process.version, rssAtStart: rss() }

function report(name: string, value: unknown): void {
  result[name] = value
  console.log(name.padEnd(18), JSON.stringify(value))
}

const rssBefore = rss()
const start = performance.now()
const encoder = await openEncoder(directory)
report('open', {
  ms: round(performance.now() - start),
  rssMb: round(rss() - rssBefore),
  modelId: encoder.modelId,
})

for (const [tokens, runs] of [
  [8, 200],
  [16, 200],
  [45, 100],
  [128, 60],
  [512, 12],
] as const) {
  // Each of these words is one token of the shipped vocabulary; two more are <s> and </s>.
  const text = Array.from({ length: tokens - 2 }, (_, i) => ['book', 'old', 'time', 'house'][i % 4]).join(' ')
  const counted = encoder.countTokens(text)
  report(`encode ${counted}`, await time(runs, () => encoder.encode(text)))
}
report('rss after encoding', rss())
await encoder.close()

report('light', await measureTokenizer(() => openTokenizer(readFileSync(tokenizerPath), settings)))
report(
  'library',
  await measureTokenizer(
    () => new LibraryTokenizer(JSON.parse(readFileSync(tokenizerPath, 'utf8')), settings),
  ),
)
console.log(JSON.stringify(result))
