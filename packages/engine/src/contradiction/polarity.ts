import { differInAffix } from './affixes.ts'
import { isLacking } from './free-of.ts'
import { excludeIn } from './in-place.ts'
import { isHeading } from './names.ts'
import { goesOn, type Refusal, refusalIn } from './quits.ts'
import { saysNoAlike } from './says-no-alike.ts'
import { type Reading, readTokens, type Token } from './tokens.ts'
import {
  excludeEachOther,
  type Forms,
  hasForm,
  keyIn,
  type Lexicon,
  namesAmong,
  type Worded,
  withoutForms,
  wordsOf,
} from './words.ts'

/** Whether one text says no where the other says yes, or names the opposite of what the other names. */
export function comparePolarity(one: Worded, other: Worded): 'negation' | 'opposite' | undefined {
  const opposites = one.lexicon === other.lexicon ? oppositesIn(one, other) : []
  // What is forbidden is not denied as well: that word says no by itself.
  const [refusal, otherRefusal] = [refusalOf(one, opposites), refusalOf(other, opposites)]
  const isNegated = (refusal === undefined) !== (otherRefusal === undefined) && !mayBothDeny(one, other)
  const isOpposite = opposites.length > 0 || differInAffix(one, other)
  // "Not allowed" is "forbidden".
  if (isNegated) {
    const isDenied = denies(refusal, one.lexicon, other) && denies(otherRefusal, other.lexicon, one)
    const [stating, refusing] = refusal === undefined ? [one, other] : [other, one]
    const isAlike =
      saysNoAlike(stating, refusing) || isLacking(stating, refusing) || deniesWhatExcludes(stating, refusing)
    return isDenied && !isOpposite && !isAlike ? 'negation' : undefined
  }
  if (isOpposite) return 'opposite'
  return deniesOtherThings(one, other) ? 'negation' : undefined
}

/** Whether a text without its words that say no has a word that excludes one of another: not far is near. */
function deniesWhatExcludes(stating: Worded, { reading, lexicon }: Worded): boolean {
  const { code, isDense, negations } = lexicon
  const left = isDense
    ? readTokens(negations.reduce((text, no) => text.replaceAll(no.text, ''), reading.text))
    : { ...reading, tokens: reading.tokens.filter((token) => !hasForm(` ${keyIn(code, token)} `, negations)) }
  return left.tokens.length < reading.tokens.length && excludeIn(stating, { reading: left, lexicon })
}

/** Whether how one text says no, if it does, denies what another says: a verb such as "stop" denies only what it names. */
const denies = (refusal: Refusal | undefined, lexicon: Lexicon, { reading }: Worded): boolean =>
  refusal === undefined || refusal === 'word' || goesOn(refusal, wordsOf(reading, lexicon), lexicon)

/** How a text says no, in other words than some. */
function refusalOf({ reading, lexicon }: Worded, except: Forms): Refusal | undefined {
  // The Polish name Ania has a form that is a word for "nor" as well.
  const names = isHeading(reading.tokens) ? new Set() : namesAmong(reading.tokens)
  const isName = ({ raw, key }: Token) =>
    names.has(key) && /^\p{Lu}/u.test(raw) && hasForm(` ${key} `, lexicon.negations)
  const tokens = reading.tokens.filter((token) => !isName(token))
  const words = withoutForms(wordsOf({ tokens }, lexicon), except, lexicon)
  return refusalIn(words, lexicon)
}

/** Whether one text says no only if a word is taken so that says it in speech alone. */
const mayBothDeny = (one: Worded, other: Worded): boolean =>
  [one, other].some(({ reading, lexicon }) => spokenNegations(reading, lexicon).length > 0)

/** Words that say no in speech alone: "il vit plus ici"; before an adjective and the like they say more. */
export function spokenNegations({ tokens }: Reading, lexicon: Lexicon): Token[] {
  const { spokenNegations, common } = lexicon
  const words = withoutForms(wordsOf({ tokens }, lexicon), [], lexicon)
  return tokens.filter((token, at) => {
    const [verb, next] = [tokens[at - 1], tokens[at + 1]]
    if (!spokenNegations.has(token.key) || verb?.kind !== 'word' || common.has(verb.key)) return false
    return (next === undefined || common.has(next.key)) && words.includes(` ${token.key} `)
  })
}

/** Whether a text says no in a language. */
export const saysNo = (reading: Reading, lexicon: Lexicon): boolean =>
  refusalOf({ reading, lexicon }, []) !== undefined

/** The groups of words of which each text has one that the other lacks. */
function oppositesIn(one: Worded, other: Worded): Forms {
  const { lexicon } = one
  const [words = '', otherWords = ''] = [one, other].map(({ reading }) =>
    withoutForms(wordsOf(reading, lexicon), [], lexicon),
  )
  return lexicon.opposites.filter((group) => excludeEachOther(words, otherWords, group)).flat(2)
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
  const at = tokens.findIndex(({ key }) => hasForm(` ${key} `, lexicon.negations))
  return at < 0 ? undefined : tokens[at + 1]?.key
}
