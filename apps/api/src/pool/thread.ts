import { workerData } from 'node:worker_threads'
import { type Encoder, EncoderError, type EncoderGate, openEncoder } from '@memory/shared/encoder/encoder'
import { type Hits, kernels } from '@memory/shared/engine/kernels/kernels'
import type { Search } from '@memory/shared/memory/compute'

/** Runs in a pool thread: each has an encoder of its own, and all search the same shared memory. */

export interface ThreadData {
  encoderDir: string
  dimensions: number
  /** Lets the main thread wait for the runtime before it ends the threads. */
  gate: EncoderGate
}

export type Task =
  | { kind: 'describe' }
  | { kind: 'embed'; text: string }
  | { kind: 'search'; queries: readonly Float32Array[]; search: Search }

export type Result =
  | { kind: 'description'; modelId: string; problem?: undefined }
  | { kind: 'description'; problem: string }
  | { kind: 'embedding'; embedding: Float32Array; encodeMs: number }
  | { kind: 'hits'; hits: Hits[] }

const { encoderDir, dimensions, gate } = workerDataOf()
let opening: Promise<Encoder> | undefined

export default async function run(task: Task): Promise<Result> {
  switch (task.kind) {
    case 'describe':
      return describe()
    case 'embed': {
      const { embedding, encodeMs } = await encode(task.text)
      return { kind: 'embedding', embedding, encodeMs }
    }
    case 'search':
      return { kind: 'hits', hits: task.queries.map((query) => search(query, task.search)) }
  }
}

async function describe(): Promise<Result> {
  try {
    return { kind: 'description', modelId: (await encoder()).modelId }
  } catch (error) {
    // The class of an error does not survive the way between threads.
    if (error instanceof EncoderError) return { kind: 'description', problem: error.message }
    throw error
  }
}

async function encode(text: string): Promise<{ embedding: Float32Array; encodeMs: number }> {
  const open = await encoder()
  const started = performance.now()
  const embedding = await open.encode(text)
  return { embedding, encodeMs: performance.now() - started }
}

function encoder(): Promise<Encoder> {
  opening ??= openEncoder(encoderDir, { dimensions, gate })
  return opening
}

function search(query: Float32Array, { matrix, k, minScore, selection }: Search): Hits {
  return kernels.nearest(matrix, query, k, minScore, selection)
}

/** Piscina wraps what it was given. */
function workerDataOf(): ThreadData {
  const data = workerData as unknown
  return (Array.isArray(data) ? data[1] : data) as ThreadData
}
