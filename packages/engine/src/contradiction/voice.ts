import { isDeterminer, times } from './roles.ts'
import { isSameStem } from './stems.ts'
import type { Token } from './tokens.ts'
import type { Lexicon, Passive } from './words.ts'

/**
 * Whether one is in the passive, and who does it there has it done to it in the other: the cat was chased by the dog, and
 * the cat chased the dog.
 */
export function haveOtherVoice(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  const isTurned = lexicon?.isDense === true ? isTurnedDense : isTurnedActive
  return lexicon !== undefined && (isTurned(one, other, lexicon) || isTurned(other, one, lexicon))
}

/** Most words of the one who does it, and of the one to whom it is done, that are looked at. */
const nounWords = 3

/** Most words from the word of a passive to its verb, as in "was very often bought". */
const wordsToVerb = 3

/** Whether the active text has the two of a passive one in the same order, with the same verb. */
function isTurnedActive(passive: readonly Token[], active: readonly Token[], lexicon: Lexicon): boolean {
  const parts = lexicon.passive === undefined ? undefined : partsOf(passive, lexicon.passive, lexicon)
  if (parts === undefined || active.some(({ key }) => lexicon.passive?.marks.has(key))) return false
  const placesOf = (words: readonly Token[]) =>
    words.map(({ key }) => active.findIndex((token) => token.key === key)).filter((at) => at >= 0)
  const [done, doer] = [placesOf(parts.done), placesOf(parts.doer)]
  // In Turkish the one who does it has another end as an object than in the passive.
  if (doer.length === 0 && lexicon.code === 'tr')
    doer.push(
      ...[...active.keys()].filter((i) =>
        parts.doer.some(({ key }) => isSameStem(key, active[i]?.key ?? '')),
      ),
    )
  const [last, first] = [Math.max(...done), Math.min(...doer)]
  if (done.length === 0 || doer.length === 0 || last >= first) return false
  if (!isSureToDo(active, { done, doer }, lexicon)) return false
  const verb = active.findIndex(
    ({ key }, i) => i > last && !doer.includes(i) && parts.verbs.some((each) => isSameVerb(key, each.key)),
  )
  const isPassive = active
    .slice(Math.max(0, verb - wordsToVerb), Math.max(0, verb))
    .some(({ key }) => lexicon.passive?.auxiliaries.has(key))
  if (verb < 0 || isObjectFirst(active.slice(last + 1, first + 1), verb - last - 1, lexicon)) return false
  if (isPassive && parts.verbs.some(({ key }) => key === active[verb]?.key)) return false
  // What stands between a verb and its object is at most an article: "passes by Rome" and "passes through Rome" are one.
  const lead = active
    .slice(verb + 1, first)
    .every((token) => isDeterminer(token, lexicon) || token.lower === 'a')
  return verb > first ? verbLast.has(lexicon.code) : lead
}

/** The one to whom it is done, the one who does it, and the words of which one is the verb, of a text in the passive. */
function partsOf(
  tokens: readonly Token[],
  { auxiliaries, marks, isBehind }: Passive,
  lexicon: Lexicon,
): { done: Token[]; doer: Token[]; verbs: Token[] } | undefined {
  const isNoun = (token: Token) =>
    token.kind === 'word' &&
    !lexicon.common.has(token.key) &&
    !times.has(token.key) &&
    !isDeterminer(token, lexicon)
  const mark = tokens.findIndex(({ key }) => marks.has(key))
  if (mark < 1) return undefined
  if (isBehind) {
    const doerAt = tokens.slice(0, mark).findLastIndex(isNoun)
    const [done, verbs] = [tokens.slice(0, Math.max(0, doerAt)).filter(isNoun), tokens.slice(mark + 1)]
    return { done: done.slice(-nounWords), doer: tokens.slice(doerAt, doerAt + 1), verbs }
  }
  const auxiliary = tokens.findIndex(({ key }, i) => i < mark && auxiliaries.has(key))
  if (auxiliary < 1) return undefined
  const rest = tokens.slice(mark + 1)
  const end = rest.findIndex((token) => !isNoun(token) && !isDeterminer(token, lexicon))
  const clause = rest.slice(0, end < 0 ? rest.length : end).filter(isNoun)
  // In German and Dutch the verb comes last.
  const isGermanic = lexicon.code === 'de' || lexicon.code === 'nl'
  const isVerb = ({ raw }: Token) => isGermanic && participle.test(raw)
  const between = tokens.slice(auxiliary + 1, mark)
  const verbs = isGermanic ? [...between, ...clause.slice(-1)].filter(isVerb) : between
  const done = tokens.slice(0, auxiliary).filter(isNoun).slice(-nounWords)
  return {
    // Without a noun it is the pronoun before the verb.
    done: done.length > 0 ? done : tokens.slice(auxiliary - 1, auxiliary),
    doer: clause.filter((token) => !isVerb(token)).slice(0, nounWords),
    // "Is sitting by the pool" is no passive.
    verbs: verbs.filter((token) => isNoun(token) && !(lexicon.code === 'en' && token.key.endsWith('ing'))),
  }
}

/** Where the verb may come last. */
const verbLast: ReadonlySet<string> = new Set(['de', 'nl', 'tr', 'hi'])
const participle = /^\p{Ll}*(?:ge|be|ver|ent|er|zer|ont|her)\p{Ll}+[tdn]$/u

/** Pronouns of Romance languages for what was named before, "la casa la compró Ana"; those of Portuguese are verbs in French. */
const objectPronouns = new Set('lo la los las l li le'.split(' '))
const portuguesePronouns = new Set('o a os as'.split(' '))

/**
 * Whether a pronoun between what comes first and the verb, one written with the verb, or a comma says that what comes first is
 * what something is done to.
 */
function isObjectFirst(between: readonly Token[], verb: number, { code }: Lexicon): boolean {
  const own = code === 'pt' ? portuguesePronouns : objectPronouns
  return between.some(({ key, isSetOff }, i) => isSetOff || (i < verb && own.has(key)))
}

/** Of Dutch, whose articles tell no case: of two of these the first is the one who does it. */
const dutchBeings = new Set('man vrouw jongen hond kat poes leeuw wolf beer vos slang'.split(' '))
/** Verbs of German whose object is in the dative, before which "der" stands too. */
const dativeVerb = /^(?:ge)?(?:h[aeio]lf|dank|gratul|kundig|folg|droh|antwort|glaub|gehor|dien|trau|schad)/

/**
 * Whether the first of the two in an active text is sure to be the one who does it. Where what it is done to may come first, an
 * article, an ending or a particle has to tell it.
 */
function isSureToDo(
  active: readonly Token[],
  { done, doer }: { readonly done: readonly number[]; readonly doer: readonly number[] },
  { code }: Lexicon,
): boolean {
  const [subject, object] = [Math.min(...done), Math.min(...doer)]
  if (code === 'de')
    return active[subject - 1]?.key === 'der' && !active.some(({ key }) => dativeVerb.test(key))
  if (code === 'nl') return [subject, object].every((at) => dutchBeings.has(active[at]?.key ?? ''))
  if (code === 'hi') return active[Math.max(...done) + 1]?.key === 'ने'
  // Behind "przez" stands the form of an object, which in many words is that of a subject too.
  if (code === 'pl') return doer.some((at) => active[at]?.lower.endsWith('ę'))
  return true
}

/** A verb but for its vowels, which change with the time: write, wrote, written. */
const skeletonOf = (verb: string): string =>
  verb.replace(/^ge(?=.{3})/, '').replaceAll(/[aeiouy]|(.)(?=\1)/g, '')

/** Whether two words may be forms of one verb. */
function isSameVerb(one: string, other: string): boolean {
  if (one.length < 3 || other.length < 3) return false
  if (isSameStem(one, other)) return true
  const isSameLetter = one.replace(/^ge/, '')[0] === other.replace(/^ge/, '')[0]
  const [short, long] = [skeletonOf(one), skeletonOf(other)].sort((a, b) => a.length - b.length)
  return isSameLetter && short !== undefined && short.length >= 2 && (long?.startsWith(short) ?? false)
}

/** Marks of the one who does it, by language: Chinese has it before, Japanese behind. */
const chinese = /被|遭到|遭/
const japanese = /(?:によって|に|から)(?=[^をにがは]{0,8}れ[たるてま])/g

/** As for other languages, where words are not set apart: with the same before, what comes after the first name says who does it. */
function isTurnedDense(passive: readonly Token[], active: readonly Token[], { code }: Lexicon): boolean {
  const [text, other] = [passive, active].map((tokens) => tokens.map(({ key }) => key).join('')) as [
    string,
    string,
  ]
  if (code === 'ja')
    return [...text.matchAll(japanese)].some(({ 0: mark, index }) => {
      const verb = text.slice(index + mark.length)
      const rest = other.slice(index + 1)
      return (
        other.slice(0, index + 1) === `${text.slice(0, index)}を` &&
        rest[0] === verb[0] &&
        !/れ[たるてま]/.test(rest)
      )
    })
  const [mark] = chinese.exec(text) ?? []
  if (code !== 'zh' || mark === undefined || chinese.test(other)) return false
  const at = text.indexOf(mark)
  const [rest, otherRest] = [text.slice(at + mark.length), other.slice(at)]
  if (at === 0 || !other.startsWith(text.slice(0, at))) return false
  // The one who does it comes before the verb there, and behind it here, unless a mark of the object is before it.
  if (otherRest === `把${rest}`) return true
  if (rest.length !== otherRest.length) return false
  let end = rest.length
  while (end > 0 && rest[end - 1] === otherRest[end - 1]) end--
  const [turned, otherTurned] = [rest.slice(0, end), otherRest.slice(0, end)]
  return end > 1 && (otherTurned + otherTurned).includes(turned)
}
