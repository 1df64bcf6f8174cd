import type { Reading, Token } from './tokens.ts'
import { hasForm, type Lexicon, withoutForms, wordsOf } from './words.ts'

/** A text of which the language is known. */
export interface Worded {
  readonly reading: Reading
  readonly lexicon: Lexicon
}

/** Whether one text says no where the other says yes, or names the opposite of what the other names. */
export function comparePolarity(one: Worded, other: Worded): 'negation' | 'opposite' | undefined {
  const isNegated = says(one) !== says(other)
  const isOpposite = one.lexicon === other.lexicon && namesOpposite(one, other)
  // "Not allowed" is "forbidden".
  if (isNegated) return isOpposite ? undefined : 'negation'
  if (isOpposite) return 'opposite'
  return deniesOtherThings(one, other) ? 'negation' : undefined
}

/** Whether a text says no. */
function says({ reading, lexicon }: Worded): boolean {
  const words = withoutForms(wordsOf(reading, lexicon), lexicon.affirmations, lexicon)
  return hasForm(words, lexicon.negations, lexicon)
}

function namesOpposite(one: Worded, other: Worded): boolean {
  const { lexicon } = one
  const [words = '', otherWords = ''] = [one, other].map(({ reading }) =>
    withoutForms(wordsOf(reading, lexicon), lexicon.affirmations, lexicon),
  )
  const isInGroup = lexicon.opposites.some((group) => {
    const has = group.map((forms) => hasForm(words, forms, lexicon))
    const otherHas = group.map((forms) => hasForm(otherWords, forms, lexicon))
    return has.some((is, i) => is && !otherHas[i]) && otherHas.some((is, i) => is && !has[i])
  })
  return isInGroup || differInPrefix(one.reading.tokens, other.reading.tokens)
}

/** What makes the opposite of a word, in front of it. */
const prefixes = ['un', 'in', 'im', 'il', 'ir', 'dis', 'non', 'des', 'ne', 'nie', 'не', 'бес', 'без', 'ना', 'अ', 'αν', 'α', '비', '불', '무', '미']
/** Shorter words come of another word by chance. */
const leastPrefixed = 4

function differInPrefix(one: readonly Token[], other: readonly Token[]): boolean {
  const keys = new Set(one.map(({ key }) => key))
  const otherKeys = new Set(other.map(({ key }) => key))
  const left = [...keys].filter((key) => !otherKeys.has(key))
  const right = [...otherKeys].filter((key) => !keys.has(key))
  const isPrefixed = (long: string, short: string) =>
    (short.length >= leastPrefixed || !/^[a-z]/.test(short)) &&
    short.length >= 2 &&
    prefixes.some((prefix) => long === prefix + short)
  return left.some((a) => right.some((b) => isPrefixed(a, b) || isPrefixed(b, a)))
}

/** Whether both deny something, in the same words, but not the same: "no meat but fish", "no fish but meat". */
function deniesOtherThings(one: Worded, other: Worded): boolean {
  if (one.lexicon.isDense || one.lexicon !== other.lexicon) return false
  const [keys, otherKeys] = [one, other].map(({ reading }) => reading.tokens.map(({ key }) => key))
  if (keys?.toSorted().join(' ') !== otherKeys?.toSorted().join(' ')) return false
  const [denied, otherDenied] = [deniedBy(one), deniedBy(other)]
  return denied !== undefined && otherDenied !== undefined && denied !== otherDenied
}

/** The word after the first that says no. */
function deniedBy({ reading: { tokens }, lexicon }: Worded): string | undefined {
  const at = tokens.findIndex(({ key }) => hasForm(` ${key} `, lexicon.negations, lexicon))
  return at < 0 ? undefined : tokens[at + 1]?.key
}
