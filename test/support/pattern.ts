import { newPatternId } from '@memory/memory/patterns/pattern-id'
import type { NewPattern } from '@memory/memory/store'

/** A text pattern to be stored, the same but for its id and what is given. */
export function newPattern(given: Partial<NewPattern> = {}): NewPattern {
  return {
    id: newPatternId(new Date()),
    text: 'a text',
    metadata: null,
    key: Float32Array.of(1, 2),
    value: null,
    sourceDim: null,
    textHash: '00',
    category: null,
    protected: false,
    expiresAt: null,
    occurredAt: null,
    ...given,
  }
}
