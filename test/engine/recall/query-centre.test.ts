import { queryCentre } from '@memory/engine/recall/query-centre'
import { describe, expect, it } from 'vitest'

const none = { sum: [0, 0], count: 0 }

describe('queryCentre', () => {
  it('is 0 where nothing is known', () => {
    expect([...queryCentre(none, none)]).toEqual([0, 0])
    expect(queryCentre({ sum: [], count: 0 }, none)).toEqual(new Float32Array())
  })

  it('is the shrunk mean of the keys before any query', () => {
    expect([...queryCentre({ sum: [20, 0], count: 20 }, none)]).toEqual([0.5, 0])
  })

  it('starts from there with each query, and ends at their mean', () => {
    const keys = { sum: [20, 0], count: 20 }
    expect([...queryCentre(keys, { sum: [0, 20], count: 20 })]).toEqual([0.25, 0.5])
    const [x, y] = queryCentre(keys, { sum: [0, 1e6], count: 1e6 })
    expect(x).toBeCloseTo(0, 4)
    expect(y).toBeCloseTo(1, 4)
  })

  it('ignores queries of another dimension', () => {
    expect([...queryCentre({ sum: [20, 0], count: 20 }, { sum: [9, 9, 9], count: 3 })]).toEqual([0.5, 0])
  })
})
