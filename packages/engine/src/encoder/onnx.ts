// First: the runtime looks at the environment once, when it is loaded.
import './no-telemetry.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'

/** A graph that turns token ids into one vector. */
export interface OnnxModel {
  /**
   * Runs one text. Calls may overlap; the runtime executes them one after the other in the calling thread.
   *
   * @param ids special tokens included, no padding
   * @returns the output `sentence_embedding` of the single row, not normalised
   * @throws Error when the graph has no such output or it has another shape
   */
  run(ids: Int32Array): Promise<Float32Array>
  close(): Promise<void>
}

const OUTPUT = 'sentence_embedding'

/**
 * Measured with onnxruntime-node 1.30 on the shipped model, one core with AVX2 (open 57 ms; 29 MB of private
 * memory for prepacked weights; 2.4 / 3.9 / 11 / 31 ms for 8 / 16 / 45 / 128 tokens), and left at the default:
 *
 * - `graphOptimizationLevel`: none to all make no difference here; other graphs gain from all.
 * - `enableCpuMemArena: false`: 25 MB less after a text of 512 tokens only when malloc gives pages back at once,
 *   and then 512 tokens take 310 ms instead of 165.
 * - `session.disable_prepacking`: opens 20 ms sooner and saves 20 MB, but 8 tokens take 26 ms.
 * - an arena that shrinks after every run: the Node binding does not pass that option on.
 */
const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  // One thread per session, several sessions in several threads: it gives the most texts a second.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Memory patterns are kept for every length of text that was ever seen. Without them 180 texts of mixed lengths
  // take the same time and leave up to 12 MB less behind.
  enableMemPattern: false,
}

/**
 * Opens a graph by path, so that the runtime maps `model.onnx.data` instead of reading it.
 *
 * @throws Error with the runtime's words when the graph cannot be loaded
 */
export async function openOnnxModel(path: string): Promise<OnnxModel> {
  const session = await InferenceSession.create(path, SESSION_OPTIONS)
  return {
    async run(ids) {
      const shape = [1, ids.length]
      const feeds: Record<string, Tensor> = {}
      for (const name of session.inputNames) {
        feeds[name] = new Tensor('int64', inputNamed(name, ids), shape)
      }
      const output = (await session.run(feeds, [OUTPUT]))[OUTPUT]
      const isRow = output?.dims.length === 2 && output.dims[0] === 1 && output.data instanceof Float32Array
      if (!isRow) throw new Error(`${OUTPUT} is not one row of 32-bit floats`)
      return output.data as Float32Array
    },
    close: () => session.release(),
  }
}

function inputNamed(name: string, ids: Int32Array): BigInt64Array {
  switch (name) {
    case 'input_ids':
      return BigInt64Array.from(ids, BigInt)
    case 'attention_mask':
      return new BigInt64Array(ids.length).fill(1n)
    case 'token_type_ids':
      return new BigInt64Array(ids.length)
    default:
      throw new Error(`The graph asks for an input ${name} that the encoder does not have`)
  }
}
