import { parameters } from '@memory/engine/parameters'
import { queryCentre } from '@memory/engine/recall/query-centre'
import { describe, expect, it } from 'vitest'

const none = { sum: [0, 0], count: 0 }

/** So much of the direction that queries are expected in is taken from cosines. */
const { centreShare } = parameters.recall
const shareOf = (...direction: number[]) => [...Float32Array.from(direction, (value) => centreShare * value)]

describe('queryCentre', () => {
  it('is 0 where nothing is known', () => {
    expect([...queryCentre(none, none)]).toEqual([0, 0])
    expect(queryCentre({ sum: [], count: 0 }, none)).toEqual(new Float32Array())
  })

  it('is a share of the shrunk mean of the keys before any query', () => {
    expect([...queryCentre({ sum: [20, 0], count: 20 }, none)]).toEqual(shareOf(0.5, 0))
  })

  it('starts from there with each query, and ends at a share of their mean', () => {
    const keys = { sum: [20, 0], count: 20 }
    expect([...queryCentre(keys, { sum: [0, 200], count: 200 })]).toEqual(shareOf(0.25, 0.5))
    const [x, y] = queryCentre(keys, { sum: [0, 1e8], count: 1e8 })
    expect(x).toBeCloseTo(0, 4)
    expect(y).toBeCloseTo(centreShare, 4)
  })

  it('ignores queries of another dimension', () => {
    expect([...queryCentre({ sum: [20, 0], count: 20 }, { sum: [9, 9, 9], count: 3 })]).toEqual(
      shareOf(0.5, 0),
    )
  })
})
