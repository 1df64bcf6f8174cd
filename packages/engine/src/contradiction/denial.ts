import { saysNo, spokenNegations } from './polarity.ts'
import { isSameStem } from './stems.ts'
import type { Reading, Token } from './tokens.ts'
import { type Form, hasForm, keyIn, type Lexicon, lexiconsFor, scoreLanguages } from './words.ts'

/** Most words that either text has alone, when they say the same but for a word that says no. */
const mostOwn = 6

/** A text, and one that says no, with the words that each has alone. */
interface Denial {
  readonly stated: Reading
  readonly denied: Reading
  readonly lost: readonly Token[]
  readonly gained: readonly Token[]
}

/**
 * Whether two texts say the same but for words that say no in one of them. The words by which they differ decide: in a short
 * sentence the others seldom tell the language, so those of all languages of its script are looked for.
 */
export function isDenial(one: Reading, other: Reading): boolean {
  const [own, otherOwn] = [wordsBeyond(one, other), wordsBeyond(other, one)]
  if (own.length > mostOwn || otherOwn.length > mostOwn || own.length === one.tokens.length) return false
  return (
    denies({ stated: one, denied: other, lost: own, gained: otherOwn }) ||
    denies({ stated: other, denied: one, lost: otherOwn, gained: own })
  )
}

/** The words of a text that another has not, or not as often. */
export function wordsBeyond({ tokens }: Reading, other: Reading): Token[] {
  const counts = new Map<string, number>()
  for (const { lower } of other.tokens) counts.set(lower, (counts.get(lower) ?? 0) + 1)
  return tokens.filter(({ lower }) => {
    const count = counts.get(lower) ?? 0
    counts.set(lower, count - 1)
    return count <= 0
  })
}

function denies(denial: Denial): boolean {
  const { stated, denied, lost, gained } = denial
  if (gained.length === 0) return false
  const lexicons = lexiconsFor(`${stated.text} ${denied.text}`)
  const isNo = (token: Token) =>
    lexicons.some((lexicon) => formOf(token, lexicon) !== undefined) && !isOrdinary(token, lexicons)
  // Another word for no says no as well.
  if (lost.some(isNo)) return false
  return lexicons.some((lexicon) => !lexicon.isDense && deniesIn(lexicon, lexicons, denial))
}

/** The form of a word that says no in a language. */
const formOf = (token: Token, { code, negations }: Lexicon): Form | undefined =>
  negations.find((form) => hasForm(` ${keyIn(code, token)} `, [form]))

/** Whether a word is an everyday one of a language where it says no such thing. */
const isOrdinary = (token: Token, lexicons: readonly Lexicon[]): boolean =>
  lexicons.some((lexicon) => isOrdinaryIn(lexicon, token))

function isOrdinaryIn(lexicon: Lexicon, token: Token): boolean {
  const key = keyIn(lexicon.code, token)
  const { common, verbs, numbers, months } = lexicon
  const isKnown = common.has(key) || verbs.has(key) || numbers.has(key) || months.has(key)
  return isKnown && formOf(token, lexicon) === undefined
}

function deniesIn(lexicon: Lexicon, lexicons: readonly Lexicon[], denial: Denial): boolean {
  const { stated, denied, lost, gained } = denial
  const [spoken] = spokenNegations(denied, lexicon).filter((token) => gained.includes(token))
  if (saysNo(stated, lexicon) || !(saysNo(denied, lexicon) || spoken !== undefined)) return false
  const forms = new Map(gained.map((token) => [token, formOf(token, lexicon)]))
  const words = gained.filter((token) => token === spoken || forms.get(token) !== undefined)
  const isBeside = ({ key }: Token) => lexicon.besideNegations.has(key)
  const left = gained.filter(
    (token) => !isBeside(token) && token !== spoken && forms.get(token)?.at !== 'whole',
  )
  const missing: Token[] = []
  for (const token of lost) {
    const at = left.findIndex((each) => isFormOf(token, withoutPrefix(each, lexicon), forms.get(each)))
    if (at < 0) missing.push(token)
    else left.splice(at, 1)
  }
  const isSmall = (token: Token) =>
    lexicon.common.has(token.key) || hasForm(` ${token.key} `, lexicon.determiners)
  if (![...missing, ...left.filter((token) => forms.get(token)?.at !== 'beginning')].every(isSmall))
    return false
  const isSure = missing.length === 0 && ![...forms.values()].some((form) => form?.at === 'end')
  return isIn(lexicon, lexicons, denial, { words, isSure })
}

/**
 * Whether what two texts have besides the words that say no tells that they are in a language: more than of others, where it isn't
 * sure or where these words are everyday ones there; and more than of one in which no is said already.
 */
function isIn(
  lexicon: Lexicon,
  lexicons: readonly Lexicon[],
  { stated, gained }: Denial,
  { words, isSure }: { words: readonly Token[]; isSure: boolean },
): boolean {
  const rivals = lexicons.filter(
    (each) =>
      each !== lexicon &&
      (!isSure || saysNo(stated, each) || words.some((token) => isOrdinaryIn(each, token))),
  )
  if (rivals.length === 0) return true
  const tokens = [...stated.tokens, ...gained.filter((token) => !words.includes(token))]
  const scores = scoreLanguages({ text: stated.text, tokens })
  const score = scores.get(lexicon.code) ?? 0
  return rivals.every((rival) => score > (scores.get(rival.code) ?? 0))
}

/** Where verbs say no as well: "nikdy nepije". */
const withoutPrefix = (token: Token, { negativePrefix: prefix }: Lexicon): Token =>
  prefix !== undefined && token.key.startsWith(prefix)
    ? { ...token, key: token.key.slice(prefix.length) }
    : token

/** Whether a word that was stated is another form of one beside a "no", or of one that says no by its end. */
function isFormOf(stated: Token, denied: Token, form: Form | undefined): boolean {
  if (form?.at === 'end') {
    const stem = denied.key.slice(0, -form.text.length).replace(/[aeiouıü]$/u, '')
    return stem.length >= leastStem && stated.key.startsWith(stem)
  }
  // A syllable of Hangul holds the letters of a whole stem.
  const [syllable, other] = [stated, denied].map(({ lower }) => lower.normalize('NFD').slice(0, 2))
  if (/\p{Script=Hangul}/u.test(stated.lower)) return syllable === other
  return isSameStem(stated.key, denied.key)
}
const leastStem = 2
