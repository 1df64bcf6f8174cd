import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** The code of a pool thread. Each thread has an encoder of its own; all search the same shared memory. */

export interface ThreadData {
  encoderDir: string
  dimensions: number
  /** Lets the main thread wait until this thread has left the encoder's native runtime before ending it. */
  gate: EncoderGate
}

export type Task =
  | { kind: 'describe' }
  /** A text, or a partly encoded one. */
  | { kind: 'embed'; text: string | Encoding }
  | { kind: 'tokens'; texts: readonly string[] }
  | { kind: 'search'; target: SearchTarget; queries: readonly Float32Array[]; search: ShardSearch }
  | { kind: 'lexical'; target: LexicalTarget; query: string; k: number; allowed: Uint8Array | undefined }
  | { kind: 'lexicalScores'; target: LexicalTarget; query: string; labels: Int32Array }
  | { kind: 'relax'; iterations: readonly Iteration[] }
  | { kind: 'map'; step: MapStep }
  | { kind: 'measure'; slice: Slice }

/** Results of tasks, by kind. */
export interface Results {
  describe: { modelId: string; characters: string | undefined } | { problem: string }
  /** The embedding; or, of a text that needs further turns, its partial encoding. */
  embed: { embedding: Float32Array; encodeMs: number } | { encoding: Encoding; encodeMs: number }
  /** The number of tokens of each text. */
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

/**
 * Does a task, and then gives the event loop a turn, which takes a few microseconds. Between tasks Piscina blocks this
 * thread without one, and only in a turn is the memory of arrays freed that native code has made and that were collected:
 * without it the process grows for as long as tasks come.
 */
export default async function run(task: Task): Promise<Results[Task['kind']]> {
  const result = await resultOf(task)
  await nextTurn()
  return result
}

function resultOf(task: Task): Results[Task['kind']] | Promise<Results[Task['kind']]> {
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
    // Errors lose their class when they are sent to another thread.
    if (error instanceof EncoderError) return { problem: error.message }
    throw error
  }
}

/**
 * A text of at most this many tokens is encoded in the turn that also cuts it into tokens, 30 ms in all. A window of 512
 * tokens takes 170 ms, so a longer text has a turn of its own for each window.
 */
const tokensOfFirstTurn = 128

/** Encodes a short text whole; does one step of a longer one. */
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

/** Piscina puts the `workerData` that it was given second in an array of its own. */
function workerDataOf(): ThreadData {
  const data = workerData as unknown
  return (Array.isArray(data) ? data[1] : data) as ThreadData
}
