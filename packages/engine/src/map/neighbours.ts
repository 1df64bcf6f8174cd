import { kernels } from '../kernels/kernels.ts'
import { halfSquares, squaredDistance } from './k-means.ts'

/** Points by the cell that they are in, and which cells lie near each. */
export interface Cells {
  /** The numbers of all points, one cell after the other. */
  members: Int32Array
  /** Where in `members` each cell begins, and where the last ends. */
  starts: Int32Array
  /** For each cell `probes` cells: itself, and those whose centres are nearest. */
  near: Int32Array
  /** How many cells the neighbours of a point are looked for in. */
  probes: number
}

/**
 * Sorts points into cells.
 * @param of the cell of each point
 * @param centres a row of `dimensions` numbers for each cell
 */
export function cellsOf(of: Int32Array, centres: Float64Array, dimensions: number, probesMax: number): Cells {
  const count = centres.length / dimensions
  const starts = new Int32Array(count + 1)
  for (const cell of of) starts[cell + 1] = (starts[cell + 1] as number) + 1
  for (let cell = 0; cell < count; cell++)
    starts[cell + 1] = (starts[cell + 1] as number) + (starts[cell] as number)
  const next = starts.slice()
  const members = new Int32Array(of.length)
  of.forEach((cell, point) => {
    members[next[cell] as number] = point
    next[cell] = (next[cell] as number) + 1
  })
  const probes = Math.min(probesMax, count)
  const near = new Int32Array(count * probes)
  for (let cell = 0; cell < count; cell++) {
    const byDistance = Array.from({ length: count }, (_, other) => ({
      other,
      distance: other === cell ? -1 : squaredDistance(centres, cell, centres, other, dimensions),
    })).sort((a, b) => a.distance - b.distance)
    for (let n = 0; n < probes; n++) near[cell * probes + n] = byDistance[n]?.other as number
  }
  return { members, starts, near, probes }
}

export interface Neighbours {
  /** Numbers of `k` others for each point, nearest first; -1 where there are fewer. */
  points: Int32Array
  /** Their distances. */
  distances: Float32Array
}

/** The most points that one is compared with: where many have the same key, all are in one cell. */
const candidatesMax = 4_096
/** How many products are computed at once: 16 MiB of them. */
const productsAtOnce = 2 ** 22

/**
 * The nearest others of some points, among those of the cells near theirs: those that lie further away are missed.
 * @param range places in `members`
 * @returns rows in the order of `members`, from where the range begins
 */
export function nearestOthers(
  points: Float32Array,
  dimensions: number,
  { members, starts, near, probes }: Cells,
  [from, to]: readonly [number, number],
  k: number,
): Neighbours {
  const found = new Int32Array((to - from) * k).fill(-1)
  const distances = new Float32Array((to - from) * k)
  for (let cell = 0; cell < starts.length - 1; cell++) {
    const first = Math.max(from, starts[cell] as number)
    const end = Math.min(to, starts[cell + 1] as number)
    if (first >= end) continue
    const candidates = someOf(
      Array.from(near.subarray(cell * probes, (cell + 1) * probes), (other) =>
        members.subarray(starts[other], starts[other + 1]),
      ),
    )
    const atOnce = Math.max(1, Math.floor(productsAtOnce / candidates.length))
    for (let start = first; start < end; start += atOnce) {
      const own = members.subarray(start, Math.min(end, start + atOnce))
      nearestAmong(points, dimensions, own, candidates, k, (row, at, other, distance) => {
        const place = (start - from + row) * k + at
        found[place] = other
        distances[place] = distance
      })
    }
  }
  return { points: found, distances }
}

/** All points of the parts, or of more than `candidatesMax` so many, evenly spread. */
function someOf(parts: readonly Int32Array[]): Int32Array {
  const count = parts.reduce((sum, { length }) => sum + length, 0)
  const step = Math.max(1, count / candidatesMax)
  const some = new Int32Array(Math.min(count, candidatesMax))
  let taken = 0
  let seen = 0
  for (const part of parts) {
    for (const point of part) {
      if (taken < some.length && seen++ >= taken * step) some[taken++] = point
    }
  }
  return some.subarray(0, taken)
}

/** Calls `tell` for each of the `k` candidates nearest to each of the points `own`, in the order of their distances. */
function nearestAmong(
  points: Float32Array,
  dimensions: number,
  own: Int32Array,
  candidates: Int32Array,
  k: number,
  tell: (row: number, at: number, other: number, distance: number) => void,
): void {
  if (own.length === 0) return
  const [these, those] = [rowsOf(points, own, dimensions), rowsOf(points, candidates, dimensions)]
  const { values } = kernels.einsum(
    'bd,nd->bn',
    { shape: [own.length, dimensions], values: these },
    { shape: [candidates.length, dimensions], values: those },
  )
  const halves = halfSquares(those, dimensions)
  const ownHalves = halfSquares(these, dimensions)
  const best = new Float64Array(k)
  const which = new Int32Array(k)
  for (let row = 0; row < own.length; row++) {
    best.fill(Number.POSITIVE_INFINITY)
    for (let c = 0, at = row * candidates.length; c < candidates.length; c++, at++) {
      const distance = (halves[c] as number) - (values[at] as number)
      if (distance >= (best[k - 1] as number) || candidates[c] === own[row]) continue
      let place = k - 1
      for (; place > 0 && (best[place - 1] as number) > distance; place--) {
        best[place] = best[place - 1] as number
        which[place] = which[place - 1] as number
      }
      best[place] = distance
      which[place] = candidates[c] as number
    }
    for (let n = 0; n < k && best[n] !== Number.POSITIVE_INFINITY; n++) {
      const half = (best[n] as number) + (ownHalves[row] as number)
      tell(row, n, which[n] as number, Math.sqrt(Math.max(0, 2 * half)))
    }
  }
}

function rowsOf(points: Float32Array, which: Int32Array, dimensions: number): Float32Array {
  const rows = new Float32Array(which.length * dimensions)
  which.forEach((point, row) => {
    rows.set(points.subarray(point * dimensions, (point + 1) * dimensions), row * dimensions)
  })
  return rows
}
