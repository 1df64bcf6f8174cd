import { readFileSync } from 'node:fs'
import { accel } from '@memory/accel'
import * as javascript from '@memory/engine/kernels/rotation'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'
import { anyDimensions } from '../support/lane-dimensions.ts'

interface Table {
  tolerance: number
  cases: { name: string; vector: number[]; rotated: number[] }[]
}

type Rotations = Omit<typeof javascript, 'Rotation' | 'rotationDimensionsMax'>

const implementations: [string, Rotations][] = [['javascript', javascript]]
if (accel !== null) implementations.push(['native', accel])

const table: Table = JSON.parse(readFileSync(new URL('../vectors/rotation.json', import.meta.url), 'utf8'))

const anySeed = fc.integer({ min: 1, max: 2 ** 31 })

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

describe.each(implementations)('%s rotation', (_, { rotate, rotateBack, project, unproject }) => {
  it.each(table.cases)('rotates $name', ({ vector, rotated }) => {
    const found = rotate(Float32Array.from(vector))
    expect(found).toHaveLength(rotated.length)
    for (const [at, value] of found.entries())
      expect(Math.abs(value - rotated[at]!)).toBeLessThanOrEqual(table.tolerance)
  })

  it('keeps inner products, and is undone', () => {
    fc.assert(
      fc.property(anyDimensions, anySeed, (dimensions, seed) => {
        const random = randomFrom(seed)
        const a = randomVector(random, dimensions, false)
        const b = randomVector(random, dimensions, false)
        const scale = Math.sqrt(product(a, a) * product(b, b))
        expect(Math.abs(product(rotate(a), rotate(b)) - product(a, b)) / scale).toBeLessThan(1e-5)
        expect(Math.abs(product(rotate(a), rotate(a)) / product(a, a) - 1)).toBeLessThan(1e-5)
        const back = rotateBack(rotate(a))
        for (let i = 0; i < dimensions; i++) expect(Math.abs(back[i]! - a[i]!)).toBeLessThan(1e-5)
      }),
    )
  })

  it('projects with orthonormal rows, whose transpose brings back what was projected', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 130 }), anySeed, (dimensions, seed) => {
        const kept = 1 + (seed % dimensions)
        const rows = Array.from({ length: kept }, (_, at) => {
          const unit = new Float32Array(kept)
          unit[at] = 1
          return unproject(unit, dimensions)
        })
        for (const [i, a] of rows.entries())
          for (const [j, b] of rows.entries())
            expect(Math.abs(product(a, b) - (i === j ? 1 : 0))).toBeLessThan(1e-5)
        const vector = randomVector(randomFrom(seed), dimensions, false)
        const projected = project(vector, kept)
        for (const [at, row] of rows.entries())
          expect(Math.abs(product(row, vector) - projected[at]!)).toBeLessThan(1e-4)
      }),
      { numRuns: 30 },
    )
  })

  it('refuses dimensions that do not fit', () => {
    expect(() => rotate(new Float32Array(0))).toThrow('a rotation has 1 to 8192 dimensions, not 0')
    expect(() => rotate(new Float32Array(8_193))).toThrow('not 8193')
    expect(() => project(new Float32Array(2), 3)).toThrow('2 dimensions have no 3 coordinates to keep')
    expect(() => unproject(new Float32Array(3), 2)).toThrow('2 dimensions have no 3 coordinates to keep')
  })
})

it.skipIf(accel === null)('native and JavaScript rotations have the same bits', () => {
  fc.assert(
    fc.property(anyDimensions, anySeed, (dimensions, seed) => {
      const vector = randomVector(randomFrom(seed), dimensions, false)
      const kept = 1 + (seed % dimensions)
      const projected = accel!.project(vector, kept)
      expect(projected).toEqual(javascript.project(vector, kept))
      expect(accel!.unproject(projected, dimensions)).toEqual(javascript.unproject(projected, dimensions))
    }),
  )
})
