import { categoryByPattern } from '@memory/engine/categories/category-patterns'
import { hasLuhnDigit, isIban } from '@memory/engine/categories/checksum-validators'
import { classifyFact } from '@memory/engine/categories/classify'
import { guessCategory, loadCategoryModel } from '@memory/engine/categories/model'
import { parameters } from '@memory/engine/parameters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classNames, readFacts } from '../../bench/categories/facts.ts'
import { fitNetwork, probabilities } from '../../bench/categories/network.ts'
import { classScores, macroF1 } from '../../bench/categories/scores.ts'

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })

describe('checksums', () => {
  it('finds exactly one check digit for any number, by the table of doubled digits', () => {
    const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    fc.assert(
      fc.property(digits(15), (payload) => {
        const sum = payload.reduce((total, digit, i) => total + (i % 2 === 0 ? doubled[digit]! : digit), 0)
        const expected = (10 - (sum % 10)) % 10
        const right = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((last) =>
          hasLuhnDigit([...payload, last].join('')),
        )
        expect(right).toEqual([expected])
      }),
    )
  })

  it('accepts the IBANs that have the right check digits by big-integer arithmetic, and no others', () => {
    fc.assert(
      fc.property(digits(18), (account) => {
        // DE is 13 14; the check digits are what 98 less the remainder with 00 says (ISO 13616).
        const check = 98n - (BigInt(`${account.join('')}131400`) % 97n)
        const iban = `DE${String(check).padStart(2, '0')}${account.join('')}`
        expect(isIban(iban)).toBe(true)
        const last = (Number(iban.at(-1)) + 1) % 10
        expect(isIban(iban.slice(0, -1) + last)).toBe(false)
        expect(isIban(`${iban}0`)).toBe(false)
      }),
    )
  })

  it.each([
    'GB82WEST12345698765432',
    'FR1420041010050500013M02606',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ])('accepts the published example %s', (iban) => expect(isIban(iban)).toBe(true))

  it.each(['', '0', 'DE', 'XX82WEST12345698765432', 'gb82west12345698765432', '4111 1111'])(
    'refuses %j',
    (text) => {
      expect(isIban(text)).toBe(false)
      expect(hasLuhnDigit(text)).toBe(false)
    },
  )
})

describe('categoryByPattern', () => {
  it.each([
    ['Write to jo.doe+news@mail.example.org please', 'contact'],
    ['jo (at) example.org', 'contact'],
    ['Meine Nummer: 0171 5550199', 'contact'],
    ['+33 6 12 34 56 78', 'contact'],
    ['(212) 555-0199', 'contact'],
    ['phone 612345098', 'contact'],
    ['Mi teléfono: 612 345 678', 'contact'],
    ['Appelle-moi au 0612345678', 'contact'],
    ['Of 1.500.000 mobile users call me first: 612345098', 'contact'],
    ['my IP is 81.2.69.142', 'contact'],
    ['IPv6: 2a02:8108::1', 'contact'],
    ['my account is GB82 WEST 1234 5698 7654 32, thanks', 'finance'],
    ['card 4111 1111 1111 1111 exp 12/30', 'finance'],
    ['my password is kitten9', 'credentials'],
    ['Passwort: geheim', 'credentials'],
    ['la contraseña del banco es Sol!', 'credentials'],
    ['PIN 的密码是 4455', 'credentials'],
    ['パスワードはneko7です', 'credentials'],
    ['AKIAIOSFODNN7EXAMPLE', 'credentials'],
    ['-----BEGIN RSA PRIVATE KEY-----', 'credentials'],
    ['login jo@example.org, password: x7kk', 'credentials'],
    ['My name is Zoe', 'identity'],
    ['hi, my name’s Li.', 'identity'],
    ['je m’appelle Élodie', 'identity'],
    ['Me llamo Lucía.', 'identity'],
    ['Ich heiße Ömer und komme aus Bonn', 'identity'],
    ['Mi chiamo Luca', 'identity'],
    ['Chamo-me Rui', 'identity'],
    ['Ik heet Jan', 'identity'],
    ['Меня зовут Иван', 'identity'],
    ['名前は田中です', 'identity'],
    ['我的名字是王伟', 'identity'],
    ['اسمي فريد', 'identity'],
    ['My name is Zoe, write to zoe@example.org', 'contact'],
  ])('tells %j as %s', (text, category) => expect(categoryByPattern(text)).toBe(category))

  it.each([
    '',
    'The password is required',
    'What is my password?',
    'the pinball is: fun',
    'born on 09.05.1981',
    'call me on 12.05.2024',
    'at 2024-01-05 10:00',
    'version 1.2.3.4',
    'the IP 192.168.0.1',
    'ip 300.2.3.4',
    'Il numero di utenti è salito a 1.500.000',
    "La société s'appelle Orion et a 1 500 000 clients",
    'The mobile app was downloaded 12000000 times',
    'El celular cuesta 1.200.000 pesos',
    '手机卖了1200000台',
    'The function call took 1.2345678 s',
    'Call stack overflow at address 0x7fff12345678',
    'card 4111 1111 1111 1112',
    'GB82 WEST 1234 5698 7654 33',
    'room 0123 4567',
    'ratio 16:9, 3 of 5',
    'follow @ada',
    'my name is on the list',
    'MY NAME IS: see above',
    'What is my name?',
    'Wie heiße ich?',
    'Ich heiße dich willkommen',
    'Ich heiße Sie herzlich willkommen',
    'je m’appelle toujours comme avant',
    'dummy name is Zoe',
    '猫の名前はミケです',
  ])('tells nothing of %j', (text) => expect(categoryByPattern(text)).toBeUndefined())

  it('looks at the beginning of a long text only', () => {
    const filler = 'word '.repeat(parameters.categories.formChars / 5)
    expect(categoryByPattern(`a@example.org ${filler}`)).toBe('contact')
    expect(categoryByPattern(`${filler} a@example.org`)).toBeUndefined()
  })

  it('answers any text, and the same whenever it is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(categoryByPattern(text)).toBe(categoryByPattern(text))
      }),
    )
  })
})

const layer = (biases: number[], scales: number[], weights: number[]) => ({
  biases,
  scales,
  weights: Buffer.from(new Int8Array(weights).buffer).toString('base64'),
})

describe('the model', () => {
  const small = {
    classes: ['health', 'finance', 'none'],
    dimensions: 2,
    // The first unit is the first number where that is positive, the second the second's negative.
    hidden: layer([0, 0], [0.1, 0.1], [10, 0, 0, -10]),
    output: layer([0, 0.5, 0], [0.1, 0.1, 0.1], [20, 0, 0, -20, -20, 20]),
    threshold: 0.6,
  }
  const model = loadCategoryModel(small)

  it('gives the class with the greatest softmax and its probability', () => {
    const scores = [2, 0.5, -2]
    const sum = scores.reduce((total, score) => total + Math.exp(score), 0)
    const guess = guessCategory(Float32Array.of(1, 0), model)
    expect(guess.category).toBe('health')
    expect(guess.probability).toBeCloseTo(Math.exp(2) / sum, 6)
    expect(guessCategory(Float32Array.of(-1, -1), model).category).toBeNull()
  })

  it('believes a category from the threshold on', () => {
    expect(classifyFact('', Float32Array.of(1, 0), model)).toBe('health')
    expect(guessCategory(Float32Array.of(0, 0), model).category).toBe('finance')
    expect(classifyFact('', Float32Array.of(0, 0), model)).toBeNull()
    expect(classifyFact('a@example.org', Float32Array.of(1, 0), model)).toBe('contact')
  })

  it.each([
    ['no numbers', new Float32Array(0)],
    ['another length', new Float32Array(3)],
    ['NaN', Float32Array.of(Number.NaN, 1)],
    ['infinity', Float32Array.of(Number.POSITIVE_INFINITY, 1)],
  ])('takes an embedding of %s for no fact', (_name, embedding) => {
    expect(guessCategory(embedding, model)).toEqual({ category: null, probability: 1 })
    expect(classifyFact('', embedding)).toBeNull()
  })

  it.each([
    [{ classes: ['health', 'astrology', 'none'] }, 'unknown category: astrology'],
    [{ hidden: layer([0], [1, 1], [1, 1]) }, 'not complete'],
    [{ hidden: layer([0, 0], [1, 1], [1, 1]) }, 'not complete'],
    [{ output: layer([0, 0], [1, 1], [1, 1, 1, 1]) }, 'not complete'],
  ])('is refused with %j', (change, message) => {
    expect(() => loadCategoryModel({ ...small, ...change })).toThrow(message)
  })
})

describe('the fit', () => {
  const training = {
    units: 8,
    epochs: 60,
    batch: 16,
    rate: 0.02,
    decay: 0.01,
    dropInputs: 0,
    dropHidden: 0.1,
    smoothing: 0.02,
  }
  /** Points in a plane, of which one class is a ring around the other: no line tells them apart. */
  const points = Array.from({ length: 120 }, (_, i) => {
    const [radius, angle] = [i % 2 === 0 ? 0.4 : 1.6, i * 0.7]
    return Float32Array.of(radius * Math.cos(angle), radius * Math.sin(angle))
  })
  const labels = points.map((_, i) => i % 2)

  it('tells apart what no line does', () => {
    const network = fitNetwork({ rows: points, labels }, 2, training)
    const right = points.filter((point, i) => probabilities(point, network)[labels[i]!]! > 0.5)
    expect(right.length).toBeGreaterThan(110)
    for (const point of points)
      expect(probabilities(point, network).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
  })

  it('gives the same network for the same examples', () => {
    const again = () => fitNetwork({ rows: points, labels }, 2, { ...training, epochs: 2 })
    expect(again()).toEqual(again())
  })

  it('scores by hand-counted precision and recall', () => {
    const judgements = [
      { truth: 'health', answer: 'health' },
      { truth: 'health', answer: 'none' },
      { truth: 'none', answer: 'none' },
      { truth: 'none', answer: 'finance' },
    ]
    expect(classScores(judgements, 'health')).toEqual({ facts: 2, precision: 1, recall: 0.5, f1: 2 / 3 })
    expect(macroF1(judgements)).toBeCloseTo((2 / 3 + 1 / 2) / 2, 12)
    expect(macroF1([])).toBe(0)
  })
})

describe('the facts that nothing was fitted on', () => {
  it.each([
    ['test', 0.94],
    ['held-out', 0.93],
  ] as const)('of %s are told with a macro-F1 over %d', { timeout: 120_000 }, async (name, least) => {
    const facts = await readFacts(name)
    expect(facts.length).toBeGreaterThan(270)
    expect(new Set(facts.map(({ category }) => category))).toEqual(new Set(classNames))
    const judgements = facts.map(({ category, text, embedding }) => ({
      truth: category,
      answer: classifyFact(text, embedding) ?? 'none',
    }))
    expect(macroF1(judgements)).toBeGreaterThan(least)
    expect(classScores(judgements, 'none').f1).toBeGreaterThan(0.85)
    for (const name of classNames) expect(classScores(judgements, name).f1, name).toBeGreaterThan(0.75)
  })
})
