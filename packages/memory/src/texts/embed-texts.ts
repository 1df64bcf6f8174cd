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

/** The compare operation: cosine of two texts. Exactly 1 for the same text (see `isSameText`), and less for any other. */
export async function compareTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  { text_a, text_b }: Input<typeof CompareTexts>['body'],
): Promise<Output<typeof CompareTexts>> {
  const [a, b] = await Promise.all([compute.embed(caller, text_a), compute.embed(caller, text_b)])
  const similarity = isSameText(text_a, text_b) ? 1 : Math.min(nearlyOne, kernels.cosine(a, b))
  return { similarity, embedding_dim: compute.dimensions }
}

/** The embed operation. @throws ValidationError unless either `text` or `texts` is given; else as `embedTexts` */
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

/** The embeddings operation in the form of OpenAI's API. @throws as `embedTexts` */
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

/** The embedding of a text, and those of its passages if it is long. */
export interface EmbeddedText {
  key: Float32Array
  passages: StoredPassage[]
}

/** Passages of one request that wait for threads at once: enough for all threads, without filling the queue. */
const passagesAtOnce = 4
/** Texts of one embeddings request that wait for threads at once. */
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

/** Embeds the passages of texts, a few at a time, since the number of tasks that a requester may have waiting is limited. */
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
 * Gives work up after `limits.batchEncodingMs`, when clients stop waiting. Finished embeddings stay cached, so the same request
 * gets further each time it is repeated.
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

/** Calls `work` for each item, `atOnce` at a time. @returns the results, in the order of the items */
function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const turns = new Semaphore({ slots: atOnce })
  return Promise.all(items.map((item) => turns.run(() => work(item))))
}
