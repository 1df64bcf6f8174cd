import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalisedMean, splitWindows, type WindowShape } from '../../packages/engine/src/encoder/windows.ts'

const shape: WindowShape = { length: 512, stride: 384, prefixLength: 1, suffixLength: 1 }

/** `<s>`, the ids 10, 11, 12, …, `</s>`. */
function idsOf(total: number): Int32Array {
  return Int32Array.from({ length: total }, (_, i) => (i === 0 ? 0 : i === total - 1 ? 2 : 9 + i))
}

describe('splitWindows', () => {
  it.each([2, 510, 511, 512])('leaves %i ids as they are', (total) => {
    const ids = idsOf(total)
    expect(splitWindows(ids, shape)).toEqual([ids])
  })

  it('begins a second window with the 513th id', () => {
    const windows = splitWindows(idsOf(513), shape)
    expect(windows.map((window) => window.length)).toEqual([512, 2 + 127])
    expect(Array.from(windows[1]!.subarray(0, 3))).toEqual([0, 10 + 384, 10 + 385])
    expect(Array.from(windows[1]!.subarray(-2))).toEqual([10 + 510, 2])
  })

  it.each([
    [512 + 384, 2],
    [512 + 384 + 1, 3],
    [512 + 384 * 2, 3],
  ])('cuts %i ids into %i windows', (total, count) => {
    expect(splitWindows(idsOf(total), shape)).toHaveLength(count)
  })

  it('covers every token, in order, at exact strides, and never exceeds a window', () => {
    const shapes = fc
      .record({ room: fc.integer({ min: 1, max: 40 }), prefixLength: fc.nat(3), suffixLength: fc.nat(3) })
      .chain(({ room, prefixLength, suffixLength }) =>
        fc.integer({ min: 1, max: room }).map((stride) => ({
          length: room + prefixLength + suffixLength,
          stride,
          prefixLength,
          suffixLength,
        })),
      )
    fc.assert(
      fc.property(shapes, fc.nat(200), (any, count) => {
        const { prefixLength, suffixLength } = any
        const text = Array.from({ length: count }, (_, i) => 100 + i)
        const prefix = Array.from({ length: prefixLength }, (_, i) => i)
        const suffix = Array.from({ length: suffixLength }, (_, i) => 50 + i)
        const windows = splitWindows(Int32Array.from([...prefix, ...text, ...suffix]), any)

        const covered = new Set<number>()
        windows.forEach((window, index) => {
          expect(window.length).toBeLessThanOrEqual(any.length)
          const end = window.length - suffixLength
          expect(Array.from(window.subarray(0, prefixLength))).toEqual(prefix)
          expect(Array.from(window.subarray(end))).toEqual(suffix)
          const start = index * any.stride
          const part = Array.from(window.subarray(prefixLength, end))
          expect(part).toEqual(text.slice(start, start + part.length))
          // Only the last window may be shorter, and it is not empty unless the text is.
          if (index < windows.length - 1) expect(window.length).toBe(any.length)
          if (count > 0) expect(part.length).toBeGreaterThan(0)
          for (const id of part) covered.add(id)
        })
        expect(covered.size).toBe(count)
      }),
      { seed: 11, numRuns: 300 },
    )
  })

  it('refuses a stride that would skip tokens', () => {
    expect(() => splitWindows(idsOf(600), { ...shape, stride: 511 })).toThrow(RangeError)
    expect(() => splitWindows(idsOf(600), { ...shape, stride: 0 })).toThrow(RangeError)
  })
})

describe('normalisedMean', () => {
  it('is the mean scaled to length 1', () => {
    const mean = normalisedMean([Float32Array.of(3, 0), Float32Array.of(0, 4)])!
    expect(Array.from(mean)).toEqual([Math.fround(0.6), Math.fround(0.8)])
  })

  it('keeps the direction of a single vector', () => {
    expect(Array.from(normalisedMean([Float32Array.of(0, -2, 0)])!)).toEqual([0, -1, 0])
  })

  it('is undefined where there is no direction', () => {
    expect(normalisedMean([])).toBeUndefined()
    expect(normalisedMean([Float32Array.of(1, 0), Float32Array.of(-1, 0)])).toBeUndefined()
    expect(normalisedMean([Float32Array.of(1, Number.NaN)])).toBeUndefined()
    expect(normalisedMean([Float32Array.of(1, Number.POSITIVE_INFINITY)])).toBeUndefined()
  })
})
