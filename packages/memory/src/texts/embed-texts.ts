import { kernels } from '@memory/engine/kernels/kernels'
import { ApiError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import type { Requester } from '../compute.ts'
import type { MemoryContext } from '../context.ts'
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

/**
 * The embeddings of texts that are stored together. When that takes too long, nobody is kept waiting: the compute
 * remembers what it has done, so that the same request comes further each time that it is repeated.
 * @throws ApiError unavailable when the time is over; else as `Compute.embed`
 */
export async function embedTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  { organizationId, signal }: Requester,
  texts: readonly string[],
): Promise<Float32Array[]> {
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
    return await Promise.race([Promise.all(texts.map((text) => compute.embed(requester, text))), tooLong])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onHangUp)
  }
}
