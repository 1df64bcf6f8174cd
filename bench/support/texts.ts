import { randomFrom } from './random.ts'

/**
 * Facts as people tell them to an assistant, in three lengths, made from word lists by a seeded generator, so
 * that a run needs no data and every run has the same texts.
 */
export type Length = 'short' | 'medium' | 'long'

export const lengths: readonly Length[] = ['short', 'medium', 'long']

const people = [
  ...['Ana', 'Ben', 'Chloé', 'Dmitri', 'Elena', 'Farid', 'Grace', 'Hiro', 'Ines', 'Jonas', 'Kavya', 'Liam'],
  ...['Marta', 'Nils', 'Olga', 'Pedro', 'Quentin', 'Rosa', 'Samir', 'Tessa', 'Ugo', 'Vera', 'Wei', 'Yusuf'],
]
const habits = [
  ...['prefers', 'collects', 'recommends', 'is allergic to', 'cannot stand', 'has started selling'],
  ...['always brings', 'used to teach about', 'writes a column about', 'wants to learn more about'],
  ...[
    'gave up',
    'dreams of',
    'talks about',
    'saves up for',
    'never lends out',
    'reviews',
    'sketches',
    'bought',
  ],
]
const things = [
  ...[
    'green tea',
    'window seats',
    'old bicycles',
    'peanuts',
    'jazz records',
    'sourdough bread',
    'board games',
  ],
  ...['night trains', 'cherry trees', 'detective novels', 'wool sweaters', 'mountain huts', 'film cameras'],
  ...[
    'silver rings',
    'rain coats',
    'oat biscuits',
    'city trams',
    'clay pots',
    'spring onions',
    'chess clocks',
  ],
  ...[
    'spicy soups',
    'paper maps',
    'morning swims',
    'street markets',
    'fountain pens',
    'stray cats',
    'tax law',
  ],
]
const places = [
  ...['Lisbon', 'Lyon', 'Kraków', 'Nairobi', 'Osaka', 'Montréal', 'Tallinn', 'Porto', 'Ghent', 'Chennai'],
  ...['Valparaíso', 'Trieste', 'Bergen', 'Dakar', 'Hobart', 'Leipzig', 'Puebla', 'Riga', 'Split', 'Zürich'],
]
const times = [
  ...[
    'on Monday morning',
    'last spring',
    'two weeks ago',
    'before the move',
    'in early March',
    'after the exams',
  ],
  ...['on the 14th of July', 'during the long rain', 'right after lunch', 'the year the bridge was closed'],
]
const reasons = [
  'because the doctor had asked for it',
  'since the old flat had become too small',
  'although the budget was already spent',
  'so that the children could walk to school',
  'because a colleague had been so enthusiastic',
  'even if nobody else in the family agreed',
  'while the office was being repainted',
  'after a long talk with the neighbours',
]
/** An endless source of texts, none of which it gives twice. */
export class TextSource {
  readonly #random: () => number
  readonly #given = new Set<string>()

  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }

  /** About 10 tokens, 30 tokens, or 200 words. */
  next(length: Length): string {
    for (;;) {
      const text = this.#compose(length)
      if (this.#given.has(text)) continue
      this.#given.add(text)
      return text
    }
  }

  take(length: Length, count: number): string[] {
    return Array.from({ length: count }, () => this.next(length))
  }

  #compose(length: Length): string {
    if (length === 'short') return `${this.#pick(people)} ${this.#pick(habits)} ${this.#pick(things)}.`
    if (length === 'medium') return this.#sentence()
    const sentences: string[] = []
    for (let words = 0; words < 200; words += sentences.at(-1)?.split(' ').length ?? 0) {
      sentences.push(this.#sentence())
    }
    return sentences.join(' ')
  }

  #sentence(): string {
    const [person, habit, thing] = [this.#pick(people), this.#pick(habits), this.#pick(things)]
    const [place, time] = [this.#pick(places), this.#pick(times)]
    return `${person} went to ${place} ${time} ${this.#pick(reasons)}, and ${habit} ${thing}.`
  }

  #pick(list: readonly string[]): string {
    return list[Math.floor(this.#random() * list.length)] as string
  }
}
