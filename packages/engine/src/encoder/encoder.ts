import { EncoderError } from './encoder-error.ts'
import { GRAPH_FILE, readEncoderFiles, SETTINGS_FILE, TOKENIZER_FILE } from './files.ts'
import { type EncoderGate, newEncoderGate, passGate } from './gate.ts'
import { withLostCharacters } from './lost-characters.ts'
import { type OnnxModel, openOnnxModel } from './onnx.ts'
import { openTokenizer } from './tokenizer/open-tokenizer.ts'
import type { Tokenizer } from './tokenizer/tokenizer.ts'
import type { TokenizerSettings } from './tokenizer/unigram-tokenizer.ts'
import { normalisedMean, splitWindows, type WindowShape } from './windows.ts'

export { EncoderError } from './encoder-error.ts'
export { closeEncoderGate, type EncoderGate, newEncoderGate } from './gate.ts'

/**
 * A text on its way to its embedding. Plain data: it may go on in another thread than it began in, whose encoder has the
 * same files.
 */
export interface Encoding {
  readonly text: string
  /** Token ids of the text, special tokens included; over 512 it is encoded in windows. */
  readonly ids: Int32Array
  /** The vectors that the model gave for its first windows; `advance` adds the next. */
  readonly outputs: Float32Array[]
}

/** Turns texts into unit vectors whose dot product is their similarity. One per thread. */
export interface Encoder {
  readonly dimensions: number
  /** `<name>@<12 hexadecimal digits>`; changes when the files do, so that stored vectors can be told apart. */
  readonly modelId: string
  /** The characters that the model knows, one after the other; undefined: its tokenizer doesn't say. */
  readonly characters: string | undefined
  /**
   * The embedding of a text of any length: `dimensions` numbers, unit length. The same text gives the same bits
   * on one kind of processor, whatever was encoded before.
   *
   * @throws EncoderError when the model gives no finite vector or was closed
   */
  encode(text: string): Promise<Float32Array>
  /** Begins to encode a text. It only splits the text into tokens, which takes a small part of the time. */
  begin(text: string): Encoding
  /**
   * Runs the next window of a text. Windows are the longest steps that nothing can interrupt, so whoever has others wait
   * may serve them in between.
   * @returns the embedding, the same as `encode` gives, once it was the last window
   * @throws EncoderError as `encode`
   */
  advance(encoding: Encoding): Promise<Float32Array | undefined>
  /** Number of token ids of the text, special tokens included. */
  countTokens(text: string): number
  close(): Promise<void>
}

export interface EncoderOptions {
  /** The length that vectors must have; 384 unless given. */
  readonly dimensions?: number
  /** The first part of `modelId`; the last part of `name_or_path` in tokenizer_config.json unless given. */
  readonly name?: string
  /** Closed by the thread that ends this one, before it does so; see `EncoderGate`. */
  readonly gate?: EncoderGate
}

const CLOSED = 'The encoder is closed: open another one'

/** The most ids in a window, special tokens included: the positions that the model was trained on. */
const WINDOW_TOKENS = 512
/** Windows overlap by a quarter: a sentence cut by one is whole in the next. */
const STRIDE_TOKENS = 384

/**
 * Opens the encoder in a directory with `model.onnx`, `model.onnx.data`, `tokenizer.json` and
 * `tokenizer_config.json`, and encodes one short text, which checks the output and warms the model up.
 *
 * @throws EncoderError with one sentence that says what is wrong and what to do
 */
export async function openEncoder(directory: string, options: EncoderOptions = {}): Promise<Encoder> {
  const { dimensions = 384, gate = newEncoderGate() } = options
  const files = readEncoderFiles(directory)
  const settings = readSettings(files.settings, directory)
  const tokenizer = readTokenizer(files.tokenizer, settings, directory)
  const model = await passGate(gate, () => openModel(files.graphPath, directory))
  if (model === undefined) throw new EncoderError(CLOSED)
  const shape = windowShape(tokenizer, settings)
  let closed = false

  const begin = (text: string): Encoding => ({ text, ids: tokenizer.encode(text), outputs: [] })
  const advance = async (encoding: Encoding): Promise<Float32Array | undefined> => {
    const { ids, outputs } = encoding
    const windows = splitWindows(ids, shape)
    const window = windows[outputs.length] as Int32Array
    const output = closed ? undefined : await passGate(gate, () => model.run(window))
    if (output === undefined) throw new EncoderError(CLOSED)
    outputs.push(output)
    return outputs.length < windows.length ? undefined : finish(encoding)
  }
  const finish = ({ text, ids, outputs }: Encoding): Float32Array => {
    const meaning = normalisedMean(outputs)
    if (meaning === undefined) {
      throw new EncoderError(`The model in ${directory} gave a vector without direction: use another model`)
    }
    return withLostCharacters(meaning, text, ids, tokenizer)
  }
  const encode = async (text: string): Promise<Float32Array> => {
    const encoding = begin(text)
    for (;;) {
      const embedding = await advance(encoding)
      if (embedding !== undefined) return embedding
    }
  }
  const close = async () => {
    if (closed) return
    closed = true
    await model.close()
  }

  try {
    await checkOutput(encode, dimensions, directory)
  } catch (error) {
    await close()
    throw error
  }
  return {
    dimensions,
    modelId: `${options.name ?? nameIn(settings)}@${files.fingerprint}`,
    characters: tokenizer.characters,
    encode,
    begin,
    advance,
    countTokens: (text) => tokenizer.encode(text).length,
    close,
  }
}

function readSettings(bytes: Buffer, directory: string): TokenizerSettings {
  try {
    const settings: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof settings === 'object' && settings !== null) return settings
  } catch {
    // Not JSON: the same sentence as for JSON that is no object.
  }
  throw new EncoderError(
    `The encoder's file ${SETTINGS_FILE} in ${directory} is not a JSON object: copy it again`,
  )
}

function nameIn(settings: TokenizerSettings): string {
  const path = settings.name_or_path
  const last = typeof path === 'string' ? path.split('/').at(-1)! : ''
  const name = last.replaceAll(/[^\w.-]/g, '')
  return name === '' ? 'encoder' : name
}

function readTokenizer(bytes: Buffer, settings: TokenizerSettings, directory: string): Tokenizer {
  try {
    return openTokenizer(bytes, settings)
  } catch (error) {
    throw unusable(TOKENIZER_FILE, 'is not a tokenizer that can be used', directory, error)
  }
}

async function openModel(path: string, directory: string): Promise<OnnxModel> {
  try {
    return await openOnnxModel(path)
  } catch (error) {
    throw unusable(GRAPH_FILE, 'cannot be loaded as an ONNX model', directory, error)
  }
}

function windowShape(tokenizer: Tokenizer, settings: TokenizerSettings): WindowShape {
  const longest = settings.model_max_length
  const isShorter = typeof longest === 'number' && longest >= 8 && longest < WINDOW_TOKENS
  const length = isShorter ? longest : WINDOW_TOKENS
  return {
    length,
    stride: Math.floor((length * STRIDE_TOKENS) / WINDOW_TOKENS),
    prefixLength: tokenizer.prefixLength,
    suffixLength: tokenizer.suffixLength,
  }
}

async function checkOutput(
  encode: (text: string) => Promise<Float32Array>,
  dimensions: number,
  directory: string,
): Promise<void> {
  let length: number
  try {
    length = (await encode('warm up')).length
  } catch (error) {
    if (error instanceof EncoderError) throw error
    throw unusable(GRAPH_FILE, 'does not give sentence embeddings', directory, error)
  }
  if (length !== dimensions) {
    throw new EncoderError(
      `The encoder in ${directory} gives vectors of ${length} numbers where ${dimensions} are expected: use a model of ${dimensions} dimensions`,
    )
  }
}

/** The runtime's reasons can be long: function signatures, then the point. */
const REASON_CHARS_MAX = 200

function unusable(file: string, problem: string, directory: string, cause: unknown): EncoderError {
  const words = cause instanceof Error ? cause.message : String(cause)
  const reason = words.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARS_MAX)
  return new EncoderError(
    `The encoder's file ${file} in ${directory} ${problem} (${reason}): copy the files again`,
    {
      cause,
    },
  )
}
