import { isSameText, textHash } from '@memory/memory/texts/text-identity'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inSpace } from './space.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server.close())

/** Texts that are different to a reader, and of which an encoder may see the same. */
const pairs = [
  ['rare Han', '我妹妹叫李垚', '我妹妹叫李炘'],
  ['Han beyond the basic plane', 'I live in 𠀀', 'I live in 𠀁'],
  ['emoji', 'I like 🪿', 'I like 🫎'],
  ['emoji alone', '🪿', '🫎'],
  ['sequences of emoji', 'we are 👩‍👩‍👧', 'we are 👩 👩 👧'],
  ['tones of skin', 'she said 🫱🏽', 'she said 🫱🏿'],
  ['flags', 'flag 🇲🇻', 'flag 🇳🇵'],
  ['Dhivehi', 'އަޅުގަނޑު މާލޭގައި ދިރިއުޅެން', 'މިއަދު ވާރޭ ވެހެނީ'],
  ['N’Ko', 'ߒ ߕߐ߮ ߦߋ߫ ߡߎ߬ߛߊ߫', 'ߒ ߕߐ߮ ߦߋ߫ ߝߊ߬ߕߌߡ'],
  ['Tifinagh', 'ⴰⵣⵓⵍ ⴼⵍⵍⴰⴽ', 'ⵜⴰⵎⴰⵣⵉⵖⵜ ⴼⵍⵍⴰⴽ'],
  ['rare Hangul', '그는 뷁 이라고 했다', '그는 쀍 이라고 했다'],
  ['old Hangul', 'word ᄀᆞᆯ', 'word ᄂᆞᆯ'],
  ['how many signs there are', 'the hotel has ★★★', 'the hotel has ★★★★★'],
  ['a sign of logic', 'the rule is ¬p', 'the rule is p'],
  ['tones', 'Tôi rất thích má của tôi', 'Tôi rất thích mà của tôi'],
  ['superscripts', 'area is 10² m', 'area is 102 m'],
  ['fractions', 'take 1½ tablets', 'take 11⁄2 tablets'],
  ['circled numbers', 'floor ①②', 'floor 12'],
  ['full width', 'room １２', 'room 12'],
  ['wide punctuation', '今天好吗？', '今天好吗?'],
  ['ligatures', 'a ﬁne day', 'a fine day'],
  ['private use', 'sign \ue123', 'sign \ue124'],
  ['unassigned', 'sign \u{40000}', 'sign \u{40001}'],
  ['what is invisible', 'pass\u200bword', 'pass word'],
  ['a soft hyphen', 'pass\u00adword', 'password'],
  ['a byte order mark', '\ufeffpassword', 'password'],
  ['controls', 'a\u0007b', 'ab'],
  ['order', '李垚 likes 李炘', '李炘 likes 李垚'],
  ['case', 'The Cat sleeps', 'the cat sleeps'],
  ['special tokens', 'a <unk> b', 'a 🪿 b'],
] as const

const dryForget = async (client: ConformingClient, query: string, threshold = 1) =>
  (await client.delete('/v1/memory/text/forget', { query, threshold, dry_run: true })).body

const embed = async (client: ConformingClient, text: string) =>
  (await client.post('/v1/memory/text/embed', { text })).body.embedding as number[]

describe.each(pairs)('texts that differ in %s', (_, one, other) => {
  let ada: ConformingClient
  let ids: string[]

  beforeAll(async () => {
    ada = await newConformingClient(server)
    ids = await ada.store([one, other, 'The train to Porto leaves at nine.'])
  })

  it('are told apart by a search, by forgetting and by similarity', async () => {
    for (const [i, text] of [one, other].entries()) {
      expect(await ada.retrieve(text, { top_k: 1 })).toEqual([text])
      expect(await dryForget(ada, text)).toMatchObject({ forgotten: 1, pattern_ids: [ids[i]] })
    }
    const similarity = async (text_a: string, text_b: string) =>
      (await ada.post('/v1/memory/text/similarity', { text_a, text_b })).body.similarity
    expect(await similarity(one, other)).toBeLessThan(1)
    expect(await similarity(one, one)).toBe(1)
  })

  it('stay apart in sleep', async () => {
    expect((await ada.post('/v1/memory/sleep', { batch_size: 20 })).body.consolidated).toBe(0)
  })

  it('are deleted one at a time by the key that is their embedding', async () => {
    const { status, body } = await ada.delete('/v1/memory/pattern', await embed(ada, one))
    expect({ status, body }).toEqual({ status: 200, body: { message: '1 pattern deleted' } })
    expect(await dryForget(ada, other)).toMatchObject({ forgotten: 1, pattern_ids: [ids[1]] })
  })
})

describe('what only another text says', () => {
  // What a reader would take for the same statement is for the classifier to judge.
  const alike = ['full width', 'wide punctuation', 'ligatures', 'case', 'what is invisible', 'a soft hyphen']
  // Those letters of old Hangul are known to the encoder.
  const odd = ['old Hangul', 'a byte order mark', 'controls', 'order', 'sequences of emoji', 'special tokens']
  const others = pairs.filter(([kind]) => ![...alike, ...odd].includes(kind))

  it.each(others)('is no exact match, nor nearly the same: %s', async (_, stored, asked) => {
    const ada = await newConformingClient(server)
    await ada.store([stored])
    const belief = async (query: string) =>
      (await ada.post('/v1/memory/belief/classify', { query })).body.classification
    const explain = async (query: string) =>
      (await ada.post('/v1/memory/text/explain', { query, lang: 'en' })).body
    const [other, same] = [await explain(asked), await explain(stored)]
    expect(await belief(asked)).not.toBe('exact_match')
    expect(other.explanation).not.toContain('nearly the same')
    expect(await belief(stored)).toBe('exact_match')
    expect(same.explanation).toContain('nearly the same')
    expect(other.confidence).toBeLessThan(same.confidence / 2)
  })

  it('is quoted beside it', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['The area is 10² m.', 'The area is 102 m.'])
    const { body } = await ada.post('/v1/memory/text/explain', { query: 'The area is 10² m.', lang: 'en' })
    expect(body.explanation).toContain('The area is 10² m.')
    expect(body.explanation).toContain('The area is 102 m.')
  })
})

it('a text with joiners in other places states the same', async () => {
  const ada = await newConformingClient(server)
  await ada.store(['کتاب‌های من کجاست؟'])
  const { body } = await ada.post('/v1/memory/belief/classify', { query: 'کتابهای من کجا\u200cست؟' })
  expect(body.classification).toBe('exact_match')
})

describe('texts with one embedding', () => {
  const [one, other] = ['What I stored years ago', 'What somebody else said']

  /** As an earlier release stored texts in which its encoder saw no difference. */
  async function storeAlike(): Promise<{ ada: ConformingClient; ids: string[]; key: number[] }> {
    const ada = await newConformingClient(server)
    const ids = await ada.store([one, other])
    await inSpace(server, ada, (trx, { id }) =>
      sql`update app.patterns set key = (select key from app.patterns where space_id = ${id} and idx = 0)
        where space_id = ${id}`.execute(trx),
    )
    return { ada, ids, key: await embed(ada, one) }
  }

  it('are different texts to forget: at threshold 1 the same text goes', async () => {
    const { ada, ids } = await storeAlike()
    expect(await dryForget(ada, one)).toMatchObject({ forgotten: 1, pattern_ids: [ids[0]] })
    expect(await dryForget(ada, other)).toMatchObject({ forgotten: 1, pattern_ids: [ids[1]] })
    expect(await dryForget(ada, 'What nobody said')).toMatchObject({ forgotten: 0, pattern_ids: [] })
  })

  it('are not deleted by their key, which does not say which is meant', async () => {
    const { ada, ids, key } = await storeAlike()
    const { status, body } = await ada.delete('/v1/memory/pattern', key)
    expect({ status, body }).toEqual({
      status: 409,
      body: { detail: 'Several different texts have this key: delete them by their pattern_id' },
    })
    expect((await ada.delete(`/v1/memory/patterns/${ids[0]}`)).status).toBe(200)
    expect((await ada.delete('/v1/memory/pattern', key)).body).toEqual({ message: '1 pattern deleted' })
  })

  it('are deleted by their key when they are the same text', async () => {
    const ada = await newConformingClient(server)
    await ada.store([one, `  ${one}`])
    await ada.post('/v1/memory/store', { key: await embed(ada, one), value: [1] })
    const { body } = await ada.delete('/v1/memory/pattern', await embed(ada, one))
    expect(body).toEqual({ message: '3 patterns deleted' })
  })
})

describe('the identity of a text', () => {
  it('is the text in NFC with its white space folded, as Unicode defines white space', () => {
    expect(textHash(' Cafe\u0301\u0085\u2003x\n')).toBe(textHash('Café x'))
    for (const character of '\ufeff\u200b\u2060\u00ad') {
      expect(isSameText(`a${character}b`, 'a b')).toBe(false)
      expect(isSameText(`${character}a`, 'a')).toBe(false)
    }
  })
})
