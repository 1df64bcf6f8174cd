/**
 * The kernels, JavaScript against native, in one thread and one run; then searches that look at fewer bits first against
 * those of float32, a search by two threads against one, and answers of stored texts against JSON.stringify.
 *
 *   npm run build:accel && npm run bench -- kernels [--large] [--rescored 100000]
 *
 * Searches are also compared with the time to read the same memory once with the same instructions, their limit.
 * --large adds searches of 1,000,000 rows, which take 6 GB of memory.
 */
import { accel } from '../crates/accel/index.js'
import { javascriptKernels } from '../packages/engine/src/kernels/javascript.ts'
import { kernels } from '../packages/engine/src/kernels/kernels.ts'
import { readOptions } from '../scripts/read-options.ts'
import { measureAnswerTexts } from './kernels/answer-text.ts'
import { type Case, cases, searches } from './kernels/cases.ts'
import { measureRescored } from './kernels/rescored.ts'
import { time } from './kernels/time.ts'
import { measureTwoThreads } from './kernels/two-threads.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { digits, type Spread, showSpread, spread } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    large: { type: 'boolean', default: false },
    /** Numbers of rows of the searches that score their candidates anew. */
    rescored: { type: 'string', default: '100000' },
  },
})
const rounds = 3
const large = options.large ? [1_000_000] : []
/** Rows of the search by two threads. */
const halvedRows = [10_000, 100_000]

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

const figures = [...cases().map(measure), ...large.flatMap((rows) => searches(rows).map(measure))]
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

const rescored = [...options.rescored.split(',').map(Number), ...large].flatMap((rows) => {
  const measured = measureRescored(native, rows, rounds)
  console.error(`Rescored searches of ${rows}`)
  return measured
})
console.log(
  `\n10 nearest of clustered rows\n\n${table(
    ['rows', 'search', 'recall@10', 'ms', 'float32 / this'],
    rescored.map(({ rows, name, recall, ms, ratio }) => [
      rows.toLocaleString('en'),
      name,
      recall.toFixed(4),
      showSpread(ms),
      `${digits(ratio)}x`,
    ]),
  )}`,
)

const twoThreads = []
for (const rows of halvedRows) twoThreads.push(await measureTwoThreads(kernels, rows, rounds))
console.log(
  `\n10 nearest by float32 in two threads\n\n${table(
    ['rows', 'one thread ms', 'two threads ms', 'one / two'],
    twoThreads.map(({ rows, one, two, ratio }) => [
      rows.toLocaleString('en'),
      showSpread(one),
      showSpread(two),
      `${digits(ratio)}x`,
    ]),
  )}`,
)

const answerTexts = measureAnswerTexts(native, rounds)
console.log(
  `\nAn answer of ten values of 384 numbers\n\n${table(
    ['answer', 'bytes', 'stored texts ms', 'JSON.stringify ms', 'JSON.stringify / stored'],
    answerTexts.map(({ name, bytes, spliced, stringified, ratio }) => [
      name,
      bytes.toLocaleString('en'),
      showSpread(spliced),
      showSpread(stringified),
      `${digits(ratio)}x`,
    ]),
  )}`,
)
writeResult('kernels', environment, {
  instructionSet,
  rounds,
  figures,
  rescored,
  twoThreads,
  answerTexts,
})

function measure({ name, run, reads }: Case): Figure {
  const samples = { javascript: [] as number[], native: [] as number[], read: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    samples.native.push(time(() => run(kernels)))
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
