import { nativeKernels } from '@memory/engine/kernels/kernels'
import { hitsAgree, numbersAgree } from '@memory/memory/acceleration/agreement'
import { operations, prepare } from '@memory/memory/acceleration/workloads'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../engine/naive.ts'

const hits = (...pairs: [label: number, score: number][]) => ({
  labels: Int32Array.from(pairs, ([label]) => label),
  scores: Float64Array.from(pairs, ([, score]) => score),
})

describe('agreement of two implementations', () => {
  it('of numbers allows rounding, relative to the largest', () => {
    expect(numbersAgree([1_000, 1], [1_000.05, 1.05])).toBe(true)
    expect(numbersAgree([1_000, 1], [1_000.2, 1])).toBe(false)
    expect(numbersAgree([1, 1], [1, 1.05])).toBe(false)
  })

  it('of numbers fails for another length and for what is not a number', () => {
    expect(numbersAgree([1, 2], [1])).toBe(false)
    expect(numbersAgree([1, Number.NaN], [1, Number.NaN])).toBe(false)
    expect(numbersAgree([1, 1], [1, Number.POSITIVE_INFINITY])).toBe(false)
  })

  it('of hits needs equal scores and rows', () => {
    expect(hitsAgree(hits([1, 0.9], [2, 0.5]), hits([1, 0.900001], [2, 0.5]))).toBe(true)
    expect(hitsAgree(hits([1, 0.9], [2, 0.5]), hits([1, 0.9]))).toBe(false)
    expect(hitsAgree(hits([1, 0.9], [2, 0.5]), hits([1, 0.9], [2, 0.4]))).toBe(false)
    expect(hitsAgree(hits([1, 0.9], [2, 0.5]), hits([2, 0.9], [1, 0.5]))).toBe(false)
    expect(hitsAgree(hits([1, 0.9], [2, 0.5]), hits([3, 0.9], [2, 0.5]))).toBe(false)
  })

  it('of hits lets rows change places, or take the last place, that rounding makes equal', () => {
    expect(hitsAgree(hits([1, 0.900001], [2, 0.9]), hits([2, 0.900001], [1, 0.9]))).toBe(true)
    expect(hitsAgree(hits([1, 0.9], [2, 0.5]), hits([1, 0.9], [3, 0.500001]))).toBe(true)
  })
})

describe('the operations of a benchmark', () => {
  it.each(operations)('%s depends on its data', (operation) => {
    const [one, other] = [1, 2].map((seed) => prepare(operation, randomFrom(seed), null))
    const answer = one?.javascript()
    expect(one?.agree(answer, one.javascript())).toBe(true)
    expect(one?.agree(answer, other?.javascript())).toBe(false)
  })

  it.skipIf(nativeKernels === null).each(operations)(
    '%s is the same in both implementations',
    (operation) => {
      for (let seed = 1; seed <= 5; seed++) {
        const { native, javascript, agree } = prepare(operation, randomFrom(seed), nativeKernels)
        expect(agree(native?.(), javascript()), `seed ${seed}`).toBe(true)
      }
    },
  )
})
