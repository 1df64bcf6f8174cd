import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { accel } from '@memory/accel'
import { bitsOf } from '@memory/memory/index/bits'
import { JavascriptLexical } from '@memory/memory/index/javascript-lexical'
import type { LexicalFound, LexicalIndex } from '@memory/memory/index/lexical-index'
import { newLexical } from '@memory/memory/index/lexical-indexes'
import { scoreLexical, searchLexical } from '@memory/memory/index/search-lexical'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

interface Table {
  tolerance: number
  documents: { label: number; text: string }[]
  searches: {
    query: string
    labels: number[]
    scores: number[]
    matched: number
    mean: number
    deviation: number
    full: number
  }[]
}

const table: Table = JSON.parse(readFileSync(new URL('../../vectors/bm25.json', import.meta.url), 'utf8'))

const makers: [string, (among?: LexicalIndex) => LexicalIndex][] = [
  ['JavaScript', (among) => new JavascriptLexical(among as JavascriptLexical | undefined)],
  // Without the addon this is one in JavaScript again.
  ['the preferred one', newLexical],
]

const words = ['a', 'cat', 'memory', 'memories', 'straße', 'москва', '東京', '東', 'ไทย', '3.14', '👍', '']
const someText = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((all) => all.join(' '))
const someIdx = fc.integer({ min: 0, max: 20 })
type Change = { put: { idx: number; text: string }[] } | { remove: number[] }

const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({ put: fc.array(fc.record({ idx: someIdx, text: someText }), { maxLength: 5 }) }),
      weight: 2,
    },
    { arbitrary: fc.record({ remove: fc.array(someIdx, { maxLength: 4 }) }), weight: 1 },
  ),
  { maxLength: 40, size: 'max' },
)

async function apply(index: LexicalIndex, change: Change): Promise<void> {
  if ('put' in change) await index.put(change.put)
  else index.remove(change.remove)
}

function expectNear(found: LexicalFound, expected: LexicalFound): void {
  expect(found.matched).toBe(expected.matched)
  expect(found.mean).toBeCloseTo(expected.mean, 9)
  expect(found.full).toBeCloseTo(expected.full, 9)
  // The root of rounding errors of squares is larger than they are.
  expect(found.deviation).toBeCloseTo(expected.deviation, 6)
  expect(found.scores).toHaveLength(expected.scores.length)
  for (const [i, score] of expected.scores.entries()) expect(found.scores[i]).toBeCloseTo(score, 9)
}

describe.each(makers)('a lexical index in %s', (_, make) => {
  it('gives the scores of the table', async () => {
    const index = make()
    await index.put(table.documents.map(({ label, text }) => ({ idx: label, text })))
    for (const { query, labels, scores, ...spread } of table.searches) {
      const found = searchLexical(index.target, query, 10)
      expect([...found.labels], query).toEqual(labels)
      expectNear(found, { labels: found.labels, scores: Float64Array.from(scores), ...spread })
      expect([...scoreLexical(index.target, query, found.labels)]).toEqual([...found.scores])
    }
  })

  it('after any changes finds what a new index of what is left does', async () => {
    await fc.assert(
      fc.asyncProperty(changes, someText, fc.array(someIdx), async (all, query, allowed) => {
        const index = make()
        const texts = new Map<number, string>()
        for (const change of all) {
          await apply(index, change)
          if ('put' in change) for (const { idx, text } of change.put) texts.set(idx, text)
          else for (const idx of change.remove) texts.delete(idx)
        }
        const fresh = new JavascriptLexical()
        await fresh.put(Array.from(texts, ([idx, text]) => ({ idx, text })))
        expect(index.size).toBe(texts.size)
        for (const bits of [undefined, bitsOf(allowed)]) {
          const found = searchLexical(index.target, query, 50, bits)
          const expected = searchLexical(fresh.target, query, 50, bits)
          expectNear(found, expected)
          expect([...found.labels].sort()).toEqual([...expected.labels].sort())
          if (bits !== undefined) for (const idx of found.labels) expect(allowed).toContain(idx)
        }
        const labels = Int32Array.from({ length: 25 }, (_, idx) => idx)
        const scores = scoreLexical(index.target, query, labels)
        for (const [idx, score] of scoreLexical(fresh.target, query, labels).entries())
          expect(scores[idx]).toBeCloseTo(score, 9)
      }),
      { numRuns: 150 },
    )
  })

  it('weighs parts of texts as among the texts, wherever they are searched', async () => {
    const texts = make()
    const parts = make(texts)
    const sentences = ['memory of a cat', 'memories of Moscow and of москва', 'a cat', 'the memory']
    await texts.put([
      ...sentences.map((text, idx) => ({ idx, text })),
      { idx: 9, text: `${sentences.join('. ')}. ${'much more '.repeat(200)}` },
    ])
    await parts.put(sentences.map((text, i) => ({ idx: 70 + i, text })))
    const found = searchLexical(parts.target, 'the memory of cats', 10)
    const whole = searchLexical(texts.target, 'the memory of cats', 10)
    const scores = new Map(Array.from(whole.labels, (idx, i) => [idx, whole.scores[i] as number]))
    expect(Array.from(found.labels).sort()).toEqual([70, 71, 72, 73])
    for (const [i, label] of found.labels.entries())
      expect(found.scores[i]).toBeCloseTo(scores.get(label - 70) as number, 9)
    expect(found.full).toBeCloseTo(whole.full, 9)
    // As one long text they are marked down by its length.
    expect(scores.get(9)).toBeLessThan(found.scores[0] as number)
  })

  it('orders equal scores by the lower idx, and keeps k', async () => {
    const index = make()
    await index.put([5, 3, 9, 1].map((idx) => ({ idx, text: 'the same' })))
    expect([...searchLexical(index.target, 'same', 3).labels]).toEqual([1, 3, 5])
    expect(searchLexical(index.target, 'same', 0)).toMatchObject({ matched: 4, labels: new Int32Array(0) })
    expect(searchLexical(index.target, 'same', 3).deviation).toBe(0)
  })

  it('keeps what was written while many were being put', async () => {
    const index = make()
    const many = Array.from({ length: 2_000 }, (_, idx) => ({ idx, text: `old text of some length ${idx}` }))
    const putting = index.put(many)
    index.remove([1_990, 1_991])
    const again = index.put([{ idx: 1_995, text: 'new' }])
    await Promise.all([putting, again])
    expect(index.size).toBe(1_998)
    expect(
      [...scoreLexical(index.target, 'old', Int32Array.of(1_989, 1_990, 1_991, 1_995))].map(Math.sign),
    ).toEqual([1, 0, 0, 0])
    expect([...searchLexical(index.target, 'new', 5).labels]).toEqual([1_995])
  })

  it('counts the memory it holds', async () => {
    const index = make()
    const empty = index.bytes
    await index.put(
      Array.from({ length: 1_000 }, (_, idx) => ({ idx, text: `some words about ${idx * 7919}` })),
    )
    expect(index.bytes - empty).toBeGreaterThan(1_000 * 20)
  })

  it('is defined while empty', () => {
    const index = make()
    index.remove([1])
    expect(searchLexical(index.target, 'a', 5)).toEqual({
      labels: new Int32Array(0),
      scores: new Float64Array(0),
      matched: 0,
      mean: 0,
      deviation: 0,
      full: 0,
    })
    expect(scoreLexical(index.target, 'a', Int32Array.of(1, -1))).toEqual(new Float64Array(2))
  })
})

describe.skipIf(accel === null)('the native lexical index', () => {
  const native = accel as NonNullable<typeof accel>

  it('is searched by other threads while it is written', async () => {
    const lexicon = new native.Lexicon()
    lexicon.put(Int32Array.of(0), ['always here'])
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       import('@memory/accel').then(({ accel }) => {
         let searches = 0
         parentPort.once('message', () => { clearInterval(timer); parentPort.postMessage(searches) })
         const timer = setInterval(() => {
           const found = accel.searchLexicon(workerData, 'always', 5, undefined)
           if (found.labels[0] !== 0 || found.labels.length !== 1) throw new Error('not found')
           searches++
         }, 0)
         parentPort.postMessage('ready')
       })`,
      { eval: true, workerData: lexicon.id },
    )
    const message = () =>
      new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    await message()
    for (let round = 0; round < 20; round++) {
      const labels = Int32Array.from({ length: 500 }, (_, i) => i + 1)
      await lexicon.putMany(
        labels,
        Array.from(labels, (label) => `another text ${label} ${round}`),
      )
      lexicon.remove(labels)
    }
    worker.postMessage('stop')
    expect(await message()).toBeGreaterThan(0)
    await worker.terminate()
  })

  it('refuses what does not fit', () => {
    const lexicon = new native.Lexicon()
    expect(() => lexicon.put(Int32Array.of(1), [])).toThrow('there are 1 labels and 0 texts')
    expect(() => lexicon.put(Int32Array.of(-1), ['a'])).toThrow('label -1 is below 0')
    expect(() => lexicon.putMany(Int32Array.of(1, 2), ['a'])).toThrow('2 labels')
    expect(() => native.searchLexicon(lexicon.id, 'a', -1, undefined)).toThrow('k is -1')
    expect(() => native.searchLexicon(0, 'a', 1, undefined)).toThrow('there is no lexicon 0')
  })
})
