import { compose } from '@memory/engine/composition'
import { norm } from '@memory/engine/kernels/javascript'
import { kernels } from '@memory/engine/kernels/kernels'
import { type Blend, slerp } from '@memory/engine/kernels/slerp'
import { ValidationError } from '@memory/shared/catalogue/errors'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { asTenant } from '@memory/shared/platform/database/database'
import type { MemoryContext } from '../context.ts'
import { findStoredKey, requirePatternIn } from '../patterns/pattern-store.ts'
import type { ComposeFractional, ComposeVectors } from './vector-schema.ts'

type Composing = Pick<MemoryContext, 'queries' | 'compute'>

/** The direction between several keys or texts. @throws ValidationError */
export async function composeVectors(
  { compute }: Pick<Composing, 'compute'>,
  caller: Caller,
  { keys, texts, weights }: Input<typeof ComposeVectors>['body'],
): Promise<Output<typeof ComposeVectors>> {
  if ((keys == null) === (texts == null)) {
    throw ValidationError.rule(['body'], 'either keys or texts are required')
  }
  const count = (keys ?? texts ?? []).length
  if (weights != null && weights.length !== count) {
    throw ValidationError.rule(['body', 'weights'], `there must be ${count} weights`, weights)
  }
  if (weights?.every((weight) => weight === 0)) {
    throw ValidationError.rule(['body', 'weights'], 'weights must not be all zero', weights)
  }
  const vectors = keys ?? (await Promise.all((texts ?? []).map((text) => compute.embed(caller, text))))
  if (vectors.some((vector) => vector.length !== vectors[0]?.length)) {
    throw ValidationError.rule(['body', 'keys'], 'keys must have one length')
  }
  const composition = compose(vectors, weights ?? vectors.map(() => 1))
  if (composition === undefined) {
    throw ValidationError.rule(['body'], 'what is composed cancels out, so there is no direction')
  }
  return { result: Array.from(composition.vector), confidence: composition.agreement }
}

/** A point on the way from one vector to another. @throws ApiError pattern_not_found, ValidationError */
export async function composeFractional(
  context: Composing,
  caller: Caller,
  body: Input<typeof ComposeFractional>['body'],
): Promise<Output<typeof ComposeFractional>> {
  const [a, b] = await readEnds(context, caller, body)
  if (a.length !== b.length) {
    throw ValidationError.rule(['body'], 'A and B must have one length')
  }
  const { vector, angle, type } = blend(a, b, body.alpha)
  return {
    result: Array.from(vector),
    confidence: Math.max(0, cosineOf(vector, a), cosineOf(vector, b)),
    info: { geodesic_distance: angle, blend_type: type, alpha_used: body.alpha },
  }
}

/** @throws ValidationError for a point beyond float32, which is longer than both may be in one coordinate */
function blend(a: Float32Array, b: Float32Array, alpha: number): Blend {
  try {
    return slerp(a, b, alpha)
  } catch (error) {
    // Of vectors of one length with a direction, a kernel refuses no others.
    if (!(error instanceof RangeError)) throw error
    throw ValidationError.rule(
      ['body'],
      'the point between A and B has numbers beyond float32; scale both down',
    )
  }
}

/** The middle between two opposite numbers is zero, which is like nothing. */
function cosineOf(vector: Float32Array, end: Float32Array): number {
  return norm(vector) === 0 ? 0 : kernels.cosine(vector, end)
}

/** A and B, given in one of the three ways. */
async function readEnds(
  { compute, queries }: Composing,
  caller: Caller,
  body: Input<typeof ComposeFractional>['body'],
): Promise<[Float32Array, Float32Array]> {
  const { key_a, key_b, text_a, text_b, pattern_a_id, pattern_b_id } = body
  const given = [key_a, key_b, text_a, text_b, pattern_a_id, pattern_b_id].filter((each) => each != null)
  if (given.length === 2) {
    if (key_a != null && key_b != null) return [key_a, key_b]
    if (text_a != null && text_b != null) {
      return Promise.all([compute.embed(caller, text_a), compute.embed(caller, text_b)])
    }
    if (pattern_a_id != null && pattern_b_id != null) {
      return getKeys(queries, caller, pattern_a_id, pattern_b_id)
    }
  }
  throw ValidationError.rule(
    ['body'],
    'one of the pairs key_a and key_b, text_a and text_b, or pattern_a_id and pattern_b_id is required',
  )
}

async function getKeys(
  queries: MemoryContext['queries'],
  { spaceId }: Caller,
  a: string,
  b: string,
): Promise<[Float32Array, Float32Array]> {
  return asTenant(queries, { spaceId }, async (trx) => {
    const keyOf = async (id: string) =>
      findStoredKey(trx, spaceId, (await requirePatternIn(trx, spaceId, id)).idx)
    return [await keyOf(a), await keyOf(b)]
  })
}
