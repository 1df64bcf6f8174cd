import { inverseTemperature, relaxFar } from '@memory/engine/energy'
import { disturbedMiddle, isMixture, iterationFrom, nearPairs } from '@memory/engine/exploration/spurious'
import { kernels, type Matrix } from '@memory/engine/kernels/kernels'
import { seededRandom } from '@memory/engine/random'
import { describe, expect, it } from 'vitest'
import { matrixOf, mixtureOf, randomUnit } from '../random-keys.ts'

/** Whether the Hopfield iteration from a point ends in a mixture. */
function endsInMixture({ values, inverseNorms }: Matrix, point: Float32Array, beta: number): boolean {
  const { options } = iterationFrom(values, inverseNorms, point, beta)
  return isMixture(relaxFar(values, inverseNorms, point, options))
}

/** Pairs of near neighbours among keys, and those whose middle is a mixture. */
function detect(keys: readonly Float32Array[], seed = 'spurious') {
  const random = seededRandom(seed)
  const matrix = matrixOf(keys)
  const searches = keys.map((key, idx) => ({
    idx,
    found: kernels.nearest(matrix, key, 9, -1, { requiredFlags: 1 }),
  }))
  const checked = nearPairs(searches)
  const beta = inverseTemperature(keys.length)
  const spurious = checked.filter(({ a, b }) => {
    const middle = disturbedMiddle(keys[a] as Float32Array, keys[b] as Float32Array, random)
    return middle !== undefined && endsInMixture(matrix, middle, beta)
  })
  return { checked, spurious }
}

describe('spurious attractors', () => {
  it('are found in a planted mixture of 16 keys at mutual cosine 0.8, and only there', () => {
    const random = seededRandom('planted')
    const mixture = mixtureOf(16, 0.8, 384, random)
    const others = Array.from({ length: 100 }, () => randomUnit(384, random))
    const alone = detect(mixture)
    expect(alone.spurious.length / alone.checked.length).toBeGreaterThan(0.9)
    // A greater memory is sharper, so that some of the pairs end at a key.
    const { checked, spurious } = detect([...mixture, ...others])
    expect(checked.length).toBeGreaterThan(30)
    expect(spurious.length / checked.length).toBeGreaterThan(0.3)
    for (const { a, b } of spurious) expect(Math.max(a, b)).toBeLessThan(16)
  })

  it.each([[12], [16], [24], [32]])(
    'are next to none among 200 random keys of %d dimensions',
    (dimensions) => {
      const random = seededRandom(`random ${dimensions}`)
      const { checked, spurious } = detect(Array.from({ length: 200 }, () => randomUnit(dimensions, random)))
      expect(checked.length).toBeGreaterThan(100)
      expect(spurious.length / checked.length).toBeLessThan(0.05)
    },
  )

  it('are none where pairs of keys lie near each other and far from the rest', () => {
    const random = seededRandom('pairs')
    const keys = Array.from({ length: 40 }, () => mixtureOf(2, 0.6, 384, random)).flat()
    const { checked, spurious } = detect(keys)
    expect(checked).toHaveLength(40)
    expect(spurious).toEqual([])
  })

  it('need pairs that are near and not the same, strongest first, 2,000 at most', () => {
    const found = (labels: number[], scores: number[]) => ({
      labels: Int32Array.from(labels),
      scores: Float64Array.from(scores),
    })
    const searches = [
      { idx: 5, found: found([5, 1, 2, 3], [1, 0.96, 0.5, 0.2]) },
      { idx: 2, found: found([2, 5, 7], [1, 0.5, 0.8]) },
    ]
    expect(nearPairs(searches)).toEqual([
      { a: 2, b: 7, cosine: 0.8 },
      { a: 2, b: 5, cosine: 0.5 },
    ])
    expect(nearPairs([])).toEqual([])
    const many = Array.from({ length: 3_000 }, (_, i) => ({ idx: 0, found: found([i + 1], [0.5]) }))
    expect(nearPairs(many)).toHaveLength(2_000)
  })

  it('are not looked for where keys cancel', () => {
    const key = randomUnit(16, seededRandom('key'))
    expect(
      disturbedMiddle(
        key,
        key.map((value) => -value),
        seededRandom(''),
      ),
    ).toBeUndefined()
  })
})
