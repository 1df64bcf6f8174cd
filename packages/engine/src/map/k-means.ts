import { kernels } from '../kernels/kernels.ts'
import type { Random } from '../random.ts'

export interface Clusters {
  /** A row for each cluster; there may be fewer than were asked for. */
  centres: Float64Array
  /** The cluster of each point. */
  of: Int32Array
}

/**
 * Clusters of points (rows of `dimensions` numbers), by Lloyd's rounds from the start of k-means++ (Arthur & Vassilvitskii,
 * SODA 2007). Ends before `rounds` when nothing changes. Clusters are by descending size.
 */
export function kMeans(
  points: Float32Array,
  dimensions: number,
  wanted: number,
  random: Random,
  rounds: number,
): Clusters {
  const count = points.length / dimensions
  let centres = seeds(points, dimensions, Math.min(wanted, count), random)
  let of = nearestCentres(points, dimensions, centres)
  for (let round = 0; round < rounds; round++) {
    const next = meansOf(points, dimensions, of, centres)
    const moved = nearestCentres(points, dimensions, next)
    const isAtRest = moved.every((cluster, n) => cluster === of[n])
    centres = next
    of = moved
    if (isAtRest) break
  }
  return bySize(centres, of, dimensions)
}

/** How many points' distances to all centres are computed at once. */
const blockPoints = 2_048

/** The centre that each point is nearest to; of several the first. */
export function nearestCentres(points: Float32Array, dimensions: number, centres: Float64Array): Int32Array {
  const count = points.length / dimensions
  const size = centres.length / dimensions
  const nearest = new Int32Array(count)
  const rows = { shape: [size, dimensions], values: Float32Array.from(centres) }
  const halves = halfSquares(rows.values, dimensions)
  for (let first = 0; first < count; first += blockPoints) {
    const end = Math.min(count, first + blockPoints)
    const block = {
      shape: [end - first, dimensions],
      values: points.slice(first * dimensions, end * dimensions),
    }
    const { values } = kernels.einsum('bd,nd->bn', block, rows)
    for (let n = first; n < end; n++) {
      let best = Number.POSITIVE_INFINITY
      for (let c = 0, at = (n - first) * size; c < size; c++, at++) {
        // Half the squared distance, less what is the same for all centres.
        const distance = (halves[c] as number) - (values[at] as number)
        if (distance < best) {
          best = distance
          nearest[n] = c
        }
      }
    }
  }
  return nearest
}

/** Half the squared length of each row. */
export function halfSquares(rows: Float32Array, dimensions: number): Float64Array {
  const halves = new Float64Array(rows.length / dimensions)
  for (let n = 0; n < halves.length; n++) {
    let sum = 0
    for (let at = n * dimensions; at < (n + 1) * dimensions; at++) sum += (rows[at] as number) ** 2
    halves[n] = sum / 2
  }
  return halves
}

/**
 * The first centres by k-means++: points at random, those far from the ones chosen before more likely (by the squared
 * distance). No two are equal.
 */
function seeds(points: Float32Array, dimensions: number, wanted: number, random: Random): Float64Array {
  const count = points.length / dimensions
  const chosen: number[] = []
  const distances = new Float64Array(count).fill(1)
  while (chosen.length < wanted) {
    let left = random() * distances.reduce((sum, distance) => sum + distance, 0)
    if (left === 0 && chosen.length > 0) break
    let next = count - 1
    for (let n = 0; n < count; n++) {
      left -= distances[n] as number
      if (left < 0) {
        next = n
        break
      }
    }
    chosen.push(next)
    const isFirst = chosen.length === 1
    for (let n = 0; n < count; n++) {
      const before = isFirst ? Number.POSITIVE_INFINITY : (distances[n] as number)
      distances[n] = Math.min(before, squaredDistance(points, n, points, next, dimensions))
    }
  }
  return Float64Array.from(chosen.flatMap((n) => [...points.subarray(n * dimensions, (n + 1) * dimensions)]))
}

/** The mean of each cluster's points; an empty one stays where it was. */
function meansOf(
  points: Float32Array,
  dimensions: number,
  of: Int32Array,
  before: Float64Array,
): Float64Array {
  const sums = new Float64Array(before.length)
  const sizes = new Float64Array(before.length / dimensions)
  for (let n = 0; n < of.length; n++) {
    const cluster = of[n] as number
    sizes[cluster] = (sizes[cluster] as number) + 1
    for (let i = 0; i < dimensions; i++) {
      const at = cluster * dimensions + i
      sums[at] = (sums[at] as number) + (points[n * dimensions + i] as number)
    }
  }
  return sums.map((sum, at) => {
    const size = sizes[Math.floor(at / dimensions)] as number
    return size === 0 ? (before[at] as number) : sum / size
  })
}

/** Leaves out empty clusters, and numbers the others by size; of the same size by their first point. */
function bySize(centres: Float64Array, of: Int32Array, dimensions: number): Clusters {
  const sizes = new Map<number, number>()
  for (const cluster of of) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  // A map keeps the order in which clusters came first, and sorting keeps it among the same sizes.
  const order = [...sizes].sort(([, a], [, b]) => b - a).map(([cluster]) => cluster)
  const numbers = new Map(order.map((cluster, n) => [cluster, n]))
  return {
    centres: Float64Array.from(
      order.flatMap((c) => [...centres.subarray(c * dimensions, (c + 1) * dimensions)]),
    ),
    of: of.map((cluster) => numbers.get(cluster) as number),
  }
}

/** Squared distance of two rows. */
export function squaredDistance(
  a: ArrayLike<number>,
  rowA: number,
  b: ArrayLike<number>,
  rowB: number,
  dimensions: number,
): number {
  let sum = 0
  for (let i = 0; i < dimensions; i++) {
    const difference = (a[rowA * dimensions + i] as number) - (b[rowB * dimensions + i] as number)
    sum += difference * difference
  }
  return sum
}

/** For each cluster the numbers of up to `count` points nearest to its centre, nearest first. */
export function nearestToCentres(
  points: Float32Array,
  dimensions: number,
  { centres, of }: Clusters,
  count: number,
): Int32Array[] {
  const members: { row: number; distance: number }[][] = Array.from(
    { length: centres.length / dimensions },
    () => [],
  )
  of.forEach((cluster, row) => {
    members[cluster]?.push({ row, distance: squaredDistance(points, row, centres, cluster, dimensions) })
  })
  return members.map((list) =>
    Int32Array.from(list.sort((a, b) => a.distance - b.distance).slice(0, count), ({ row }) => row),
  )
}
