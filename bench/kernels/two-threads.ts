import { Worker } from 'node:worker_threads'
import type { Hits, Kernels, Matrix } from '../../packages/engine/src/kernels/kernels.ts'
import { type Spread, spread } from '../support/statistics.ts'
import { Control, type Half } from './half.ts'
import { alive, dimensions, newMatrix, randomVector } from './matrix.ts'
import { time } from './time.ts'

const k = 10

/** A search of float32 by one thread, and by two of which each looks at half of the rows. */
export interface TwoThreads {
  rows: number
  /** Milliseconds a search, over the rounds. */
  one: Spread
  two: Spread
  /** One thread / two, of the fastest rounds. */
  ratio: number
}

/**
 * The second thread waits for its half without sleeping, as one thread of a kernel waits for another: a message between
 * threads of JavaScript takes as long as the whole search. It sleeps while the first is timed alone.
 */
export async function measureTwoThreads(native: Kernels, rows: number, rounds: number): Promise<TwoThreads> {
  const matrix = newMatrix(rows)
  const query = randomVector(dimensions)
  const half: Half = {
    matrix: rowsOf(matrix, rows >> 1, rows),
    query,
    k,
    control: new Int32Array(new SharedArrayBuffer(4 * Control.length)),
    labels: new Int32Array(new SharedArrayBuffer(4 * k)),
    scores: new Float64Array(new SharedArrayBuffer(8 * k)),
  }
  const other = rowsOf(matrix, 0, rows >> 1)
  const worker = new Worker(new URL('./half-scan.ts', import.meta.url), { workerData: half })
  await new Promise((resolve) => worker.once('message', resolve))
  let turn = 0
  const together = () => {
    Atomics.store(half.control, Control.asked, ++turn)
    const own = native.nearest(other, query, k, -1, alive)
    while (Atomics.load(half.control, Control.answered) !== turn);
    return merged(own, half)
  }
  const wake = (awake: 0 | 1) => {
    Atomics.store(half.control, Control.awake, awake)
    Atomics.notify(half.control, Control.awake)
  }
  const alone = () => native.nearest(matrix, query, k, -1, alive).labels
  const samples = { one: [] as number[], two: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    samples.one.push(time(alone))
    wake(1)
    samples.two.push(time(together))
    if (String(together()) !== String(alone())) throw new Error('Two threads found other rows than one')
    wake(0)
  }
  await worker.terminate()
  const [one, two] = [spread(samples.one), spread(samples.two)]
  return { rows, one, two, ratio: one.min / two.min }
}

function rowsOf(matrix: Matrix, first: number, end: number): Matrix {
  return {
    dimensions,
    count: end - first,
    values: matrix.values.subarray(first * dimensions, end * dimensions),
    inverseNorms: matrix.inverseNorms.slice(first, end),
    labels: matrix.labels.slice(first, end),
    flags: matrix.flags.slice(first, end),
  }
}

/** Labels of the k best of two lists that are sorted. */
function merged(own: Hits, other: Pick<Half, 'labels' | 'scores'>): Int32Array {
  const labels = new Int32Array(k)
  for (let i = 0, j = 0; i + j < k; ) {
    const at = i + j
    if ((own.scores[i] as number) >= (other.scores[j] as number)) labels[at] = own.labels[i++] as number
    else labels[at] = other.labels[j++] as number
  }
  return labels
}
