import { readFileSync } from 'node:fs'
import * as engine from '@memory/engine/kernels/rotation'
import fc from 'fast-check'
import { project, unproject } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'
import { randomFrom, randomVector } from '../engine/naive.ts'

interface Table {
  tolerance: number
  cases: { name: string; vector: number[]; rotated: number[] }[]
}

const table: Table = JSON.parse(readFileSync(new URL('../vectors/rotation.json', import.meta.url), 'utf8'))

describe('the projection of the client', () => {
  it.each(table.cases)('rotates $name', ({ vector, rotated }) => {
    const found = project(vector, vector.length)
    expect(found).toHaveLength(rotated.length)
    for (const [at, value] of found.entries()) {
      expect(Math.abs(value - (rotated[at] as number))).toBeLessThanOrEqual(table.tolerance)
    }
  })

  it('has the bits of the service’s', () => {
    const dimensions = fc.oneof(
      fc.constantFrom(1, 2, 3, 384, 768, 1023, 1024, 1536, 8192),
      fc.integer({ min: 1, max: 2000 }),
    )
    fc.assert(
      fc.property(dimensions, fc.integer({ min: 1, max: 2 ** 31 }), (dimensions, seed) => {
        const vector = randomVector(randomFrom(seed), dimensions, false)
        const kept = 1 + (seed % dimensions)
        const projected = engine.project(vector, kept)
        expect(Float32Array.from(project(vector, kept))).toEqual(projected)
        expect(Float32Array.from(unproject(projected, dimensions))).toEqual(
          engine.unproject(projected, dimensions),
        )
      }),
    )
  })

  it('refuses dimensions that do not fit', () => {
    expect(() => project([], 0)).toThrow('A vector has 1 to 8192 dimensions, not 0')
    expect(() => project(new Float32Array(8_193), 1)).toThrow('not 8193')
    expect(() => project([1, 2], 3)).toThrow('2 dimensions have no 3 coordinates to keep')
    expect(() => unproject([1, 2, 3], 2)).toThrow('2 dimensions have no 3 coordinates to keep')
  })
})
