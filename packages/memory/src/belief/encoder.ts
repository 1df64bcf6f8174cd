import type { Encoder } from '@memory/engine/belief/believe'
import { kernels } from '@memory/engine/kernels/kernels'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { MemoryContext } from '../context.ts'

/** What belief asks of the encoder, for a caller. */
export function encoderFor({ compute }: Pick<MemoryContext, 'compute'>, caller: Caller): Encoder {
  const embed = (text: string) => compute.embed(caller, text, 'search')
  return {
    knows: (character) => compute.knows(character),
    cosineOf: async (one, other) => kernels.cosine(...(await Promise.all([embed(one), embed(other)]))),
  }
}
