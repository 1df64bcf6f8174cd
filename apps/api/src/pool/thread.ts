import { workerData } from 'node:worker_threads'
import {
  type Encoder,
  EncoderError,
  type EncoderGate,
  type Encoding,
  openEncoder,
} from '@memory/engine/encoder/encoder'
import { type Iteration, type IterationEnd, relaxFar } from '@memory/engine/energy'
import { type Measurement, type Slice, Stopwatch } from '@memory/memory/acceleration/stopwatch'
import type { LexicalFound, LexicalTarget } from '@memory/memory/index/lexical-index'
import { scoreLexical, searchLexical } from '@memory/memory/index/search-lexical'
import { searchShardMany } from '@memory/memory/index/search-shard'
import type { Found, SearchTarget, ShardSearch } from '@memory/memory/index/shard'
import { type MapResults, type MapStep, runMapStep } from '@memory/memory/map/map-step'

/** Runs in a pool thread: each has an encoder of its own, and all search the same shared memory. */

export interface ThreadData {
  encoderDir: string
  dimensions: number
  /** Lets the main thread wait for the runtime before it ends the threads. */
  gate: EncoderGate
}

export type Task =
  | { kind: 'describe' }
  /** A text that nothing was done about yet, or one that is encoded in part. */
  | { kind: 'embed'; text: string | Encoding }
  | { kind: 'tokens'; texts: readonly string[] }
  | { kind: 'search'; target: SearchTarget; queries: readonly Float32Array[]; search: ShardSearch }
  | { kind: 'lexical'; target: LexicalTarget; query: string; k: number; allowed: Uint8Array | undefined }
  | { kind: 'lexicalScores'; target: LexicalTarget; query: string; labels: Int32Array }
  | { kind: 'relax'; iterations: readonly Iteration[] }
  | { kind: 'map'; step: MapStep }
  | { kind: 'measure'; slice: Slice }

/** What tasks come to, by their kind. */
export interface Results {
  describe: { modelId: string; characters: string | undefined } | { problem: string }
  /** Of a text that is encoded in part, what is left is for other turns. */
  embed: { embedding: Float32Array; encodeMs: number } | { encoding: Encoding; encodeMs: number }
  /** Of each text. */
  tokens: number[]
  search: Found[]
  lexical: LexicalFound
  lexicalScores: Float64Array
  relax: IterationEnd[]
  map: MapResults[MapStep['kind']]
  measure: Measurement
}

const { encoderDir, dimensions, gate } = workerDataOf()
const stopwatch = new Stopwatch()
let opening: Promise<Encoder> | undefined

export default async function run(task: Task): Promise<Results[Task['kind']]> {
  switch (task.kind) {
    case 'describe':
      return describe()
    case 'embed':
      return embed(task.text)
    case 'tokens':
      return countTokens(task.texts)
    case 'search':
      return searchShardMany(task.target, task.queries, task.search)
    case 'lexical':
      return searchLexical(task.target, task.query, task.k, task.allowed)
    case 'lexicalScores':
      return scoreLexical(task.target, task.query, task.labels)
    case 'relax':
      return task.iterations.map(endOf)
    case 'map':
      return runMapStep(task.step)
    case 'measure':
      return stopwatch.measure(task.slice)
  }
}

async function countTokens(texts: readonly string[]): Promise<number[]> {
  const open = await encoder()
  return texts.map((text) => open.countTokens(text))
}

function endOf({ values, inverseNorms, query, options }: Iteration): IterationEnd {
  const { weights, cosines } = relaxFar(values, inverseNorms, query, options)
  return { weights, cosines }
}

async function describe(): Promise<Results['describe']> {
  try {
    const { modelId, characters } = await encoder()
    return { modelId, characters }
  } catch (error) {
    // The class of an error does not survive the way between threads.
    if (error instanceof EncoderError) return { problem: error.message }
    throw error
  }
}

/**
 * Tokens up to which a text is encoded in the turn that reads it, which takes up to 30 ms with them; a window of 512
 * takes 170 ms, so longer texts have a turn for each of their windows.
 */
const tokensOfFirstTurn = 128

/** Encodes a short text, and one step of a longer one. */
async function embed(text: string | Encoding): Promise<Results['embed']> {
  const open = await encoder()
  const started = performance.now()
  const encoding = typeof text === 'string' ? open.begin(text) : text
  const isDue = typeof text !== 'string' || encoding.ids.length <= tokensOfFirstTurn
  const embedding = isDue ? await open.advance(encoding) : undefined
  const encodeMs = performance.now() - started
  return embedding === undefined ? { encoding, encodeMs } : { embedding, encodeMs }
}

function encoder(): Promise<Encoder> {
  opening ??= openEncoder(encoderDir, { dimensions, gate })
  return opening
}

/** Piscina wraps what it was given. */
function workerDataOf(): ThreadData {
  const data = workerData as unknown
  return (Array.isArray(data) ? data[1] : data) as ThreadData
}
