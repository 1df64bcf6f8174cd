/**
 * What a map keeps of who is near whom, beside the first two principal components alone, and what drawing it takes.
 *
 *   npm run bench -- map --data FOLDER [--points 20000] [--embeddings FOLDER]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEncoder } from '../packages/engine/src/encoder/encoder.ts'
import { principalComponents, projectOnto } from '../packages/engine/src/map/principal-components.ts'
import { seededRandom } from '../packages/engine/src/random.ts'
import type { Compute } from '../packages/memory/src/compute.ts'
import { drawMap } from '../packages/memory/src/map/draw-map.ts'
import { runMapStep } from '../packages/memory/src/map/map-step.ts'
import { readOptions } from '../scripts/read-options.ts'
import { type Kept, kept } from './map/kept.ts'
import { combine, readSentences } from './recall-cost/texts.ts'
import { embedAll } from './support/embedding-cache.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder } from './support/server.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    points: { type: 'string', default: '20000' },
    embeddings: { type: 'string', default: newFolder() },
  },
})
if (options.data === undefined) throw new Error('--data names the folder with stsb/ and locomo/')
const sentences = 4_000

interface MapRow {
  set: string
  points: number
  components: Kept
  map: Kept
  processorMs: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const encoder = await openEncoder(new URL('../models', import.meta.url).pathname)
const dimensions = 384
const rows: MapRow[] = []
const sets = {
  'stsb-multi-mt, English': readSentences(join(options.data, 'stsb/stsb-en-train.csv')).slice(0, sentences),
  'stsb-multi-mt, French': readSentences(join(options.data, 'stsb/stsb-fr-train.csv')).slice(0, sentences),
  LoCoMo: readTurns(join(options.data, 'locomo/dev.json')),
}
let longest: Float32Array[] = []
for (const [set, texts] of Object.entries(sets)) {
  const file = join(options.embeddings, `map-${set.replace(/\W+/g, '-')}.f32`)
  const vectors = await embedAll(encoder, [...new Set(texts)], file)
  if (vectors.length > longest.length) longest = vectors
  rows.push(await measure(set, vectors))
}
await encoder.close()
const many = combine(
  longest.map((vector, n) => ({ text: `${n}`, vector })),
  Number(options.points),
).map(({ vector }) => vector)
const { ms, processorMs } = await draw(many)

console.log(
  table(
    ['texts', 'points', 'two components: kept', 'trustworthiness', 'map: kept', 'trustworthiness', 'CPU ms'],
    rows.map(({ set, points, components, map, processorMs }) => [
      set,
      `${points}`,
      ...[components.kept, components.trustworthiness, map.kept, map.trustworthiness].map((x) =>
        x.toFixed(3),
      ),
      processorMs.toFixed(0),
    ]),
  ),
)
console.log(
  `\n${many.length} points: ${ms.toFixed(0)} ms in one thread, ${processorMs.toFixed(0)} ms of processor`,
)
writeResult('map', environment, { rows, many: { points: many.length, ms, processorMs } })

async function measure(set: string, vectors: readonly Float32Array[]): Promise<MapRow> {
  const all = join384(vectors)
  const two = projectOnto(all, principalComponents(all, dimensions, 2, seededRandom('bench/map')))
  const { places, processorMs } = await draw(vectors)
  return {
    set,
    points: vectors.length,
    components: kept(vectors, two),
    map: kept(vectors, places),
    processorMs,
  }
}

/** As the service draws it, but in this thread alone. */
async function draw(vectors: readonly Float32Array[]) {
  const compute = { mapStep: async (_, step) => runMapStep(step) as never } satisfies Pick<Compute, 'mapStep'>
  const [started, used] = [performance.now(), process.cpuUsage()]
  const { places } = await drawMap(
    compute,
    { organizationId: 'bench' },
    vectors.map((_, n) => n),
    dimensions,
    async (indexes) => ({
      indexes: [...indexes],
      rows: join384(indexes.map((n) => vectors[n] as Float32Array)),
    }),
  )
  const { user, system } = process.cpuUsage(used)
  return { places, ms: performance.now() - started, processorMs: (user + system) / 1_000 }
}

function join384(vectors: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(vectors.length * dimensions)
  for (const [n, vector] of vectors.entries()) joined.set(vector, n * dimensions)
  return joined
}

function readTurns(path: string): string[] {
  const conversations = JSON.parse(readFileSync(path, 'utf8')) as {
    turns: { speaker: string; text: string }[]
  }[]
  return conversations.flatMap(({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`))
}
