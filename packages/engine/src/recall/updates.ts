import { kinds } from '../contradiction/kinds.ts'
import { memo } from '../contradiction/memo.ts'
import { isSameStem, withoutProclitic } from '../contradiction/stems.ts'
import { readTokens } from '../contradiction/tokens.ts'
import { hasForm, type Lexicon, lexiconOf, namesAmong, scoreLanguages } from '../contradiction/words.ts'
import { isOfAsking } from '../explain/asking.ts'
import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { type ChangeWords, changeWords } from './change-words.ts'
import { asksQuestion } from './question.ts'
import { timeWords } from './time-words.ts'
import { oneWord, spaceless } from './word-set.ts'

const { updateCosine, updateScore, movedCosine, movedScore } = parameters.recall
const { updateNear, updateAlike, updateCharacters, updateGrams } = parameters.recall

/** A text beside a query. */
interface Found {
  text: string
  cosine: number
  score?: number
}

/** How texts that say of a change are told, and which of two is the newer. */
interface Telling<One> {
  /** Whether a text says "now", or "no longer". */
  isNow: (one: One) => boolean
  isLater: (one: One, other: One) => boolean
}

/**
 * Puts what says that something has changed before what tells how it was: "Changed the wifi password to cedar-41" before "The wifi
 * password is maple-88", though the older is nearer to the query. Not where the query asks about what was.
 * @param texts best first
 */
export function updatesFirst<One extends Found>(
  texts: readonly One[],
  query: string,
  { isNow, isLater }: Telling<One>,
): One[] {
  const arranged = [...texts]
  const isAbove = (older: One, one: One): boolean =>
    isLater(one, older) && isShort(older) && isNear(distanceOf(one, older))
  const updates = texts.filter(
    (one, at) =>
      isShort(one) &&
      texts.slice(0, at).some((older) => isAbove(older, one)) &&
      (isNow(one) || anyChange.test(one.text) || anyFresh.test(one.text)),
  )
  const asked = updates.length === 0 ? undefined : askedBy(query)
  if (asked === undefined) return arranged
  const reads = new Map<string, Read>()
  const read = (text: string): Read => {
    const known = reads.get(text) ?? readText(text)
    reads.set(text, known)
    return known
  }
  // The oldest first, so that of several changes the newest comes first.
  for (const one of updates.sort((a, b) => (isLater(a, b) ? 1 : -1))) {
    const change = changeIn(one.text, isNow(one))
    if (change === undefined) continue
    const from = arranged.indexOf(one)
    const to = arranged
      .slice(0, from)
      .findIndex(
        (older) => isAbove(older, one) && updatesIt(change, read(older.text), asked, distanceOf(one, older)),
      )
    if (to < 0) continue
    arranged.splice(from, 1)
    arranged.splice(to, 0, one)
  }
  return arranged
}

const isShort = ({ text }: Found): boolean => text.length <= updateCharacters && !asksQuestion(text)

/** By how much the cosine and the score of a newer text are behind those of an older one. */
interface Distance {
  apart: number
  behind: number
}
const distanceOf = (newer: Found, older: Found): Distance => ({
  apart: older.cosine - newer.cosine,
  behind: (older.score ?? 0) - (newer.score ?? 0),
})
const isNear = ({ apart, behind }: Distance): boolean => apart <= movedCosine && behind <= movedScore

/** What is looked at of a text. */
interface Read {
  text: string
  /** Languages that it may be in, the likeliest first. */
  lexicons: readonly Lexicon[]
  content: readonly string[]
}

/** What a query asks about. */
interface Asked extends Read {
  names: readonly string[]
  lives: boolean
  works: boolean
}

/** Undefined where it asks about what was. */
function askedBy(text: string): Asked | undefined {
  const read = readText(text)
  if (!again.test(text) && read.lexicons.some(({ code }) => rowOf(code)?.past?.test(text))) return undefined
  return {
    ...read,
    names: [...namesAmong(readTokens(text).tokens)],
    lives: anyLives.test(text) && !otherAddress.test(text),
    works: anyWorks.test(text),
  }
}

/** "What was it again?" asks about today. */
const again = /(?<!\p{L})(?:again|déjà|noch ?mal|wieder|otra vez|di nuovo|mesmo|ook alweer)(?!\p{L})|っけ/iu
/** An address where nobody lives. */
const otherAddress = /mail|correo|почт|пошт|邮|郵|メール|이메일|메일|بريد|מייל|\bip\b|url/iu

/** What a text says of a change. */
interface Change extends Read {
  /** What finds words in it for others than oneself. */
  others: readonly RegExp[]
  /** Whether another word than that for new says so. */
  isChanged: boolean
  isEnded: boolean
  /** Whether someone has moved house; whether the one who says so has, or has other work. */
  moved: boolean
  selfMoved: boolean
  selfWorks: boolean
  fresh: readonly RegExp[]
}

/** Undefined where a text tells of no change, is unsure whether there is one, or tells of something besides what was. */
function changeIn(text: string, isNow: boolean): Change | undefined {
  const read = readText(text)
  const codes = read.lexicons.map(({ code }) => code)
  const said = codes.filter((code) => {
    const row = rowOf(code)
    return row !== undefined && [row.changed, row.ended, row.fresh].some((pattern) => pattern.test(text))
  })
  if (said.length === 0 && !isNow) return undefined
  const likely = new Set(said.length > 0 ? [...said, ...codes.slice(0, 1)] : codes)
  const isDoubtful = rowsOf(likely).some(({ added, unsure }) => added?.test(text) || unsure?.test(text))
  if (isDoubtful) return undefined
  const telling = rowsOf(said)
  const bySelf = telling.filter(({ self }) => self?.test(text))
  return {
    ...read,
    others: othersIn(text, likely),
    isChanged: isNow || telling.some(({ changed, ended }) => changed.test(text) || ended.test(text)),
    isEnded: telling.some(({ ended }) => ended.test(text)),
    moved: telling.some(({ moved }) => moved?.test(text)),
    selfMoved: bySelf.some(({ moved }) => moved?.test(text)),
    selfWorks: bySelf.some(({ newWork }) => newWork?.test(text)),
    fresh: telling.map(({ fresh }) => fresh),
  }
}

const othersIn = (text: string, codes: Iterable<string>): RegExp[] =>
  [...codes].flatMap((code) => {
    const { any, each } = othersOf(code)
    return any.test(text) ? each.filter((pattern) => pattern.test(text)) : []
  })

/** Whether a newer text tells of a change of what the older one tells and the query asks about. */
function updatesIt(change: Change, older: Read, asked: Asked, { apart, behind }: Distance): boolean {
  if (isOfOthers(change, older, asked)) return false
  // "We've moved to Hull" has no word of "Where do I live?".
  const hasMoved = change.selfMoved || (change.moved && asked.names.length > 0)
  const isMove =
    (asked.lives && hasMoved && anyHome.test(older.text)) ||
    (asked.works && change.selfWorks && anyWork.test(older.text))
  if (isMove) return asked.names.every((name) => fold(change.text).includes(name))
  if (apart > updateCosine || behind > updateScore) return false
  return haveValuesAlike(change, older, apart) && isAbout(change, older, asked, apart)
}

/** Whether a newer text has the words of the older one that the query asks about, or tells that its value is none any more. */
function isAbout(change: Change, { text: older, content: old }: Read, asked: Asked, apart: number): boolean {
  const about = asked.content.filter((word) => isAmong(word, old))
  const own = asked.content.filter((word) => isAmong(word, change.content))
  const shared = about.filter((word) => own.includes(word)).length
  const least = isSpaceless(asked.text) ? updateGrams : 1
  // Of a name alone there is much to tell.
  const isNameAlone = own.every((word) => asked.names.includes(word))
  const namedNear = /\p{Nd}/u.test(older) ? 2 * updateNear : updateNear
  const isSame =
    (shared > 0 && shared >= least * about.length && (!isNameAlone || apart <= namedNear)) ||
    (!isNameAlone && own.length >= about.length && apart <= updateAlike) ||
    (!isNameAlone && shared > 0 && 2 * shared >= about.length && apart <= updateNear)
  const known = { asked: asked.content, old }
  if (isSame)
    return (
      (change.isChanged || isFresh(change, own)) && !isModified(change, known) && !changesOther(change, known)
    )
  return change.isEnded && old.some((word) => !isAmong(word, asked.content) && change.content.includes(word))
}

/** Whether a text is about someone, or an animal, that neither the older one nor the query names: "My brother has moved to Hull". */
const isOfOthers = ({ others }: Change, older: Read, asked: Asked): boolean =>
  others.some((pattern) => !pattern.test(`${older.text}\n${asked.text}`))

/**
 * Whether a newer text has a number, a date or a name where the older one has, no other name beside a number, and the names that
 * both have in one order.
 */
function haveValuesAlike({ text: newer, lexicons }: Read, { text: older }: Read, apart: number): boolean {
  const [isOfNewer, isOfOlder] = [hasNumber(newer) || hasDate(newer), hasNumber(older) || hasDate(older)]
  if (isOfOlder && !isOfNewer) return false
  const [own, others] = [newer, older].map((text) =>
    [...namesAmong(readTokens(text).tokens)].filter((name) => !hasDate(name)),
  ) as [string[], string[]]
  const [both, bothInOlder] = [
    own.filter((name) => others.includes(name)),
    others.filter((name) => own.includes(name)),
  ]
  // Nouns of German have capitals too.
  const isGerman = lexicons[0]?.code === 'de'
  if (!isGerman && both.join(' ') !== bothInOlder.join(' ')) return false
  if (isOfOlder) return isGerman || both.length === Math.min(own.length, others.length)
  const isDay = weekday.test(newer) && apart > updateNear / 2
  return !isDay && (isGerman || !hasName(older) || hasName(newer))
}

const hasNumber = (text: string): boolean =>
  /(?<![\p{L}\p{N}])\p{Nd}[\p{Nd}.,:/]*(?![a-z]|\p{Nd})|[一二三四五六七八九十百千万]/iu.test(
    text.replaceAll(hanWeekday, ''),
  )
const hasDate = (text: string): boolean => date.test(text) || weekday.test(text)
const hasName = (text: string): boolean =>
  readTokens(text).tokens.some(
    ({ raw, isFirst, kind }) => kind === 'number' || (!isFirst && raw !== 'I' && /^\p{Lu}/u.test(raw)),
  )

/** Words that are known of what is asked about: those of the query, and those of the older text. */
interface KnownWords {
  asked: readonly string[]
  old: readonly string[]
}
const isKnown = (word: string, { asked, old }: KnownWords): boolean =>
  isAmong(fold(word), asked) || isAmong(fold(word), old)

/** Whether the word for new stands beside a word that is asked about. */
const isFresh = ({ text, fresh }: Change, own: readonly string[]): boolean =>
  fresh.some((pattern) => {
    const found = pattern.exec(text)
    if (found === null) return false
    const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
    if (isSpaceless(text)) return gramsIn(after.slice(0, 12)).some((gram) => own.includes(gram))
    const beside = [...(after.match(oneWord) ?? []).slice(0, 3), ...(before.match(oneWord) ?? []).slice(-1)]
    return beside.some((word) => isAmong(fold(word), own))
  })

/** Whether what is said to change is another thing than what is known: "changed the tyres of the car". */
function changesOther({ text, lexicons }: Change, known: KnownWords): boolean {
  const found = anyChanged.exec(text)
  // Behind "changed to" stands the value.
  if (found === null || /\s/u.test(found[0])) return false
  const after = /^[^,.;:!?，。；]*/u.exec(text.slice(found.index + found[0].length))?.[0] ?? ''
  if (isSpaceless(text)) {
    const grams = gramsIn(after)
    return /^[换換]了?$/u.test(found[0]) && grams.length > 0 && !grams.some((gram) => isKnown(gram, known))
  }
  const isDeterminer = (word: string) =>
    lexicons.some(({ determiners }) => hasForm(` ${fold(word)} `, determiners))
  const next = (after.match(oneWord) ?? []).find((word) => !isDeterminer(word) && !anyFresh.test(word))
  return next !== undefined && tellsWhich(next, lexicons) && !isKnown(next, known)
}

/** Whether a word that is asked about has another beside it that tells of which one it is: guest wifi, launch party. */
function isModified({ text, lexicons }: Change, known: KnownWords): boolean {
  if (isSpaceless(text))
    return [...text.matchAll(owned)].some(([, owner, thing]) => {
      const grams = gramsIn(owner as string)
      const isAsked = gramsIn(thing as string).some((gram) => known.asked.includes(gram))
      return isAsked && grams.length > 0 && !grams.some((gram) => isKnown(gram, known))
    })
  const words = text.match(oneWord) ?? []
  const isOther = (word: string | undefined) =>
    word !== undefined && tellsWhich(word, lexicons) && !isKnown(word, known)
  const isEnglish = lexicons[0]?.code === 'en'
  return words.some((word, i) => {
    if (word.length < 3 || !isAmong(fold(word), known.asked)) return false
    // Behind a noun of English stands another, or a verb.
    const isNoun =
      !/(?:s|ed)$/u.test(words[i + 1] ?? '') &&
      anyChange.exec(words.slice(i + 1, i + 4).join(' '))?.index !== 0
    return (i > 1 && isOther(words[i - 1])) || (isEnglish && isNoun && isOther(words[i + 1]))
  })
}

/** What something belongs to, and what it is, in Chinese and Japanese. */
const owned = /([\p{sc=Han}\p{sc=Katakana}ー\p{sc=Latin}]+)[の的](?=([\p{sc=Han}\p{sc=Katakana}ー]{2,4}))/gu

/** Whether a word may tell of which thing a text is. */
const tellsWhich = (word: string, lexicons: readonly Lexicon[]): boolean =>
  /^\p{Ll}{4,}$/u.test(word) &&
  !isCommon(fold(word), lexicons) &&
  !anyChange.test(word) &&
  !anyFresh.test(word)

function readText(text: string): Read {
  const scores = [...scoreLanguages(readTokens(text))]
  const most = Math.max(...scores.map(([, score]) => score))
  // Few words often tell a wrong one.
  const likely = scores.filter(([, score]) => score >= most / 2).sort((a, b) => b[1] - a[1])
  const lexicons = likely.map(([code]) => lexiconOf(code))
  return { text, lexicons, content: contentOf(text, lexicons) }
}

/** The folded words of a text that say what it is about; where words are not set apart, pairs of characters. */
function contentOf(text: string, lexicons: readonly Lexicon[]): string[] {
  const words = (fold(text).match(run) ?? []).flatMap((word) =>
    isSpaceless(word) ? gramsOf(word) : isContent(word) && !isCommon(word, lexicons) ? [word] : [],
  )
  return [...new Set(words)]
}
const gramsIn = (text: string): string[] => contentOf(text, [])

const isCommon = (word: string, lexicons: readonly Lexicon[]): boolean =>
  lexicons.some(({ common, determiners }) => common.has(word) || hasForm(` ${word} `, determiners))

const isContent = (word: string): boolean =>
  /\p{Nd}/u.test(word) ||
  (!isOfAsking(word) && !light.test(word) && word.length >= (/\p{sc=Latin}/u.test(word) ? 3 : 2))
/** Having and costing, of which a change need not tell. */
const light =
  /^(?:cost\p{L}*|prices?|pays?|coute\p{L}*|prix|kost\p{L}*|betragt|cuesta\p{L}*|custa\p{L}*|kosztuje|стоит|коштує|stoji|kerul|maksaa|tenemos|tiene|temos|avem|haben|abbiamo|avons|mamy|mame|have|been|שלנו|שלי|לנו|عندنا|لدينا)$/u

const run = new RegExp(`[${spaceless}]+|[[\\p{L}\\p{N}\\p{M}]--[${spaceless}]]+`, 'gv')
const firstSpaceless = new RegExp(`^[${spaceless}]|\\p{sc=Han}`, 'u')
const isSpaceless = (text: string): boolean => firstSpaceless.test(text)

/** Characters that are a particle, a pronoun or ask. */
const particle = /[在是的了はがをにでもとのすまし我们們几哪什么谁]/u
function gramsOf(word: string): string[] {
  const letters = Array.from(word)
  // Syllables of Thai have several.
  const length = /\p{sc=Thai}/u.test(word) ? 4 : 2
  const isKana = /^\p{sc=Hiragana}+$/u.test(word)
  return letters
    .slice(length - 1)
    .map((_, i) => letters.slice(i, i + length).join(''))
    .filter((gram) => !particle.test(gram) && (isKana || !/\p{sc=Hiragana}/u.test(gram)))
}

const isAmong = (word: string, others: readonly string[]): boolean =>
  others.some((other) => areForms(word, other))

/** Whether two folded words may be forms of one, or one a part of the other: Strom, Stromabschlag. */
function areForms(one: string, other: string): boolean {
  if (one === other) return true
  if (/\p{Nd}/u.test(one + other) || isSpaceless(one)) return false
  if (!/\p{sc=Latin}|\p{sc=Cyrillic}|\p{sc=Greek}/u.test(one)) {
    const [begin, otherBegin] = [one, other].map((word) => withoutProclitic(word).slice(0, 2))
    return begin === otherBegin && isSameStem(one, other)
  }
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length >= 5 && (long.startsWith(short) || long.endsWith(short))) return true
  let shared = 0
  while (shared < short.length && short[shared] === long[shared]) shared++
  if (long.length - shared > 4) return false
  if (shared === short.length) return short.length > 3 || long.length - shared === 1
  const isVowel = shared === short.length - 1 && /[aeiouyаеиоуыяью]$/u.test(short)
  return (shared >= 4 && shared >= short.length - 3) || (shared >= 3 && isVowel)
}

type Field = Exclude<keyof ChangeWords, 'joined'>
type Row = Readonly<Record<'changed' | 'fresh' | 'ended', RegExp>> & Readonly<Partial<Record<Field, RegExp>>>

const letters = String.raw`[\p{L}\p{N}\p{M}]`
const sourceOf = (words: string, isJoined: boolean): string =>
  isJoined
    ? `(?:${words})`
    : `(?<!${letters})(?:${words.replaceAll('*', String.raw`[\p{L}\p{M}]*`).replaceAll("'", "['’]").replaceAll(' ', String.raw`\s+`)})(?!${letters})`
const patternOf = (words: string, code: string): RegExp =>
  new RegExp(sourceOf(words, changeWords[code]?.joined === true), 'iu')

const rowOf = memo((code: string): Row | undefined => {
  const { joined: _, ...words } = changeWords[code] ?? {}
  const fields = Object.entries(words)
  if (fields.length === 0) return undefined
  return Object.fromEntries(fields.map(([field, list]) => [field, patternOf(list, code)])) as Row
})
const rowsOf = (codes: Iterable<string>): Row[] => [...codes].flatMap((code) => rowOf(code) ?? [])

/** Finds the words of some fields in whatever language. */
function anyOf(...fields: Field[]): RegExp {
  const sources = [false, true].map((isJoined) => {
    const rows = Object.values(changeWords).filter(({ joined }) => (joined === true) === isJoined)
    return sourceOf(rows.flatMap((row) => fields.flatMap((field) => row[field] ?? [])).join('|'), isJoined)
  })
  return new RegExp(sources.join('|'), 'iu')
}
const anyChange = anyOf('changed', 'ended')
const anyChanged = anyOf('changed')
const anyFresh = anyOf('fresh')
const anyLives = anyOf('lives')
const anyWorks = anyOf('works')
const anyHome = anyOf('lives', 'moved')
const anyWork = anyOf('works', 'newWork')

/** Finds others than oneself, relatives and animals: any of them, and each kind. "Frau" before a name is a title. */
const othersOf = memo((code: string): { any: RegExp; each: RegExp[] } => {
  const groups = (kinds[code] ?? '').replace(/(?<=~)frau(?=\|)/u, String.raw`frau(?! \p{Lu})`)
  const words = [
    changeWords[code]?.others ?? '',
    ...groups
      .split(';')
      .slice(0, 2)
      .flatMap((group) => group.split('~')),
  ].filter((each) => each !== '')
  return { any: patternOf(words.join('|'), code), each: words.map((each) => patternOf(each, code)) }
})

const hanWeekday = /(?:星期|礼拜|[周週])[一二三四五六日天]|[月火水木金土日]曜/gu
const namesOfDays = timeWords.flatMap(({ spaceless: isJoined, weekdays }) =>
  isJoined === true ? weekdays.filter((name) => name.endsWith('요일')) : weekdays,
)
const namesOfMonths = timeWords.flatMap(({ spaceless: isJoined, months }) => (isJoined ? [] : months))
const wholeNames = (names: readonly string[]): string =>
  String.raw`(?<!\p{L})(?:${names.join('|')})(?:s|\p{sc=Hangul}*)(?!\p{L})`
const weekday = new RegExp(`${wholeNames(namesOfDays)}|${hanWeekday.source}`, 'iu')
const date = new RegExp(wholeNames(namesOfMonths), 'iu')
