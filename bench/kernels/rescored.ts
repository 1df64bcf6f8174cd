import type { Accel } from '../../crates/accel/index.js'
import { kernels, type Matrix } from '../../packages/engine/src/kernels/kernels.ts'
import { mean, type Spread, spread } from '../support/statistics.ts'
import { Mixture } from '../vectors/mixture.ts'
import { alive, dimensions, toMatrix } from './matrix.ts'
import { time } from './time.ts'

const k = 10
const queryCount = 100
/** As many rows at a time as the service loads from its database. */
const putAtOnce = 5_000
/** What must be found of the ten nearest, and how many candidates are tried for it. */
const bytesRecall = 0.999
const bytesCandidates = [10, 12, 14, 16, 20, 24, 32, 48, 64, 128]

/** A search that looks at fewer bits first, beside the one of float32 on the same rows. */
export interface RescoredFigure {
  rows: number
  name: string
  /** Of the ten nearest. */
  recall: number
  /** Milliseconds a search, over the rounds. */
  ms: Spread
  /** Float32 / this, of the fastest rounds. */
  ratio: number
}

type Search = (query: Float32Array) => Int32Array | number[]

/**
 * Searches of clustered rows: by float32, and by bytes whose best candidates are scored anew by float32, with
 * the fewest candidates that find enough; then the index's own search, of a shard without lists.
 */
export function measureRescored(native: Accel, rows: number, rounds: number): RescoredFigure[] {
  const source = new Mixture(dimensions, Math.max(1, Math.round(rows / 100)), 1)
  const matrix = toMatrix(take(source, rows))
  const queries = Array.from({ length: queryCount }, () => source.next())
  const shard = filled(native, matrix)
  const exact: Search = (query) => kernels.nearest(matrix, query, k, -1, alive).labels
  const nearest = queries.map((query) => new Set(exact(query)))
  const recallOf = (search: Search) =>
    mean(
      queries.map((query, i) => {
        const found = Array.from(search(query))
        return found.filter((label) => nearest[i]?.has(label)).length / k
      }),
    )
  const rescored = (first: (query: Float32Array, count: number) => Int32Array) => (count: number) => {
    const search: Search = (query) => best(shard, first(query, count), query)
    return search
  }
  const fewest = (wanted: number, tried: readonly number[], searchOf: (count: number) => Search) => {
    const count = tried.find((count) => recallOf(searchOf(count)) >= wanted) ?? (tried.at(-1) as number)
    return { count, search: searchOf(count) }
  }
  const { codes, inverseNorms } = native.quantizeBytes(matrix.values, dimensions)
  const byteMatrix = { ...matrix, values: codes, inverseNorms }
  const bytes = fewest(
    bytesRecall,
    bytesCandidates,
    rescored((query, count) => kernels.nearestBytes(byteMatrix, query, count, -1, alive).labels),
  )
  const searches: { name: string; search: Search }[] = [
    { name: 'float32', search: exact },
    { name: `int8, ${shown(bytes.count)} rescored`, search: bytes.search },
    {
      name: 'index without lists (1 bit, int8, float32)',
      search: (query) => native.searchShard(shard.id, query, k, undefined, -1, 1).labels,
    },
  ]
  const samples = searches.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, { search }] of searches.entries()) samples[i]?.push(time(inTurn(queries, search)))
  }
  const spreads = samples.map(spread)
  const figures = searches.map(({ name, search }, i) => {
    const ms = spreads[i] as Spread
    return { rows, name, recall: recallOf(search), ms, ratio: (spreads[0] as Spread).min / ms.min }
  })
  return figures
}

const shown = (count: number): string => count.toLocaleString('en')

/** Each call takes the next query, so that what is scored anew is not in the cache from the call before. */
function inTurn(queries: readonly Float32Array[], search: Search): () => void {
  let next = 0
  return () => search(queries[next++ % queries.length] as Float32Array)
}

function take(source: Mixture, rows: number): Float32Array {
  const values = new Float32Array(new SharedArrayBuffer(4 * rows * dimensions))
  for (let row = 0; row < rows; row++) values.set(source.next(), row * dimensions)
  return values
}

type AddonShard = InstanceType<Accel['Shard']>

function filled(native: Accel, { count, values, labels, flags }: Matrix): AddonShard {
  const shard = new native.Shard(dimensions)
  for (let first = 0; first < count; first += putAtOnce) {
    const end = Math.min(count, first + putAtOnce)
    const keys = values.slice(first * dimensions, end * dimensions)
    shard.put(labels.slice(first, end), keys, flags.slice(first, end), 0)
  }
  return shard
}

/** The ten of the candidates that are nearest by their float32 keys. */
function best(shard: AddonShard, labels: Int32Array, query: Float32Array): number[] {
  const { cosines } = shard.cosinesOf(labels, query)
  const kept: number[] = []
  for (let i = 0; i < labels.length; i++) {
    const cosine = cosines[i] as number
    if (kept.length === k && cosine <= (cosines[kept[k - 1] as number] as number)) continue
    let at = kept.length
    while (at > 0 && (cosines[kept[at - 1] as number] as number) < cosine) at--
    kept.splice(at, 0, i)
    if (kept.length > k) kept.pop()
  }
  return kept.map((i) => labels[i] as number)
}
