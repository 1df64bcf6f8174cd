import { kernels } from '@memory/engine/kernels/kernels'
import { type Passage, passagesOf } from '@memory/engine/recall/passages'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { Requester } from '../compute.ts'
import type { MemoryContext } from '../context.ts'
import type { StoredPassage } from '../lexical/passage-store.ts'
import type { CompareTexts, EmbedText } from '../schema.ts'
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

export async function embedText(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  { text }: Input<typeof EmbedText>['body'],
): Promise<Output<typeof EmbedText>> {
  const embedding = await compute.embed(caller, text)
  return { embedding: Array.from(embedding), dim: compute.dimensions }
}

/** What is stored of a text beside it. */
export interface EmbeddedText {
  key: Float32Array
  /** Of a long text. */
  passages: StoredPassage[]
}

/** Passages of one request that are encoded at a time, so that no thread waits while another has many to do. */
const passagesAtOnce = 4

/**
 * The embeddings of texts that are stored together, and of their passages. When that takes too long, nobody is kept waiting: the compute
 * remembers what it has done, so that the same request comes further each time that it is repeated.
 * @throws ApiError unavailable when the time is over; else as `Compute.embed`
 */
export async function embedTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  { organizationId, signal }: Requester,
  texts: readonly string[],
): Promise<EmbeddedText[]> {
  const stop = new AbortController()
  const onHangUp = () => stop.abort()
  if (signal?.aborted) onHangUp()
  signal?.addEventListener('abort', onHangUp, { once: true })
  const requester = { organizationId, signal: stop.signal }
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError('unavailable', { retryAfterS: 1 }))
      stop.abort()
    }, limits.batchEncodingMs)
  })
  try {
    const embedding = Promise.all([
      Promise.all(texts.map((text) => compute.embed(requester, text))),
      embedPassages(compute, requester, texts),
    ])
    const [keys, passages] = await Promise.race([embedding, tooLong])
    return keys.map((key, i) => ({ key, passages: passages[i] as StoredPassage[] }))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onHangUp)
  }
}

/** The passages of texts, a few of which wait for a thread at a time: all would be more than one may have wait. */
export async function embedPassages(
  compute: MemoryContext['compute'],
  requester: Requester,
  texts: readonly string[],
): Promise<StoredPassage[][]> {
  const cut = texts.map((text) => passagesOf(text))
  const keys = new Map<Passage, Float32Array>()
  // One iterator for all that take turns.
  const waiting = cut.flat().values()
  const takeTurns = async () => {
    for (const passage of waiting) keys.set(passage, await compute.embed(requester, passage.text))
  }
  await Promise.all(Array.from({ length: passagesAtOnce }, takeTurns))
  return cut.map((passages) =>
    passages.map((passage) => ({
      start: passage.start,
      end: passage.end,
      key: keys.get(passage) as Float32Array,
    })),
  )
}
