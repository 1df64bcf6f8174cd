import { passagesOf } from '@memory/engine/recall/passages'
import type { Compute } from '@memory/memory/compute'
import { embedTexts } from '@memory/memory/texts/embed-texts'
import { describe, expect, it } from 'vitest'

const long = Array.from({ length: 200 }, (_, i) => `Sentence ${i} is about something else. `).join('')

/** A compute whose embedding of a text is its length; it notes what was asked of it, and how much of it at a time. */
function fakeCompute() {
  const asked: string[] = []
  let [waiting, most] = [0, 0]
  const compute = {
    async embed(_: unknown, text: string) {
      asked.push(text)
      most = Math.max(most, ++waiting)
      await new Promise((resolve) => setImmediate(resolve))
      waiting--
      return Float32Array.of(text.length)
    },
  } as unknown as Compute
  return { compute, asked, most: () => most }
}

describe('embedTexts', () => {
  it('gives each text its embedding, and a long one those of its passages', async () => {
    const { compute } = fakeCompute()
    const [short, whole] = await embedTexts({ compute }, { organizationId: 'test' }, ['Short.', long])
    expect(short).toEqual({ key: Float32Array.of(6), passages: [] })
    expect(whole?.key).toEqual(Float32Array.of(long.length))
    expect(whole?.passages).toEqual(
      passagesOf(long).map(({ start, end, text }) => ({ start, end, key: Float32Array.of(text.length) })),
    )
  })

  it('has a few passages wait at a time, of however many texts', async () => {
    const { compute, asked, most } = fakeCompute()
    const texts = Array.from({ length: 50 }, (_, i) => `${i}. ${long}`)
    await embedTexts({ compute }, { organizationId: 'test' }, texts)
    expect(asked.length).toBeGreaterThan(500)
    expect(most()).toBeLessThanOrEqual(texts.length + 4)
  })
})
