import { createHash, type Hash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { EncoderError } from './encoder-error.ts'

export const GRAPH_FILE = 'model.onnx'
const WEIGHTS_FILE = 'model.onnx.data'
export const TOKENIZER_FILE = 'tokenizer.json'
export const SETTINGS_FILE = 'tokenizer_config.json'

/** Files up to this size, in bytes, are read and hashed whole. */
const WHOLE_FILE_MAX = 16 * 1024 * 1024
/** Of a larger file, one block of `SAMPLE_BYTES` is hashed every `SAMPLE_STRIDE` bytes, and its last block. */
const SAMPLE_BYTES = 4096
const SAMPLE_STRIDE = 256 * 1024

export interface EncoderFiles {
  /** Path of the graph; the runtime opens it, and finds the weights beside it. */
  readonly graphPath: string
  readonly tokenizer: Buffer
  readonly settings: Buffer
  /** Twelve hexadecimal digits from the content of all files. */
  readonly fingerprint: string
}

/**
 * Checks that an encoder's files are there, and reads those that the runtime does not open itself.
 *
 * The fingerprint is a SHA-256 over the small files and over samples of the weights: all of their 74 MB would
 * take 100 to 140 ms at every start of every thread, the samples take 2 ms. Training touches every matrix, so
 * another model differs in the samples; a single changed weight may go unseen.
 *
 * @throws EncoderError naming the file and the directory
 */
export function readEncoderFiles(directory: string): EncoderFiles {
  const hash = createHash('sha256')
  const graph = readFile(directory, GRAPH_FILE, hash, WHOLE_FILE_MAX)
  // A graph names the file that has its weights; one too large to read here has them inside.
  if (graph?.includes(WEIGHTS_FILE)) readFile(directory, WEIGHTS_FILE, hash, WHOLE_FILE_MAX)
  const tokenizer = readFile(directory, TOKENIZER_FILE, hash)
  const settings = readFile(directory, SETTINGS_FILE, hash)
  return {
    graphPath: join(directory, GRAPH_FILE),
    tokenizer,
    settings,
    fingerprint: hash.digest('hex').slice(0, 12),
  }
}

/**
 * Adds a file to the hash and returns its content; undefined when it is larger than `wholeMax` and only sampled.
 * It reads synchronously: the encoder's thread has nothing else to do, and 290 asynchronous reads take 25 ms.
 */
function readFile(directory: string, name: string, hash: Hash): Buffer
function readFile(directory: string, name: string, hash: Hash, wholeMax: number): Buffer | undefined
function readFile(directory: string, name: string, hash: Hash, wholeMax = Infinity): Buffer | undefined {
  let file: number | undefined
  try {
    file = openSync(join(directory, name), 'r')
    const { size } = fstatSync(file)
    hash.update(`${name} ${size}\n`)
    if (size > wholeMax) {
      addSamples(file, size, hash)
      return undefined
    }
    const content = readFileSync(file)
    hash.update(content)
    return content
  } catch (error) {
    throw new EncoderError(describe(error, directory, name), { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function addSamples(file: number, size: number, hash: Hash): void {
  const block = Buffer.alloc(SAMPLE_BYTES)
  const add = (at: number) => hash.update(block.subarray(0, readSync(file, block, 0, SAMPLE_BYTES, at)))
  for (let at = 0; at < size; at += SAMPLE_STRIDE) add(at)
  add(size - SAMPLE_BYTES)
}

function describe(error: unknown, directory: string, name: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const all = `${GRAPH_FILE}, ${WEIGHTS_FILE}, ${TOKENIZER_FILE} and ${SETTINGS_FILE}`
    return `The encoder's file ${name} is missing in ${directory}: put ${all} there, or set MEMORY_ENCODER_DIR to a directory that has them.`
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return `The encoder's file ${name} in ${directory} must not be read by this user: give it read permission`
  }
  return `The encoder's file ${name} in ${directory} cannot be read (${message}): copy it there again`
}
