import { type Candidate, selectEvidence } from '@memory/engine/explain/select'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveCosine } from '../naive.ts'

const { candidates: candidatesMax, evidenceMin, leadMax, sameMin, quotesMax, relevance } = parameters.explain

const found = (idx: number, cosine: number, key: number[], text = 'a text'): Candidate => ({
  idx,
  text,
  cosine,
  vector: Float32Array.from(key),
})
const known = () => true
const indexes = (candidates: Candidate[]) => selectEvidence(candidates, known).map(({ idx }) => idx)

/** Candidates in a space of few dimensions, so that some say nearly the same. */
const candidates = fc
  .uniqueArray(
    fc.tuple(
      fc.nat({ max: 1_000 }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 }),
    ),
    { maxLength: 2 * candidatesMax, selector: ([idx]) => idx },
  )
  .map((list) => list.map(([idx, similarity, key]) => found(idx, similarity, key)))

describe('selectEvidence', () => {
  it('takes nothing of nothing, and nothing that is too far from the query', () => {
    expect(indexes([])).toEqual([])
    expect(indexes([found(0, evidenceMin - 1e-9, [1, 0])])).toEqual([])
    expect(indexes([found(0, Number.NaN, [1, 0])])).toEqual([])
    expect(indexes([found(0, evidenceMin, [1, 0])])).toEqual([0])
  })

  it('begins with the nearest, the earlier one of two that are equally near', () => {
    expect(indexes([found(4, 0.6, [0, 1]), found(2, 0.8, [1, 0]), found(1, 0.8, [1, 1])])[0]).toBe(1)
  })

  it('begins with what is arranged first, and measures by the nearest how far others are behind', () => {
    const [nearest, newer, far] = [
      found(0, 0.8, [1, 0, 0]),
      found(1, 0.75, [0, 1, 0]),
      found(2, 0.8 - leadMax - 0.01, [0, 0, 1]),
    ]
    const arranged = selectEvidence([far, newer, nearest], known, ([a, b, ...rest]) => [
      b as Candidate,
      a as Candidate,
      ...rest,
    ])
    expect(arranged.map(({ idx }) => idx)).toEqual([1, 0])
  })

  it('prefers what adds something to what repeats the nearest', () => {
    const near = found(0, 0.8, [1, 0, 0])
    const repeating = found(1, 0.78, [1, 0.6, 0])
    const adding = found(2, 0.75, [0, 1, 0])
    expect(indexes([near, repeating, adding])).toEqual([0, 2, 1])
  })

  it('quotes what says the same once', () => {
    const same = [0, 1, 2, 3].map((idx) => found(idx, 0.9, [1, 0.01 * idx]))
    expect(indexes(same)).toEqual([0])
  })

  it('quotes what contradicts what is quoted, however near it is', () => {
    const texts = [
      'Ada has 3 cats.',
      'Ada has 5 cats.',
      'Ada does not have 3 cats.',
      'Ada has 3 cats. They sleep a lot.',
    ]
    const near = texts.map((text, idx) => found(idx, 0.9 - 0.01 * idx, [1, 0.01 * idx], text))
    expect(indexes(near)).toEqual([0, 1, 2])
    expect(indexes([near[3], near[0]].map((one) => ({ ...(one as Candidate), cosine: 0.9 })))).toEqual([0])
  })

  it('leaves out what falls far behind the nearest', () => {
    expect(indexes([found(0, 0.9, [1, 0]), found(1, 0.9 - leadMax - 0.01, [0, 1])])).toEqual([0])
    expect(indexes([found(0, 0.9, [1, 0]), found(1, 0.9 - leadMax + 0.01, [0, 1])])).toEqual([0, 1])
  })

  it('is each time the greatest marginal relevance of what may be quoted', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const chosen = selectEvidence(list, known)
        const most = Math.max(...list.map(({ cosine }) => cosine))
        expect(chosen.length).toBeLessThanOrEqual(quotesMax)
        expect(chosen.length > 0).toBe(most >= evidenceMin)
        for (let rank = 1; rank <= chosen.length && rank < quotesMax; rank++) {
          const before = chosen.slice(0, rank)
          const repetition = ({ vector }: Candidate) =>
            Math.max(...before.map((b) => naiveCosine(vector, b.vector)))
          const gain = (each: Candidate) => relevance * each.cosine - (1 - relevance) * repetition(each)
          const nearest = list.toSorted((a, b) => b.cosine - a.cosine || a.idx - b.idx)
          const eligible = nearest
            .slice(0, candidatesMax)
            .filter(
              (each) =>
                !before.includes(each) &&
                each.cosine >= Math.max(evidenceMin, most - leadMax) &&
                repetition(each) < sameMin,
            )
          const next = chosen[rank]
          expect(next === undefined).toBe(eligible.length === 0)
          if (next === undefined) continue
          expect(eligible).toContain(next)
          expect(gain(next)).toBeCloseTo(Math.max(...eligible.map(gain)), 6)
        }
      }),
    )
  })

  it('takes what has the words of the query however far it is, unless the nearest has them too', () => {
    const far = { ...found(1, evidenceMin - 0.1, [0, 0, 1]), hasWords: true }
    expect(indexes([far])).toEqual([1])
    const nearest = found(0, evidenceMin - 0.1 + 2 * leadMax, [1, 0, 0])
    expect(indexes([nearest, far])).toEqual([0, 1])
    expect(indexes([{ ...nearest, hasWords: true }, far])).toEqual([0])
  })
})
