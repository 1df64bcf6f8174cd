import { SpaceLearning } from '@memory/memory/learning/space-learning'
import { expect, it } from 'vitest'

const patterns = 600
const degree = 3

/** What was learned of patterns of which each leads to the next ones, around. */
function learnAround(): SpaceLearning {
  const learning = new SpaceLearning(0)
  const links = Array.from({ length: patterns * degree }, (_, n): [number, number, number, number] => {
    const from = n % patterns
    return [from, (from + 1 + Math.floor(n / patterns)) % patterns, 1, 0]
  })
  learning.add({ uses: links.map(([idx]) => [idx, 1, 0, 0.5]), associations: links, transitions: links })
  return learning
}

/** Counts those that are gone through. */
class Counted extends Set<number> {
  visits = 0
  override [Symbol.iterator]() {
    this.visits += this.size
    return super[Symbol.iterator]()
  }
}

const leastBytes = new SpaceLearning(0).bytes

it('what is learned of many that are removed at once goes in a pass over what is left, not one for each', async () => {
  const learning = learnAround()
  const gone = new Counted(Array.from({ length: patterns / 2 }, (_, i) => i))
  await learning.forget(gone)
  expect(gone.visits).toBeLessThan(2 * patterns)
  for (const [source, targets] of learning.transitions) {
    for (const idx of [source, ...targets.keys(), ...learning.associatesOf(source).keys()]) {
      expect(gone.has(idx)).toBe(false)
    }
  }
  // The last of those that are left lead to some that are gone.
  const targets = Array.from(learning.transitions.values(), ({ size }) => size)
  expect(targets.reduce((sum, size) => sum + size)).toBe((patterns / 2) * degree - 6)
  expect(learning.usedCount).toBe(patterns / 2)
})

it.each([1, 50])(
  'takes no more memory than before when all that was learned is removed, %i at a time',
  async (count) => {
    const learning = learnAround()
    expect(learning.bytes).toBeGreaterThan(leastBytes)
    // Again: what replaces links counts once.
    const { bytes } = learning
    learning.add({ uses: [], associations: [[0, 1, 0.5, 1]], transitions: [[0, 1, 2, 1]] })
    expect(learning.bytes).toBe(bytes)
    for (let first = 0; first < patterns; first += count) {
      await learning.forget(new Set(Array.from({ length: count }, (_, i) => first + i)))
    }
    expect(learning.bytes).toBe(leastBytes)
  },
)
