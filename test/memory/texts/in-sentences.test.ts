import { inSentences } from '@memory/memory/texts/in-sentences'
import type { NearText } from '@memory/memory/texts/near-text'
import { describe, expect, it } from 'vitest'

const caller = {} as Parameters<typeof inSentences>[1]
const context = { compute: { embed: async () => Float32Array.of(0, 1) } } as unknown as Parameters<
  typeof inSentences
>[0]
const query = (text: string) => ({ text, vector: Float32Array.of(1, 0) })
const near = (idx: number, text: string, whole?: string): NearText => ({
  ...{ idx, id: `${idx}`, text, whole },
  vector: Float32Array.of(0.5, 0.8),
  cosine: 0.5,
  at: 0,
})

describe('inSentences', () => {
  const passage = 'She moved to Lisbon in May. She rents a flat there.'
  const whole = `Mona is a nurse. The printer is out of toner. ${passage}`

  it('finds the words of a query in the whole of a text, not only in its nearest passage', async () => {
    const nearest = [near(1, passage, whole), near(2, passage)]
    const found = await inSentences(context, caller, query('Who is Mona?'), { nearest, lexical: [] })
    expect(found.map(({ text, hasWords }) => [text, hasWords])).toEqual([
      [passage, true],
      [passage, false],
    ])
  })

  it('finds a statement in the whole of a text, not only in its nearest passage', async () => {
    const nearest = [near(1, passage, whole)]
    const stated = query('The printer is out of toner.')
    const [found] = await inSentences(context, caller, stated, { nearest, lexical: [] })
    expect(found).toMatchObject({ text: stated.text, whole, vector: stated.vector })
  })

  it('lets others have turns between long texts', async () => {
    const long = 'It rains in Lisbon. '.repeat(500)
    const nearest = Array.from({ length: 5 }, (_, idx) => near(idx, long))
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await inSentences(context, caller, query('It snows in Porto.'), { nearest, lexical: [] })
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(nearest.length - 1)
  })
})
