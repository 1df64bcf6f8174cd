/**
 * The search kernels, JavaScript against native, in one thread: 10 nearest of 1,000 to 100,000 rows of 384 numbers.
 *
 *   node crates/accel/build.mjs && node bench/kernels.ts
 *
 * The limit is the time to read the same memory once, measured with the same instructions.
 */
import { accel } from '../crates/accel/index.js'
import { javascriptKernels } from '../packages/shared/src/engine/kernels/javascript.ts'
import type { Kernels, Matrix } from '../packages/shared/src/engine/kernels/kernels.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table } from './support/results.ts'

const dimensions = 384
const runs = 5
const k = 10

interface Timing {
  rows: number
  what: 'JavaScript' | 'native' | 'read'
  min: number
  median: number
  max: number
}

if (accel === null) {
  console.error('The native kernels are not built: node crates/accel/build.mjs')
  process.exit(2)
}
const native = accel
const environment = readEnvironment()
const { instructionSet } = native.features()
console.log(`${environmentLine(environment)}; native kernels: ${instructionSet}\n`)

const timings = [1_000, 10_000, 100_000].flatMap(measure)
const cells = timings.map(({ rows, what, min, median, max }) => {
  const find = (other: Timing['what']) => timings.find((one) => one.rows === rows && one.what === other)!
  return [
    rows.toLocaleString('en'),
    what,
    ...[min, median, max].map((milliseconds) => milliseconds.toFixed(4)),
    `${(find('JavaScript').median / median).toFixed(1)}x`,
    `${((100 * find('read').min) / min).toFixed(0)} %`,
    ((rows * dimensions * 4) / min / 1e6).toFixed(1),
  ]
})
const header = ['rows', 'kernel', 'min ms', 'median ms', 'max ms', 'JavaScript / it', 'of the limit', 'GB/s']
console.log(table(header, cells))
console.log(`\n${JSON.stringify({ environment, instructionSet, dimensions, k, runs, timings })}`)

function measure(rows: number): Timing[] {
  const matrix = newMatrix(rows)
  const query = Float32Array.from({ length: dimensions }, () => Math.random() * 2 - 1)
  const search = (kernels: Kernels) => () => kernels.nearest(matrix, query, k, -1, { requiredFlags: 1 })
  if (`${search(native)().labels}` !== `${search(javascriptKernels)().labels}`)
    throw new Error('The kernels disagree')
  return [
    { rows, what: 'JavaScript', ...time(search(javascriptKernels)) },
    { rows, what: 'native', ...time(search(native)) },
    { rows, what: 'read', ...time(() => native.sum(matrix.values)) },
  ]
}

/** Milliseconds a call. A run repeats the call for at least 50 ms, so that the clock and small pauses do not count. */
function time(call: () => unknown): Pick<Timing, 'min' | 'median' | 'max'> {
  const warmUntil = performance.now() + 200
  while (performance.now() < warmUntil) call()
  const means = Array.from({ length: runs }, () => {
    const started = performance.now()
    let calls = 0
    let elapsed = 0
    while (elapsed < 50) {
      call()
      calls++
      elapsed = performance.now() - started
    }
    return elapsed / calls
  }).sort((a, b) => a - b)
  return { min: means[0]!, median: means[runs >> 1]!, max: means.at(-1)! }
}

/** Random rows in memory that threads share, as the index holds them. */
function newMatrix(count: number): Matrix {
  const values = new Float32Array(new SharedArrayBuffer(count * dimensions * 4))
  for (let at = 0; at < values.length; at++) values[at] = Math.random() * 2 - 1
  const inverseNorms = new Float64Array(new SharedArrayBuffer(count * 8))
  for (let row = 0; row < count; row++)
    inverseNorms[row] = 1 / Math.hypot(...values.subarray(row * dimensions, (row + 1) * dimensions))
  const labels = new Int32Array(new SharedArrayBuffer(count * 4)).map((_, row) => row)
  const flags = new Uint8Array(new SharedArrayBuffer(count)).fill(1)
  return { dimensions, count, values, inverseNorms, labels, flags }
}
