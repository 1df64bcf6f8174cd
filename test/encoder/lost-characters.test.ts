import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Encoder, openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { withLostCharacters } from '../../packages/engine/src/encoder/lost-characters.ts'
import { LibraryTokenizer } from '../../packages/engine/src/encoder/tokenizer/library-tokenizer.ts'
import { openTokenizer } from '../../packages/engine/src/encoder/tokenizer/open-tokenizer.ts'
import type { Tokenizer } from '../../packages/engine/src/encoder/tokenizer/tokenizer.ts'
import { foldText } from '../../packages/engine/src/text-form.ts'
import { characterKinds, pickFrom } from '../support/characters.ts'
import reference from './reference.json' with { type: 'json' }
import { sentences } from './texts.ts'

const models = new URL('../../models/', import.meta.url)
const file = readFileSync(new URL('tokenizer.json', models))
const settings = JSON.parse(readFileSync(new URL('tokenizer_config.json', models), 'utf8'))

let encoder: Encoder
let tokenizer: Tokenizer
beforeAll(async () => {
  encoder = await openEncoder(fileURLToPath(models))
  tokenizer = openTokenizer(file, settings)
})
afterAll(() => encoder.close())

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
const cosine = async (one: string, other: string) =>
  dot(await encoder.encode(one), await encoder.encode(other))
const bits = (vector: Float32Array) => Buffer.from(vector.buffer).toString('hex')

/** A unit vector that stands for what the model makes of a text. */
const meaning = Float32Array.from({ length: 384 }, () => 1 / Math.sqrt(384))
const embed = (text: string) => withLostCharacters(meaning, text, tokenizer.encode(text), tokenizer)

describe('a text of known characters', () => {
  it('has the embedding that the model gives, to the bit', () => {
    const texts = [...reference.items.map(({ text }) => text), ...sentences]
    const known = texts.filter((text) => text.normalize('NFKC') === foldText(text) && !/\u200c/.test(text))
    expect(known.length).toBeGreaterThan(texts.length * 0.8)
    const changed = known.filter((text) => embed(text) !== meaning)
    // Scripts of which the model knows some letters only.
    expect(changed.filter((text) => !tokenizer.encode(text).includes(3))).toEqual([])
    expect(changed.length).toBeLessThan(known.length * 0.1)
  })

  it('moves by next to nothing when it has wide punctuation or an ellipsis', () => {
    for (const text of ['我现在住在哪里？', 'Well… no', 'ＯＫ！', 'E = mc²']) {
      expect(embed(text)).not.toBe(meaning)
      expect(dot(embed(text), meaning)).toBeGreaterThan(0.999_99)
    }
  })

  it('is not touched by a tokenizer that does not say what it leaves out', () => {
    const library = new LibraryTokenizer(JSON.parse(file.toString()), settings)
    expect(withLostCharacters(meaning, '🪿', library.encode('🪿'), library)).toBe(meaning)
    expect(library.characters).toBeUndefined()
  })
})

describe('texts that differ', () => {
  it('have different embeddings, each nearest to itself, whatever characters they differ in', () => {
    const character = pickFrom(...Object.values(characterKinds))
    const frame = fc.constantFrom<[string, string]>(
      ['I like ', ''],
      ['', ' it is'],
      ['area is 10', ' m'],
      ['', ''],
    )
    fc.assert(
      fc.property(frame, character, character, ([before, after], one, other) => {
        const [a, b] = [`${before}${one}${after}`, `${before}${other}${after}`]
        const [first, second] = [embed(a), embed(b)]
        const alike = String(tokenizer.encode(a)) === String(tokenizer.encode(b))
        if (foldText(a) === foldText(b)) expect(bits(first)).toBe(bits(second))
        // Texts of other ids are for the model to tell apart.
        else if (alike) {
          expect(bits(first)).not.toBe(bits(second))
          expect(dot(first, second)).toBeLessThan(1 - 1e-6)
        }
        expect(Math.hypot(...first)).toBeCloseTo(1, 6)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['李垚和王炘', '李炘和王垚'],
    ['🪿🫎', '🫎🪿'],
    ['mc² a', 'mc a²'],
    ['👩🏽‍🚀', '👩🏽🚀'],
    ['a<mask>b', 'a <mask>b'],
    ['<unk>', '🪿'],
    ['take 1½ tablets', 'take 11⁄2 tablets'],
    [`${'It rained all day. '.repeat(200)}垚`, `${'It rained all day. '.repeat(200)}炘`],
    [`垚${'It rained all day. '.repeat(200)}`, `炘${'It rained all day. '.repeat(200)}`],
  ])('as %j and %j', (one, other) => {
    expect(dot(embed(one), embed(other))).toBeLessThan(1 - 1e-6)
  })

  it('in nothing but composition and white space have one embedding', () => {
    expect(bits(embed('  Cafe\u0301 🪿\n\u3000here '))).toBe(bits(embed('Café 🪿 here')))
  })

  it('are the farther apart, the more of them is unknown', async () => {
    expect(await cosine('我妹妹叫李垚', '我妹妹叫李炘')).toBeLessThan(0.9)
    expect(await cosine('垚', '炘')).toBeLessThan(0.3)
    const long = 'My sister and I went to the market in the morning and met somebody called '
    expect(await cosine(`${long}垚`, `${long}炘`)).toBeGreaterThan(0.97)
  })
})

describe('texts in scripts that the model does not know', () => {
  /** English in letters that no model was trained on: what is similar is known. */
  const inTifinagh = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0x2d30 + letter.charCodeAt(0) - 97))

  it('are found by what they share', async () => {
    const facts = [
      'my sister lives in lisbon with two cats',
      'the train to porto leaves at nine',
      'bread needs flour and water and salt',
      'the printer is out of toner again',
      'our office moves to the harbour in may',
    ].map(inTifinagh)
    const stored = await Promise.all(facts.map((text) => encoder.encode(text)))
    const nearest = async (query: string) => {
      const vector = await encoder.encode(inTifinagh(query))
      const scores = stored.map((each) => dot(each, vector))
      return scores.indexOf(Math.max(...scores))
    }
    expect(await nearest('sister in lisbon')).toBe(0)
    expect(await nearest('trains that leave for porto')).toBe(1)
    expect(await nearest('flour for breads')).toBe(2)
    expect(await nearest('printers and toner')).toBe(3)
    expect(await nearest('when does the office move')).toBe(4)
  })

  it.each([
    ['އަޅުގަނޑު މާލޭގައި ދިރިއުޅެން', 'މާލޭގައި ދިރިއުޅެން', 'މިއަދު ވާރޭ ވެހެނީ'],
    ['ⴰⵣⵓⵍ ⴼⵍⵍⴰⴽ', 'ⴰⵣⵓⵍ', 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
    ['ߒ ߕߐ߮ ߦߋ߫ ߡߎ߬ߛߊ߫', 'ߡߎ߬ߛߊ߫', 'ߌ ߣߌ߫ ߛߐ߰ߡߊ'],
  ])('%s is nearer to %s than to %s', async (text, near, far) => {
    expect(await cosine(text, near)).toBeGreaterThan((await cosine(text, far)) + 0.2)
  })

  it('take no time to speak of, however long', () => {
    const text = 'އަޅުގަނޑު މާލޭގައި ދިރިއުޅެން '.repeat(400)
    const grown = ['垚', '炘'].map((end) => embed(text + end))
    expect(bits(grown[0]!)).not.toBe(bits(grown[1]!))
  })
})

describe('knowledgeOf', () => {
  it.each([
    ['a', 'known'],
    ['é', 'known'],
    ['里', 'known'],
    ['²', 'folded'],
    ['ﬁ', 'folded'],
    ['Ａ', 'folded'],
    ['\u200b', 'folded'],
    ['\u0007', 'folded'],
    ['垚', 'unknown'],
    ['🪿', 'unknown'],
    ['ހަ', 'unknown'],
    ['\ue123', 'unknown'],
  ])('%j is %s', (character, knowledge) => {
    expect(tokenizer.knowledgeOf(character)).toBe(knowledge)
  })

  it('agrees with the characters that are listed', () => {
    const listed = new Set(tokenizer.characters)
    expect(listed.size).toBeGreaterThan(10_000)
    expect([...'aé里'].every((each) => listed.has(each))).toBe(true)
    expect([...'垚🪿'].some((each) => listed.has(each))).toBe(false)
  })
})
