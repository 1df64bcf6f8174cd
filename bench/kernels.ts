/**
 * The kernels, JavaScript against native, in one thread and one run.
 *
 *   npm run build:accel && npm run bench:kernels
 *
 * Searches are also compared with the time to read the same memory once with the same instructions, their limit.
 */
import { accel } from '../crates/accel/index.js'
import { javascriptKernels } from '../packages/shared/src/engine/kernels/javascript.ts'
import { type Case, cases } from './kernels/cases.ts'
import { time } from './kernels/time.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { digits, type Spread, showSpread, spread } from './support/statistics.ts'

const rounds = 3

interface Figure {
  name: string
  /** Milliseconds a call, over the rounds. */
  javascript: Spread
  native: Spread
  /** JavaScript / native, of the fastest rounds: others of the machine slow down either. */
  ratio: number
  /** The fastest read of the same memory / the fastest native call. */
  ofLimit?: number
}

if (accel === null) {
  console.error('The native kernels are not built: npm run build:accel')
  process.exit(2)
}
const native = accel
const environment = readEnvironment()
const { instructionSet } = native.features()
console.log(`${environmentLine(environment)}; native kernels: ${instructionSet}\n`)

const figures = cases().map(measure)
console.log(
  table(
    ['operation', 'JavaScript ms', 'native ms', 'JavaScript / native', 'of the limit'],
    figures.map(({ name, javascript, native, ratio, ofLimit }) => [
      name,
      showSpread(javascript),
      showSpread(native),
      `${digits(ratio)}x`,
      ofLimit === undefined ? '' : `${digits(100 * ofLimit)} %`,
    ]),
  ),
)
writeResult('kernels', environment, { instructionSet, rounds, figures })

function measure({ name, run, reads }: Case): Figure {
  const samples = { javascript: [] as number[], native: [] as number[], read: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    samples.native.push(time(() => run(native)))
    if (reads !== undefined) samples.read.push(time(() => native.sum(reads)))
    samples.javascript.push(time(() => run(javascriptKernels)))
  }
  const figure = { javascript: spread(samples.javascript), native: spread(samples.native) }
  console.error(name)
  return {
    name,
    ...figure,
    ratio: figure.javascript.min / figure.native.min,
    ...(reads !== undefined && { ofLimit: spread(samples.read).min / figure.native.min }),
  }
}
