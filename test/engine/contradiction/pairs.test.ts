import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'
import { type LabelledPair, pairKinds, readLabelledPairs } from '../../../bench/forget/pairs.ts'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

/** Pairs that are judged otherwise than they should be, in one order or the other. */
function wrong(pairs: readonly LabelledPair[]): LabelledPair[] {
  return pairs.filter(({ kind, one, other }) =>
    [reasonOf(one, other), reasonOf(other, one)].some(
      (reason) => (reason === undefined) !== (kind === 'same'),
    ),
  )
}

describe.each(['pairs', 'held-out'] as const)('of %s', (name) => {
  const pairs = readLabelledPairs(name)

  it('there are all kinds, in twelve languages and more', () => {
    for (const kind of pairKinds) {
      const languages = new Set(pairs.filter((pair) => pair.kind === kind).map(({ language }) => language))
      expect(languages.size, kind).toBeGreaterThanOrEqual(12)
    }
  })

  it('no other words for the same are taken for a contradiction', () => {
    expect(wrong(pairs.filter(({ kind }) => kind === 'same'))).toEqual([])
  })

  it.each(pairKinds.filter((kind) => kind !== 'same'))(
    'contradictions by %s are found in either order',
    (kind) => {
      expect(wrong(pairs.filter((pair) => pair.kind === kind))).toEqual([])
    },
  )
})
