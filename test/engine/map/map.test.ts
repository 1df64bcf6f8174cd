import { kMeans, nearestCentres, nearestToCentres } from '@memory/engine/map/k-means'
import { neighbourEdges, relaxLayout } from '@memory/engine/map/layout'
import { cellsOf, nearestOthers } from '@memory/engine/map/neighbours'
import { principalComponents, projectOnto } from '@memory/engine/map/principal-components'
import { orthonormalise, symmetricEigenvectors } from '@memory/engine/map/small-matrices'
import { tellingWords } from '@memory/engine/map/telling-words'
import { randomNormal, seededRandom } from '@memory/engine/random'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** Normal numbers, each column as wide as it says. */
function normalRows(count: number, widths: readonly number[], seed: string): Float32Array {
  const random = seededRandom(seed)
  return Float32Array.from(
    { length: count * widths.length },
    (_, at) => (widths[at % widths.length] as number) * randomNormal(random),
  )
}

const row = (values: ArrayLike<number>, at: number, length: number): number[] =>
  Array.from({ length }, (_, i) => values[at * length + i] as number)

describe('symmetricEigenvectors', () => {
  it('finds those that are known', () => {
    const { vectors, values } = symmetricEigenvectors(Float64Array.of(2, 1, 1, 2), 2)
    expect([...values]).toEqual([expect.closeTo(3, 12), expect.closeTo(1, 12)])
    expect(Math.abs(row(vectors, 0, 2)[0] as number)).toBeCloseTo(Math.SQRT1_2, 12)
  })

  it('gives orthonormal vectors that the matrix stretches by their values', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer(), (size, seed) => {
        const half = normalRows(size, Array(size).fill(1), `${seed}`)
        const matrix = Float64Array.from({ length: size * size }, (_, at) => {
          const [i, j] = [Math.floor(at / size), at % size]
          return (half[i * size + j] as number) + (half[j * size + i] as number)
        })
        const { vectors, values } = symmetricEigenvectors(matrix, size)
        for (let n = 0; n < size; n++) {
          const vector = row(vectors, n, size)
          expect(Math.hypot(...vector)).toBeCloseTo(1, 9)
          for (let i = 0; i < size; i++) {
            const stretched = vector.reduce(
              (sum, value, j) => sum + value * (matrix[i * size + j] as number),
              0,
            )
            expect(stretched).toBeCloseTo((values[n] as number) * (vector[i] as number), 8)
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('orthonormalise', () => {
  it('leaves 0 of what others give', () => {
    const rows = Float64Array.of(3, 0, 0, 6, 0, 0, 1, 1, 0)
    orthonormalise(rows, 3)
    expect([...rows]).toEqual([1, 0, 0, 0, 0, 0, 0, 1, 0])
  })
})

describe('principalComponents', () => {
  const widths = [0.1, 5, 0.1, 2, 0.1, 0.1, 0.1, 1]
  const rows = normalRows(2_000, widths, 'components')

  it('finds the widest directions, in their order, with their variances', () => {
    const { directions, variances } = principalComponents(rows, 8, 3, seededRandom('a'))
    for (const [n, column] of [1, 3, 7].entries()) {
      expect(row(directions, n, 8)[column] as number).toBeGreaterThan(0.99)
      expect(Math.sqrt(variances[n] as number) / (widths[column] as number)).toBeCloseTo(1, 0)
    }
  })

  it('is the same whatever the random numbers, and does not depend on where the middle is', () => {
    const expected = principalComponents(rows, 8, 2, seededRandom('a'))
    const moved = principalComponents(
      rows.map((value) => value + 3),
      8,
      2,
      seededRandom('b'),
    )
    for (const [at, value] of expected.directions.entries())
      expect(moved.directions[at]).toBeCloseTo(value, 3)
    for (const [i, value] of expected.mean.entries()) expect(moved.mean[i]).toBeCloseTo(value + 3, 3)
    const there = projectOnto(rows, expected)
    expect([...there.slice(0, 2)].every(Number.isFinite)).toBe(true)
    const sum = there.filter((_, at) => at % 2 === 0).reduce((total, value) => total + value, 0)
    expect(sum / 2_000).toBeCloseTo(0, 3)
  })

  it('has directions of 0 where there is no variance', () => {
    const same = Float32Array.from({ length: 30 }, (_, at) => at % 3)
    const components = principalComponents(same, 3, 2, seededRandom('a'))
    expect([...components.directions]).toEqual([0, 0, 0, 0, 0, 0])
    expect([...projectOnto(same, components)].every((value) => value === 0)).toBe(true)
  })
})

/** Points of `count` heaps that lie far apart, in turn. */
const heaps = (count: number, each: number) => {
  const near = normalRows(count * each, [0.1, 0.1], 'heaps')
  return near.map((value, at) => value + 10 * ((Math.floor(at / 2) % count) + (at % 2)))
}

describe('kMeans', () => {
  it('finds heaps, the largest first', () => {
    const points = Float32Array.from([...heaps(3, 20), ...normalRows(5, [0.1, 0.1], 'more')])
    const { centres, of } = kMeans(points, 2, 4, seededRandom('a'), 20)
    expect(centres).toHaveLength(8)
    const sizes = [0, 1, 2, 3].map((n) => of.filter((cluster) => cluster === n).length)
    expect(sizes).toEqual([20, 20, 20, 5])
    expect(of[0]).toBe(of[3])
    expect(of[0]).not.toBe(of[1])
  })

  it('makes fewer clusters than asked for of points that are the same', () => {
    const { centres, of } = kMeans(new Float32Array(20).fill(3), 2, 5, seededRandom('a'), 5)
    expect([...centres]).toEqual([3, 3])
    expect([...of]).toEqual(Array(10).fill(0))
  })

  it('gives each point the nearest centre, as a look at all does', () => {
    const points = normalRows(2_100, [1, 1, 1], 'points')
    const centres = Float64Array.from(normalRows(20, [1, 1, 1], 'centres'))
    const distance = (point: number, centre: number) =>
      Math.hypot(...row(points, point, 3).map((value, i) => value - (row(centres, centre, 3)[i] as number)))
    nearestCentres(points, 3, centres).forEach((nearest, point) => {
      const least = Math.min(...Array.from({ length: 20 }, (_, other) => distance(point, other)))
      expect(distance(point, nearest)).toBeCloseTo(least, 3)
    })
  })

  it('tells the points in the middle of clusters', () => {
    const points = Float32Array.of(0, 0, 1, 0, 4, 0, 9, 9)
    const clusters = { centres: Float64Array.of(1.5, 0, 9, 9), of: Int32Array.of(0, 0, 0, 1) }
    expect(nearestToCentres(points, 2, clusters, 2).map((list) => [...list])).toEqual([[1, 0], [3]])
  })
})

describe('nearestOthers', () => {
  it('finds what a look at all finds, where all cells are looked at', () => {
    const count = 300
    const points = normalRows(count, [1, 1, 1], 'neighbours')
    const { of, centres } = kMeans(points, 3, 10, seededRandom('a'), 2)
    const cells = cellsOf(of, centres, 3, 10)
    const found = nearestOthers(points, 3, cells, [0, count], 5)
    const distance = (a: number, b: number) =>
      Math.hypot(...row(points, a, 3).map((value, i) => value - (row(points, b, 3)[i] as number)))
    cells.members.forEach((point, at) => {
      const all = Array.from({ length: count }, (_, n) => n).filter((n) => n !== point)
      const expected = all.map((n) => distance(point, n)).sort((a, b) => a - b)
      row(found.distances, at, 5).forEach((value, n) => {
        expect(value).toBeCloseTo(expected[n] as number, 3)
        expect(distance(point, found.points[at * 5 + n] as number)).toBeCloseTo(value, 3)
      })
    })
  })

  it('gives the same by parts, also of one cell', () => {
    const count = 300
    const points = normalRows(count, [1, 1, 1], 'parts')
    const { of, centres } = kMeans(points, 3, 4, seededRandom('a'), 2)
    const cells = cellsOf(of, centres, 3, 2)
    const whole = nearestOthers(points, 3, cells, [0, count], 5)
    const ranges = [0, 7, 150, count]
    const parts = ranges
      .slice(1)
      .map((to, n) => nearestOthers(points, 3, cells, [ranges[n] as number, to], 5))
    expect(parts.flatMap(({ points }) => [...points])).toEqual([...whole.points])
    expect(parts.flatMap(({ distances }) => [...distances])).toEqual([...whole.distances])
  })

  it('takes no memory by the square of what is all the same', () => {
    const count = 40_000
    const points = new Float32Array(2 * count).fill(1)
    const cells = cellsOf(new Int32Array(count), Float64Array.of(1, 1), 2, 1)
    const { points: found, distances } = nearestOthers(points, 2, cells, [count - 500, count], 3)
    expect(found.every((other) => other >= 0)).toBe(true)
    expect(new Set(distances)).toEqual(new Set([0]))
  })

  it('has -1 where there are fewer, and never a point itself', () => {
    const points = Float32Array.of(0, 0, 0, 0, 1, 0)
    const cells = cellsOf(Int32Array.of(0, 0, 0), Float64Array.of(0, 0), 2, 3)
    const { points: found } = nearestOthers(points, 2, cells, [0, 3], 4)
    for (let n = 0; n < 3; n++) {
      expect(row(found, n, 4).slice(2)).toEqual([-1, -1])
      expect(row(found, n, 4)).not.toContain(n)
    }
  })
})

describe('the layout', () => {
  const nearest = (points: Float32Array, k: number) => {
    const of = new Int32Array(points.length / 2)
    const cells = cellsOf(of, Float64Array.of(0, 0), 2, 1)
    return nearestOthers(points, 2, cells, [0, of.length], k)
  }

  it('has each pair of neighbours once, the nearest with all its weight', () => {
    const edges = neighbourEdges(nearest(Float32Array.of(0, 0, 1, 0, 3, 0), 2), 2)
    const pairs = Array.from(edges.from, (from, n) => `${from}-${edges.to[n]}`)
    expect(pairs.toSorted()).toEqual(['0-1', '0-2', '1-2'])
    expect(edges.weights[pairs.indexOf('0-1')]).toBeCloseTo(1, 6)
    for (const weight of edges.weights) expect(weight).toBeGreaterThan(0)
  })

  it('draws neighbours together and keeps others apart, the same way each time, without a number that is none', () => {
    const points = heaps(2, 40)
    const edges = neighbourEdges(nearest(points, 6), 6)
    const relaxed = (seed: string) => {
      const places = normalRows(80, [5, 5], 'places')
      relaxLayout(places, edges, [0, 300], 300, seededRandom(seed))
      return places
    }
    const places = relaxed('a')
    expect(places.every(Number.isFinite)).toBe(true)
    expect(relaxed('a')).toEqual(places)
    const mean = (heap: number, axis: number) => {
      let sum = 0
      for (let n = heap; n < 80; n += 2) sum += places[2 * n + axis] as number
      return sum / 40
    }
    const spread = (heap: number) => {
      let sum = 0
      for (let n = heap; n < 80; n += 2)
        sum += Math.hypot(
          (places[2 * n] as number) - mean(heap, 0),
          (places[2 * n + 1] as number) - mean(heap, 1),
        )
      return sum / 40
    }
    const apart = Math.hypot(mean(0, 0) - mean(1, 0), mean(0, 1) - mean(1, 1))
    expect(apart).toBeGreaterThan(2 * Math.max(spread(0), spread(1)))
  })

  it('leaves points in one place there', () => {
    const points = new Float32Array(20)
    const edges = neighbourEdges(nearest(points, 3), 3)
    const places = new Float32Array(20)
    relaxLayout(places, edges, [0, 10], 10, seededRandom('a'))
    expect([...places]).toEqual(Array(20).fill(0))
  })
})

describe('tellingWords', () => {
  const text = (words: string) => new Map(words.split(' ').map((word) => [word.toLowerCase(), word]))

  it('prefers what a group has and others have not, as it is written there', () => {
    const groups = [
      [text('Ada likes tea'), text('Ben likes tea'), text('tea again')],
      [text('rain likes May'), text('rain likes June'), text('rain today')],
    ]
    expect(tellingWords(groups, 1)).toEqual([['tea'], ['rain']])
  })

  it('has of a single group what most texts have, and of a single text its words', () => {
    expect(tellingWords([[text('green tea'), text('tea pot')]], 2)).toEqual([['tea']])
    expect(tellingWords([[text('Lisbon May')]], 2)).toEqual([['Lisbon', 'May']])
    expect(tellingWords([[], [text('tea')]], 2)).toEqual([[], ['tea']])
    expect(tellingWords([[text(`tea ${'A'.repeat(300)}`)]], 2)).toEqual([['tea']])
  })
})
