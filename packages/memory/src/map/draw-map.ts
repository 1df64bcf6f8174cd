import { cellsOf, type Neighbours } from '@memory/engine/map/neighbours'
import { parameters } from '@memory/engine/parameters'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { Compute, Requester } from '../compute.ts'

const { map } = parameters

/** Numbers of keys that are read and projected at once: copying 1,000 keys of 384 takes about a millisecond. */
const sliceNumbers = 384_000
/** Slices that are held at once while they are projected. */
const slicesAtOnce = 2
/** Points whose neighbours one step looks for. */
const neighbourPoints = 2_000
/** Points whose places a round moves, in one step of several rounds: about 50 ms. */
const layoutPoints = 120_000

/** Keys of patterns, a row of length 1 for each that is still there, and which these are. */
export type ReadKeys = (indexes: readonly number[]) => Promise<{ indexes: number[]; rows: Float32Array }>

export interface Drawing {
  /** The patterns, in the order of all that follows. */
  indexes: Int32Array
  /** x and y of each. */
  places: Float32Array
  /** The cluster of each; clusters are by descending size. */
  cluster: Int32Array
  clusters: number
  /** Of each cluster, the patterns that are nearest to its middle. */
  typical: number[][]
}

/** In memory that threads share: what is posted to them is not copied. */
const shared = (length: number) => new Float32Array(new SharedArrayBuffer(4 * length))

/**
 * A map of patterns: their keys' first principal components, moved so that those whose keys are near stay near. The same
 * keys in the same order always give the same map. Everything that takes more than a few milliseconds runs in threads.
 */
export async function drawMap(
  compute: Pick<Compute, 'mapStep'>,
  requester: Requester,
  wanted: readonly number[],
  dimensions: number,
  readKeys: ReadKeys,
): Promise<Drawing> {
  const sampleSize = Math.max(1, Math.min(wanted.length, Math.floor(map.sampleNumbers / dimensions)))
  const components = await compute.mapStep(requester, {
    kind: 'components',
    rows: await readAll(readKeys, evenly(wanted, sampleSize), dimensions),
    dimensions,
  })
  const projecting: Promise<Float32Array>[] = []
  const read = await slices(wanted, dimensions, async (slice) => {
    // What fails is told when all are waited for.
    await projecting.at(-slicesAtOnce)?.catch(() => {})
    const { indexes, rows } = await readKeys(slice)
    // Not waited for here: the next are read while these are projected.
    const points = compute.mapStep(requester, { kind: 'project', rows, components })
    points.catch(() => {})
    projecting.push(points)
    return indexes
  })
  const projected = await Promise.all(projecting)
  const parts = read.map((indexes, n) => ({ indexes, points: projected[n] as Float32Array }))
  const indexes = Int32Array.from(parts.flatMap((part) => part.indexes))
  const count = indexes.length
  const points = shared(count * map.components)
  let at = 0
  for (const part of parts) {
    points.set(part.points, at)
    at += part.points.length
  }
  const [clusters, cells] = await Promise.all([
    compute.mapStep(requester, {
      kind: 'cluster',
      points,
      wanted: Math.max(1, Math.min(map.clustersMax, Math.round(Math.sqrt(count / map.clusterSize)))),
      rounds: map.clusterRounds,
      name: 'clusters',
    }),
    compute.mapStep(requester, {
      kind: 'cluster',
      points,
      wanted: Math.max(1, Math.round(Math.sqrt(count))),
      rounds: map.cellRounds,
      name: 'cells',
    }),
  ])
  const nearest = await findNeighbours(compute, requester, points, cells)
  const [typical, places] = await Promise.all([
    compute.mapStep(requester, { kind: 'typical', points, clusters }),
    layOut(compute, requester, firstPlaces(points, components.variances[0] ?? 0), nearest),
  ])
  return {
    indexes,
    places: toUnitSquare(places),
    cluster: clusters.of,
    clusters: clusters.centres.length / map.components,
    typical: typical.map((rows) => Array.from(rows, (row) => indexes[row] as number)),
  }
}

/** The components of the first two, so wide that most lie within the same distance of the middle, whatever the keys. */
function firstPlaces(points: Float32Array, variance: number): Float32Array {
  const scale = variance > 0 ? 6 / Math.sqrt(variance) : 0
  const places = shared((2 * points.length) / map.components)
  for (let at = 0; at < places.length; at++) {
    places[at] = scale * (points[(at >> 1) * map.components + (at & 1)] as number)
  }
  return places
}

async function findNeighbours(
  compute: Pick<Compute, 'mapStep'>,
  requester: Requester,
  points: Float32Array,
  { of, centres }: { of: Int32Array; centres: Float64Array },
): Promise<Neighbours> {
  const k = map.neighbours
  const cells = cellsOf(of, centres, map.components, map.probes)
  const ranges = Array.from(
    { length: Math.ceil(of.length / neighbourPoints) },
    (_, n) => [n * neighbourPoints, Math.min(of.length, (n + 1) * neighbourPoints)] as const,
  )
  const found = await Promise.all(
    ranges.map((range) => compute.mapStep(requester, { kind: 'neighbours', points, cells, range })),
  )
  const nearest = { points: new Int32Array(of.length * k), distances: new Float32Array(of.length * k) }
  for (const [n, part] of found.entries()) {
    const first = n * neighbourPoints
    for (let row = 0; row * k < part.points.length; row++) {
      const to = k * (cells.members[first + row] as number)
      nearest.points.set(part.points.subarray(row * k, (row + 1) * k), to)
      nearest.distances.set(part.distances.subarray(row * k, (row + 1) * k), to)
    }
    await yieldToEventLoop(2)
  }
  return nearest
}

async function layOut(
  compute: Pick<Compute, 'mapStep'>,
  requester: Requester,
  places: Float32Array,
  nearest: Neighbours,
): Promise<Float32Array> {
  const edges = await compute.mapStep(requester, { kind: 'edges', nearest })
  const atOnce = Math.max(1, Math.floor((2 * layoutPoints) / Math.max(1, places.length)))
  let moved = places
  for (let round = 0; round < map.rounds; round += atOnce) {
    const range = [round, Math.min(map.rounds, round + atOnce)] as const
    moved = await compute.mapStep(requester, { kind: 'layout', places: moved, edges, range })
  }
  return moved
}

/** Moves and scales places, both axes alike, so that all are from 0 to 1; one alone is in the middle. */
function toUnitSquare(places: Float32Array): Float32Array {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let at = 0; at < places.length; at++) {
    const axis = at & 1
    low[axis] = Math.min(low[axis] as number, places[at] as number)
    high[axis] = Math.max(high[axis] as number, places[at] as number)
  }
  const width = Math.max(...[0, 1].map((axis) => (high[axis] as number) - (low[axis] as number)))
  const scale = width > 0 ? 1 / width : 0
  return Float32Array.from(places, (place, at) => {
    const axis = at & 1
    return 0.5 + scale * (place - ((low[axis] as number) + (high[axis] as number)) / 2)
  })
}

/** Some of them, evenly spread. */
function evenly(indexes: readonly number[], count: number): number[] {
  if (count >= indexes.length) return [...indexes]
  return Array.from({ length: count }, (_, n) => indexes[Math.floor((n * indexes.length) / count)] as number)
}

async function readAll(
  readKeys: ReadKeys,
  indexes: readonly number[],
  dimensions: number,
): Promise<Float32Array> {
  const parts = await slices(indexes, dimensions, async (slice) => (await readKeys(slice)).rows)
  const rows = shared(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    rows.set(part, at)
    at += part.length
  }
  return rows.length > 0 ? rows : shared(dimensions)
}

async function slices<T>(
  indexes: readonly number[],
  dimensions: number,
  work: (slice: readonly number[]) => Promise<T>,
): Promise<T[]> {
  const done: T[] = []
  const rows = Math.max(1, Math.floor(sliceNumbers / dimensions))
  for (let from = 0; from < indexes.length; from += rows) {
    done.push(await work(indexes.slice(from, from + rows)))
    await yieldToEventLoop(2)
  }
  return done
}
