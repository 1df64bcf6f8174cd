import type { Caller, Input, Output } from '../../catalogue/operation.ts'
import { kernels } from '../../engine/kernels/kernels.ts'
import type { MemoryContext } from '../context.ts'
import type { CompareTexts, EmbedText } from '../schema.ts'

/** Cosine of two texts. The same text is 1 exactly. */
export async function compareTexts(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  { text_a, text_b }: Input<typeof CompareTexts>['body'],
): Promise<Output<typeof CompareTexts>> {
  const [a, b] = await Promise.all([compute.embed(caller, text_a), compute.embed(caller, text_b)])
  return { similarity: text_a === text_b ? 1 : kernels.cosine(a, b), embedding_dim: compute.dimensions }
}

export async function embedText(
  { compute }: Pick<MemoryContext, 'compute'>,
  caller: Caller,
  { text }: Input<typeof EmbedText>['body'],
): Promise<Output<typeof EmbedText>> {
  const embedding = await compute.embed(caller, text)
  return { embedding: Array.from(embedding), dim: compute.dimensions }
}
