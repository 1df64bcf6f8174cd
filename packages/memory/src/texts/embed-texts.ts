import { kernels } from '@memory/engine/kernels/kernels'
import { passagesOf } from '@memory/engine/recall/passages'
import { ApiError, ValidationError } from '@memory/shared/catalogue/errors'
import { faults } from '@memory/shared/catalogue/fields-faults'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { Semaphore } from '@memory/shared/platform/semaphore'
import type { Requester } from '../compute.ts'
import type { MemoryContext } from '../context.ts'
import type { StoredPassage } from '../lexical/passage-store.ts'
import type { CompareTexts, CreateEmbeddings, EmbedText } from '../schema.ts'
import { isSameText } from './text-identity.ts'

/** The greatest number below 1 that 32 bits can hold. */
const nearlyOne = 1 - 2 ** -24

/** Cosine of two texts. The same text is 1 exactly, and no other is. */
export async function compareTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  { text_a, text_b }: Input<typeof CompareTexts>['body'],
): Promise<Output<typeof CompareTexts>> {
  const [a, b] = await Promise.all([compute.embed(caller, text_a), compute.embed(caller, text_b)])
  const similarity = isSameText(text_a, text_b) ? 1 : Math.min(nearlyOne, kernels.cosine(a, b))
  return { similarity, embedding_dim: compute.dimensions }
}

/** @throws ValidationError unless there is a text, or a list of them; else as `embedTexts` */
export async function embedText(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  body: Input<typeof EmbedText>['body'],
): Promise<Output<typeof EmbedText>> {
  const { text, texts } = body
  const dim = compute.dimensions
  if (text !== undefined && texts !== undefined)
    throw ValidationError.rule(['body'], 'give text or texts, not both')
  if (texts !== undefined) {
    const embeddings = await inTime(caller, (requester) =>
      inTurns(texts, embeddedAtOnce, (each) => compute.embed(requester, each)),
    )
    return { embeddings: embeddings.map((embedding) => Array.from(embedding)), dim }
  }
  if (text === undefined) {
    const { type, msg } = faults.missing
    throw new ValidationError([{ type, loc: ['body', 'text'], msg, input: body }])
  }
  return { embedding: Array.from(await compute.embed(caller, text)), dim }
}

/** As clients of OpenAI ask for embeddings. @throws as `embedTexts` */
export async function createEmbeddings(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  { input, encoding_format }: Input<typeof CreateEmbeddings>['body'],
): Promise<Output<typeof CreateEmbeddings>> {
  const texts = typeof input === 'string' ? [input] : input
  const embedded = await inTime(caller, (requester) =>
    inTurns(texts, embeddedAtOnce, (text) =>
      Promise.all([compute.embed(requester, text), compute.countTokens(requester, [text])]),
    ),
  )
  const tokens = embedded.reduce((sum, [, [count = 0]]) => sum + count, 0)
  return {
    object: 'list',
    data: embedded.map(([embedding], index) => ({
      object: 'embedding',
      index,
      embedding: encoding_format === 'base64' ? base64Of(embedding) : Array.from(embedding),
    })),
    model: compute.modelId,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

/** What is stored of a text beside it. */
export interface EmbeddedText {
  key: Float32Array
  /** Of a long text. */
  passages: StoredPassage[]
}

/** Passages of one request that are encoded at a time, so that no thread waits while another has many to do. */
const passagesAtOnce = 4
/** Texts of one request for embeddings of which the same holds, and which leave room where others wait. */
const embeddedAtOnce = 16

/**
 * The embeddings of texts that are stored together, and of their passages.
 * @throws ApiError unavailable when it takes too long; else as `Compute.embed`
 */
export async function embedTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Requester,
  texts: readonly string[],
): Promise<EmbeddedText[]> {
  const [keys, passages] = await inTime(caller, (requester) =>
    Promise.all([
      Promise.all(texts.map((text) => compute.embed(requester, text))),
      embedPassages(compute, requester, texts),
    ]),
  )
  return keys.map((key, i) => ({ key, passages: passages[i] as StoredPassage[] }))
}

/** The passages of texts, a few of which wait for a thread at a time: all would be more than one may have wait. */
export async function embedPassages(
  compute: MemoryContext['compute'],
  requester: Requester,
  texts: readonly string[],
): Promise<StoredPassage[][]> {
  const cut = texts.map((text) => passagesOf(text))
  const keys = await inTurns(cut.flat(), passagesAtOnce, ({ text }) => compute.embed(requester, text))
  const inOrder = keys.values()
  return cut.map((passages) =>
    passages.map(({ start, end }) => ({ start, end, key: inOrder.next().value as Float32Array })),
  )
}

/**
 * What takes so long that clients stop waiting is given up: the compute remembers what it has done, so that the same
 * request comes further each time that it is repeated.
 * @throws ApiError unavailable when the time is over
 */
async function inTime<Result>(
  { organizationId, subject, signal }: Requester,
  work: (requester: Requester) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController()
  const onHangUp = () => stop.abort()
  if (signal?.aborted) onHangUp()
  signal?.addEventListener('abort', onHangUp, { once: true })
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError('unavailable', { retryAfterS: 1 }))
      stop.abort()
    }, limits.batchEncodingMs)
  })
  try {
    return await Promise.race([work({ organizationId, subject, signal: stop.signal }), tooLong])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onHangUp)
  }
}

/** Does work for each item, a few at a time. @returns what it gave, in the order of the items */
function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const turns = new Semaphore({ slots: atOnce })
  return Promise.all(items.map((item) => turns.run(() => work(item))))
}
