import { brandNames } from '../contradiction/known-names.ts'
import { memo } from '../contradiction/memo.ts'
import { isSameStem, sharedBeginning } from '../contradiction/stems.ts'
import { isWeekday, lexiconOf } from '../contradiction/words.ts'
import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { type HomeWords, homeWords, type ValueWords, valueWords } from './change-words.ts'
import { asksQuestion } from './question.ts'
import { timeWords } from './time-words.ts'
import { spaceless } from './word-set.ts'

const { updateCosine, updateScore, movedCosine, movedScore, updateCharacters } = parameters.recall

/** A text beside a query. */
interface Found {
  text: string
  cosine: number
  score?: number
}

/** How texts that say of a change are told, and which of two is the newer. */
interface Telling<One> {
  /** A text without its words for "now". */
  withoutNow: (one: One) => string
  isLater: (one: One, other: One) => boolean
}

/**
 * Puts what says that something has changed before what tells how it was: "Changed the wifi password to cedar-41" before "The wifi
 * password is maple-88", though the older is nearer to the query. Only where no word of the query or of the newer text leaves a
 * doubt, since a wrong answer that comes first is worse than an old one that does.
 * @param texts best first
 */
export function updatesFirst<One extends Found>(
  texts: readonly One[],
  query: string,
  { withoutNow, isLater }: Telling<One>,
): One[] {
  const arranged = [...texts]
  const short = texts.filter(isShort)
  const isAbove = (older: One, one: One): boolean => isLater(one, older) && short.includes(older)
  const updates = short.filter((one, at) => short.slice(0, at).some((older) => isLater(one, older)))
  if (updates.length === 0 || query.length > updateCharacters) return arranged
  const updatesIt = updatesFor(query)
  // The oldest first, so that of several changes the newest comes first.
  for (const one of updates.sort((a, b) => (isLater(a, b) ? 1 : -1))) {
    const from = arranged.indexOf(one)
    const plain = withoutNow(one)
    const to = arranged
      .slice(0, from)
      .findIndex((older) => isAbove(older, one) && updatesIt(one, older, plain))
    if (to < 0) continue
    arranged.splice(from, 1)
    arranged.splice(to, 0, one)
  }
  return arranged
}

const isShort = ({ text }: Found): boolean => text.length <= updateCharacters && !asksQuestion(text)

/** Tells whether a newer text has another value of what a query asks about than an older one, or another home. */
function updatesFor(query: string): (newer: Found, older: Found, withoutNow: string) => boolean {
  const homes = Object.keys(homeWords)
    .map(homeOf)
    .filter((home) => asksForHome(query, home))
  const isJoined = isSpaceless.test(query)
  const asked = wordsOf(query)
  const topics = languages.map((code) => topicOf(asked, code)).filter(({ words }) => words.length > 0)
  // Each text is compared with many.
  const known = new Map<string, string[]>()
  const words = (text: string): string[] => {
    const found = known.get(text) ?? wordsOf(text)
    known.set(text, found)
    return found
  }
  return (newer, older, withoutNow) => {
    const apart = older.cosine - newer.cosine
    const behind = (older.score ?? 0) - (newer.score ?? 0)
    if (apart > movedCosine || behind > movedScore) return false
    const isOfHome = (text: string, { lives, moved }: Home) => lives.test(text) || isNewHome(text, moved)
    if (homes.some((home) => isOfHome(older.text, home) && isNewHome(newer.text, home.moved))) return true
    if (apart > updateCosine || behind > updateScore) return false
    const texts = { query, older: older.text, newer: newer.text, withoutNow }
    const said = { older: words(older.text), newer: words(withoutNow), isNow: withoutNow !== newer.text }
    return (
      topics.some((topic) => hasNewValue(said, topic)) ||
      (isJoined && joinedLanguages.some((code) => hasNewJoinedValue(texts, code)))
    )
  }
}

interface Home {
  where: RegExp
  lives: RegExp
  moved: RegExp
}

const homeOf = memo((code: string): Home => {
  const { where, lives, moved, when } = homeWords[code] as HomeWords
  const begin = /^(?:zh|ja|ko)$/.test(code) ? '' : String.raw`(?<!\p{L})`
  return {
    where: new RegExp(`${begin}(?:${where})`, 'iu'),
    lives: new RegExp(`${begin}(?:${lives})`, 'iu'),
    moved: new RegExp(`^(?:${moved.replaceAll('@', place)})(?:[ ,]*(?:${when}))?[.!。！। ]*$`, 'iu'),
  }
})
const place = String.raw`(?<place>[\p{L}\p{M}ー]+?(?:[ -][\p{L}\p{M}]+?){0,2}?)`
/** With capitals, where the script has them. */
const isNamedPlace =
  /^(?:\p{Lu}[\p{Ll}\p{M}]+(?:[ -]\p{Lu}[\p{Ll}\p{M}]+){0,2}|[\p{sc=Han}\p{sc=Katakana}ー\p{sc=Hangul}]{2,6}|[\p{sc=Devanagari}\p{M}]{3,})$/u
const programs =
  'jira|notion|azure|kubernetes|docker|postgres|mysql|figma|confluence|terraform|asana|trello|react|svelte|jenkins|bitbucket|salesforce|shopify'
/** In English, and in companies that speak it. */
const departments =
  'management|sales|marketing|engineering|product|design|support|finance|accounting|operations|logistics|legal|consulting|procurement'
const dates = timeWords
  .flatMap(({ spaceless, weekdays, months }) => (spaceless ? [] : [...weekdays, ...months]))
  .join('|')
/** What one moves to within a house or a company, in a calendar, or from program to program. */
const noPlace = new RegExp(
  `^(?:${brandNames.replaceAll(/[\s/]+/g, '|')}|${programs}|${departments}|${dates})$|[楼樓边邊桌室房间間座云雲区區店家席階屋]|[층방옆]`,
  'iu',
)

/** Whether a query asks where whoever asks lives, and nothing else. */
const asksForHome = (query: string, { where, lives }: Home): boolean =>
  where.test(query) && lives.test(query) && !/\p{L}/u.test(query.replace(lives, '').replace(where, ''))

function isNewHome(text: string, moved: RegExp): boolean {
  const name = moved.exec(text)?.groups?.place
  return name !== undefined && isNamedPlace.test(name) && !noPlace.test(name)
}

/** What is compared for a value. */
interface Texts {
  query: string
  older: string
  newer: string
  withoutNow: string
}

const listOf = (words: string): string[] => words.split('|').map(fold)

interface Row {
  asks: ReadonlySet<string>
  changed: ReadonlySet<string>
  small: ReadonlySet<string>
  to: ReadonlySet<string>
}
const rowOf = memo((code: string): Row => {
  const { asks, changed, small, to } = valueWords[code] as ValueWords
  const [ofAsks, ofChanged, ofSmall, ofTo] = [asks, changed, small, to].map((words) => new Set(listOf(words)))
  return { asks: ofAsks, changed: ofChanged, small: ofSmall, to: ofTo } as Row
})

/** The languages whose words white space sets apart, and the others. */
const languages = Object.keys(valueWords).filter((code) => valueWords[code]?.joined !== true)
const isSpaceless = new RegExp(`[${spaceless}]`, 'v')
const joinedLanguages = Object.keys(valueWords).filter((code) => valueWords[code]?.joined === true)

/** What a query asks about, read as if it were in a language. */
interface Topic {
  code: string
  row: Row
  words: string[]
}

function topicOf(asked: readonly string[], code: string): Topic {
  const row = rowOf(code)
  return { code, row, words: asked.filter((word) => !row.asks.has(word)) }
}

/** The words of two texts. */
interface SaidWords {
  older: string[]
  newer: string[]
  /** Whether the newer one said "now" too. */
  isNow: boolean
}

/** Whether a newer text says in a language that what the query asks about has become another value of the older one's kind. */
function hasNewValue({ older, newer, isNow }: SaidWords, { code, row, words: topic }: Topic): boolean {
  // What was has other forms of verbs than what is.
  if (!topic.every((word) => older.includes(word)) || !topic.every((word) => isAmong(word, newer)))
    return false
  const [before, after] = [older, newer].map((words) => valueIn(words, code, topic))
  if (before === undefined || after === undefined || before.value === after.value) return false
  if (
    before.kind !== after.kind ||
    !isAmong(after.label, [before.label]) ||
    !isAmong(after.unit, [before.unit])
  )
    return false
  const known = [...older, ...topic]
  return (
    isReached(after, row) &&
    (isNow || after.rest.some((word) => row.changed.has(word))) &&
    after.rest.every((word) => row.changed.has(word) || row.small.has(word) || isAmong(word, known))
  )
}

/** Whether a value is what something has become, and not when, or by how much. */
function isReached({ kind, value, behind }: Value, { to }: Row): boolean {
  if (/\p{sc=Hangul}$/u.test(value)) return /(?<!유)로$|유로로$/u.test(value)
  return to.has(behind) && !(behind === 'на' && kind.startsWith('number'))
}

const word = /[\p{Sc}%°]|[\p{L}\p{M}\p{N}]+(?:[.,:/-][\p{L}\p{M}\p{N}]+)*/gu
const wordsOf = (text: string): string[] => fold(text).match(word) ?? []

/** A value in a text. */
interface Value {
  kind: string
  value: string
  /** A word before it that tells which one it is, "room 5", and what it is counted in; empty without. */
  label: string
  unit: string
  /** The word that it stands behind. */
  behind: string
  /** All other words. */
  rest: string[]
}

/** Undefined where a text has no value, or several. */
function valueIn(words: readonly string[], code: string, topic: readonly string[]): Value | undefined {
  const lexicon = lexiconOf(code)
  const isNumber = (each = '') => /\p{N}/u.test(each)
  const isMonth = (each: string, i: number) =>
    lexicon.months.has(each) && [-2, -1, 1].some((by) => isNumber(words[i + by]))
  const isDay = words.map((each, i) => isWeekday(each, lexicon) || isMonth(each, i))
  const isOf = words.map((each, i) => isDay[i] === true || isNumber(each))
  const [first, last] = [isOf.indexOf(true), isOf.lastIndexOf(true)]
  const own = words.slice(first, last + 1)
  if (first < 1 || own.some((each, i) => isOf[first + i] !== true && !/^(?:de|del|of|the)$/.test(each)))
    return undefined
  const { asks, changed, small, to } = rowOf(code)
  const tells = (each = '') =>
    !(asks.has(each) || changed.has(each) || small.has(each) || to.has(each) || isAmong(each, topic))
  const [label, unit] = [words[first - 1] as string, words[last + 1] ?? ''].map((each) =>
    tells(each) ? each : '',
  ) as [string, string]
  const counted = /^[\d.,]+(\p{sc=Hangul})/u.exec(own.at(-1) as string)?.[1] ?? ''
  const isDate = isDay.includes(true) || /[월일]/.test(counted) || own.some((each) => calendarDate.test(each))
  return {
    kind: isDate ? 'date' : `${kindOf(own, unit)} ${/[로은는이가을를야에]/.test(counted) ? '' : counted}`,
    value: own.join(' '),
    label,
    unit: isDate ? '' : unit,
    behind: words.slice(0, first - Number(label !== '')).findLast((each) => !article.test(each)) ?? '',
    rest: words.filter((_, i) => i < first - Number(label !== '') || i > last + Number(unit !== '')),
  }
}

const article = /^(?:the|den|der|las)$/
const calendarDate = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/
const hour = /^(?:[ap]m|uhr|h|heures?|uur|ore|godz|часов|часа)$/
const kindOf = (own: readonly string[], unit: string): string => {
  if (/^\d{1,2}(?::|h)\d\d$/.test(own[0] as string) || hour.test(unit)) return 'time'
  return own.some((each) => /(?!\p{sc=Hangul})\p{L}/u.test(each)) ? 'code' : 'number'
}

/** Whether one of others is a folded word, or a form of it. */
export const isAmong = (each: string, others: readonly string[]): boolean =>
  others.some((other) => areForms(each, other))

/** Whether two folded words are the same but for a short ending. */
function areForms(one: string, other: string): boolean {
  if (one === other) return true
  if (one.charCodeAt(0) !== other.charCodeAt(0) || /\p{N}/u.test(one + other)) return false
  if (/\p{sc=Hangul}/u.test(one)) return isSameStem(one, other)
  const shared = sharedBeginning(one, other)
  return shared >= 4 && Math.max(one.length, other.length) - shared <= 2
}

/** As `hasNewValue`, where words are not set apart. */
function hasNewJoinedValue({ query, older, newer }: Texts, code: string): boolean {
  const { asks, changed, small } = joinedOf(code)
  const topic = runsIn(query.replaceAll(asks, ' '))
  const isTold = topic.every((run) => older.includes(run) && newer.includes(run))
  if (!isTold || !topic.some((run) => run.length > 1)) return false
  const [before, after] = [older, newer].map(joinedValues) as [string[], string[]]
  const kinds = after.map(joinedKind).join(',')
  if (!/^(?:date|time|date,time|number[^,]*)$/.test(kinds) || kinds !== before.map(joinedKind).join(','))
    return false
  const rest = newer.replaceAll(joinedValue, '#').replaceAll(changed, '=')
  return (
    before.join() !== after.join() &&
    (code === 'zh' ? /=了?(?:[上下]午|晚上|早上)?#/ : /#(?:に|へ|から)=/).test(rest) &&
    runsIn(rest).every(
      (run) =>
        older.includes(run) || runsIn(run.replaceAll(small, ' ')).every((part) => older.includes(part)),
    )
  )
}

const joinedOf = memo((code: string) => {
  const { asks, changed, small } = valueWords[code] as ValueWords
  const [ofAsks, ofChanged, ofSmall] = [asks, changed, small].map((words) => new RegExp(words, 'gu'))
  return { asks: ofAsks, changed: ofChanged, small: ofSmall } as Record<'asks' | 'changed' | 'small', RegExp>
})
const runsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

const hanNumber = String.raw`(?:\p{Nd}+(?:[.:：,-]\p{Nd}+)*|[一二三四五六七八九十百千万两]+)`
const joinedValue = new RegExp(
  String.raw`(?:星期|礼拜|[周週])[一二三四五六日天]|[月火水木金土日]曜日?|[a-z]+-?\p{Nd}+|${hanNumber}月${hanNumber}[日号]|${hanNumber}[点點時时]半?|${hanNumber}(?:[\p{sc=Katakana}ー]+|\p{sc=Han}?)`,
  'giu',
)
const joinedValues = (text: string): string[] => text.match(joinedValue) ?? []
function joinedKind(value: string): string {
  if (/[日曜]$|月|^(?:星期|礼拜|[周週])/u.test(value)) return 'date'
  if (/[点點時时]半?$|\d[:：]\d/u.test(value)) return 'time'
  return `number ${/^[a-z]/i.test(value) ? 'code' : (/[\p{sc=Han}\p{sc=Katakana}ー]+$/u.exec(value)?.[0] ?? '')}`
}
