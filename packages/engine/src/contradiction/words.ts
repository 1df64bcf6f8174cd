import { fold } from '../lexical/tokenise.ts'
import { type Language, languages } from './languages.ts'
import type { Reading, Token } from './tokens.ts'

/** Forms of one thing: whole words, and how words begin or end. */
export type Forms = readonly Form[]

export interface Form {
  readonly text: string
  readonly at: 'whole' | 'beginning' | 'end'
  /** What is looked for, among words with a space at both ends. */
  readonly needles: readonly string[]
}

/** A language's lists, taken apart. */
export interface Lexicon {
  readonly code: string
  readonly inflects: boolean
  /** Whether words are not set apart, so that forms are looked for anywhere. */
  readonly isDense: boolean
  readonly negations: Forms
  readonly negativePrefix: string | undefined
  readonly besideNegations: ReadonlySet<string>
  readonly spokenNegations: ReadonlySet<string>
  readonly affirmations: Forms
  /** Finds these; undefined where there are none. */
  readonly affirming: RegExp | undefined
  /** Finds what says no although an affirmation is in it; what is to stay before the negation is its group `kept`. */
  readonly denying: RegExp | undefined
  /** Groups of things that exclude one another. */
  readonly opposites: readonly (readonly Forms[])[]
  readonly weekdays: Forms
  /** Those of them that say the same of two in each other's place. */
  readonly converses: readonly (readonly Forms[])[]
  /** Values by word, or by words with a space between. */
  readonly numbers: ReadonlyMap<string, number>
  readonly ones: ReadonlySet<string>
  /** Those of which compounds are made: beside them words for one, and how some begin before another part or an ending. */
  readonly numberParts: ReadonlyMap<string, number>
  /** Of the words for a hundred and a thousand those that compounds are made of, the greatest first. */
  readonly powers: readonly (readonly [word: string, value: number])[]
  /** How the end of a word for a number changes with its place in a sentence. */
  readonly numberEndings: readonly (readonly [bare: string, ending: string])[]
  readonly halves: ReadonlySet<string>
  /** Hours that have a name: noon, which is 12, and midnight, 24. */
  readonly hours: ReadonlyMap<string, number>
  /** Words of order, and how often: whole, or how they begin. */
  readonly ordinals: readonly (readonly [form: Form, value: number])[]
  readonly joins: ReadonlySet<string>
  readonly determiners: Forms
  readonly passive: Passive | undefined
  readonly formerly: Forms
  /** Finds verbs of the past among words with their accents; undefined where verbs have none. */
  readonly past: RegExp | undefined
  readonly common: ReadonlySet<string>
  readonly verbs: ReadonlySet<string>
  readonly months: ReadonlyMap<string, number>
  /** Groups of names: of people and towns, of countries, of languages. */
  readonly names: readonly (readonly Forms[])[]
  readonly beforeNames: Forms
  readonly afterNames: Forms
  /** All words of the lists, and how some begin. */
  readonly listed: ReadonlySet<string>
  readonly listedBeginnings: ReadonlySet<string>
}

/** A text of which the language is known. */
export interface Worded {
  readonly reading: Reading
  readonly lexicon: Lexicon
}

/** By what a sentence is known to be in the passive, and the one who does it. */
export interface Passive {
  readonly auxiliaries: ReadonlySet<string>
  readonly marks: ReadonlySet<string>
  /** Whether the mark stands behind the one who does it. */
  readonly isBehind: boolean
}

const marks: ReadonlySet<Language['script']> = new Set(['Han', 'Kana', 'Thai'])
const lexicons = new Map<string, Lexicon>()

/** @throws Error for a language that is not in the table */
export function lexiconOf(code: string): Lexicon {
  let lexicon = lexicons.get(code)
  if (lexicon === undefined) {
    const language = languages[code]
    if (language === undefined) throw new Error(`Nothing is known of the language ${code}`)
    lexicon = readLanguage(code, language)
    lexicons.set(code, lexicon)
  }
  return lexicon
}

function readLanguage(code: string, language: Language): Lexicon {
  const foldIn = (text: string) => foldFor(code, text)
  const list = (text = '') => text.split('|').filter((each) => each !== '')
  const formsOf = (text = ''): Forms => list(text).map((form) => readForm(code, foldIn(form)))
  const words = (text: string) => new Set(list(text).map(foldIn))
  const [common, numerals] = [words(language.common), numeralPartsOf(language, words)]
  const negations = formsOf(language.negations)
  const affirmations = formsOf(language.affirmations)
  const groupsOf = (groups?: string) => groups?.split(';').map((group) => group.split('~').map(formsOf)) ?? []
  const converses = groupsOf(language.converses)
  const days = weekdays(code).map((name) => [nameForm(code, foldIn(name), language)])
  const opposites = [...groupsOf(language.opposites), ...converses, days]
  const listed = [...negations, ...opposites.flat(2), ...formsOf(language.formerly)]
  return {
    code,
    inflects: language.inflects ?? false,
    isDense: marks.has(language.script),
    negations,
    negativePrefix: language.negativePrefix,
    besideNegations: words(language.besideNegations ?? ''),
    spokenNegations: words(language.spokenNegations ?? ''),
    affirmations,
    affirming: patternOf(affirmations, marks.has(language.script)),
    denying: denyingOf(
      list(language.denials).map((phrase) => phrase.split(' … ').map(foldIn)),
      marks.has(language.script),
    ),
    opposites,
    weekdays: days.flat(),
    converses,
    ...numerals,
    ordinals: (language.ordinals ?? '')
      .split(';')
      .flatMap((each, i) => formsOf(each).map((form) => [form, i + 1] as const)),
    joins: words(language.and),
    determiners: formsOf(language.determiners),
    formerly: formsOf(language.formerly),
    past: pastOf(language),
    passive: passiveOf(language, words),
    common,
    verbs: words(language.verbs ?? ''),
    // In Polish what is short for August is a frequent word as well.
    months: new Map(
      months(code).flatMap(([name, month]) => (common.has(foldIn(name)) ? [] : [[foldIn(name), month]])),
    ),
    names: [
      formsOf(language.names),
      ...displayNames(code).map((names) => names.map((name) => nameForm(code, foldIn(name), language))),
    ].map((forms) => forms.map((form) => [form])),
    beforeNames: formsOf(language.beforeNames),
    afterNames: formsOf(language.afterNames),
    listed: new Set([
      ...listed.filter(({ at }) => at === 'whole').map(({ text }) => text),
      ...numerals.numbers.keys(),
    ]),
    listedBeginnings: new Set(listed.filter(({ at }) => at === 'beginning').map(({ text }) => text)),
  }
}

/** Words for numbers, and how they begin before another part of a word or an ending, with `-` behind. */
function numbersOf(language: Language, words: (list: string) => Set<string>): Map<string, number> {
  const tens = [20, 30, 40, 50, 60, 70, 80, 90, 100, 1000, 2000]
  const lists: [list: string, value: number][] = [
    ...language.numbers.split(';').map((list, i): [string, number] => [list, i + 2]),
    ...language.tens.split(';').map((list, i): [string, number] => [list, tens[i] as number]),
    ...(language.hundreds ?? '').split(';').map((list, i): [string, number] => [list, 100 * (i + 2)]),
    [language.half?.split('~')[1] ?? '', 1.5],
  ]
  const numbers = lists.flatMap(([list, value]) => [...words(list)].map((word) => [word, value] as const))
  const ones = [...words(language.one)].map((word) => [word, 1] as const)
  const units = [...ones, ...numbers.filter(([, value]) => value >= 2 && value < 10)]
  const isTen = (value: number) => value >= 20 && value < 100 && value % 10 === 0
  const compounds = numbers
    .filter(([, value]) => isTen(value))
    .flatMap(([ten, value]) => units.map(([unit, more]) => [[ten, unit], value + more] as const))
    .flatMap(([parts, value]) =>
      [...words(language.tensWithUnits ?? '')].map((pattern) => [joinParts(pattern, parts), value] as const),
    )
  return new Map([...compounds, ...numbers])
}

/** A word for tens and units, of the parts for these. */
const joinParts = (pattern: string, [ten, unit]: readonly string[]): string =>
  pattern.replaceAll(/[tu]$|^[tu]/g, (part) => String(part === 't' ? ten : unit).replace('-', ''))

/** What words for numbers are made of that are compounds, or have an ending. */
function numeralPartsOf(
  language: Language,
  words: (list: string) => Set<string>,
): Pick<Lexicon, 'numbers' | 'ones' | 'numberParts' | 'powers' | 'numberEndings' | 'halves' | 'hours'> {
  const numbers = numbersOf(language, words)
  const whole = [...numbers].filter(([word]) => !word.endsWith('-'))
  const ones = words(language.one)
  const [half = ''] = (language.half ?? '').split('~')
  return {
    numbers: new Map(whole),
    ones,
    halves: words(half),
    hours: new Map(
      (language.noonAndMidnight ?? '')
        .split('~')
        .flatMap((names, i) => [...words(names)].map((name) => [name, 12 * (i + 1)] as const)),
    ),
    numberParts: new Map([
      ...[...ones].map((word) => [word, 1] as const),
      ...[...numbers].map(([word, value]) => [word.replace(/-$/, ''), value] as const),
    ]),
    powers: whole.filter(([, value]) => value === 100 || value === 1000).sort(([, a], [, b]) => b - a),
    numberEndings: [...words(language.numberEndings ?? '')].map(
      (change) => change.split('>') as [string, string],
    ),
  }
}

function passiveOf({ passive }: Language, words: (list: string) => Set<string>): Passive | undefined {
  if (passive === undefined) return undefined
  const [auxiliaries = '', marks = ''] = passive.split('~')
  return {
    auxiliaries: words(auxiliaries),
    marks: words(marks.replaceAll('*', '')),
    isBehind: marks.startsWith('*'),
  }
}

const pastOf = ({ past, script }: Language): RegExp | undefined => {
  if (past === undefined) return undefined
  return marks.has(script) ? new RegExp(past, 'u') : wholeWords(past)
}

/** Finds whole words among words with a space at both ends. */
export const wholeWords = (source: string, flags = 'u'): RegExp =>
  new RegExp(`(?<= )(?:${source})(?= )`, flags)

/** Words without those of a language for what was. */
export const withoutFormerly = (words: string, { formerly }: Lexicon): string =>
  formerly.reduce(
    (left, { needles }) =>
      needles.reduce((rest, needle) => rest.replace(needle, needle.startsWith(' ') ? ' ' : ''), left),
    words,
  )

/** Forms with `|` between, as in the lists of a language. */
export const readForms = (code: string, forms: string): Forms =>
  forms.split('|').map((form) => readForm(code, foldFor(code, form)))

function readForm(code: string, form: string): Form {
  if (form.endsWith('*')) return newForm(code, form.slice(0, -1), 'beginning')
  if (form.startsWith('*')) return newForm(code, form.slice(1), 'end')
  return newForm(code, form, 'whole')
}

function newForm(code: string, text: string, at: Form['at']): Form {
  if (marks.has((languages[code] as Language).script)) return { text, at, needles: [text] }
  if (at === 'beginning') return { text, at, needles: [` ${text}`] }
  if (at === 'end') return { text, at, needles: [`${text} `] }
  const clitics = ['', ...(proclitics[code] ?? [])]
  return { text, at, needles: clitics.map((clitic) => ` ${clitic}${text} `) }
}

/** A name by its beginning, where its end changes or particles are written together with it. */
function nameForm(code: string, name: string, { script, inflects }: Language): Form {
  if (script === 'Hangul') return newForm(code, name, 'beginning')
  if (inflects !== true || name.length < 5) return newForm(code, name, 'whole')
  return newForm(code, name.slice(0, -1), 'beginning')
}

/** In Vietnamese accents make other words; elsewhere many leave them out. */
export function foldFor(code: string, text: string): string {
  return code === 'vi' ? text.normalize('NFC').toLowerCase() : fold(text)
}

/** 1 January 2024 was a Monday. */
const dayOf = (month: number, day: number) => new Date(Date.UTC(2024, month, day, 12))

function weekdays(code: string): string[] {
  const format = new Intl.DateTimeFormat(code, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, i) => format.format(dayOf(0, i + 1)).toLowerCase())
}

/** Where months have other names beside those of the language's own calendar, or of its neighbours in one script. */
const otherMonths: Readonly<Record<string, readonly string[]>> = {
  fa: ['fa-u-ca-gregory'],
  ar: ['ar-SY', 'ar-DZ'],
  hi: ['mr', 'ne'],
}

/** Letters with their vowel signs; fewer letters than these of other scripts are short for more than a month. */
const monthName = /^(?:\p{L}{3,}|(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{M}]{2,})$/u

/** Names of months, alone and in a date, long and short, where they have letters. */
function months(code: string): [string, number][] {
  return [code, ...(otherMonths[code] ?? [])].flatMap((each) =>
    (['long', 'short'] as const).flatMap((month) =>
      [{ month }, { month, day: 'numeric' as const }].flatMap((options) => {
        const format = new Intl.DateTimeFormat(each, { ...options, timeZone: 'UTC' })
        return Array.from({ length: 12 }, (_, i): [string, number] => {
          const part = format.formatToParts(dayOf(i, 3)).find(({ type }) => type === 'month')
          // A name with a joiner in it is read as two words, of which the first one tells it.
          const [name = ''] = (part?.value ?? '').toLowerCase().split('\u200c')
          return [name.replace(/[.॰׳']$/u, ''), i + 1]
        }).filter(([name]) => monthName.test(name))
      }),
    ),
  )
}

/** Languages of which nothing is known but the months; each has a script of its own. */
const codesOfMonths = 'bn ta te gu kn ml pa or si am ka hy my km lo'.split(' ')
let monthsAlone: ReadonlyMap<string, number> | undefined

/** The months of the languages that are not in the table. */
export function monthsOfOthers(): ReadonlyMap<string, number> {
  monthsAlone ??= new Map(codesOfMonths.flatMap((code) => months(code).map(([name, i]) => [fold(name), i])))
  return monthsAlone
}

const codes = Array.from({ length: 26 * 26 }, (_, i) =>
  String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)),
)
const languageCodes =
  'en fr de es it pt nl sv da no fi pl cs sk hu ro bg el ru uk tr ar he fa hi bn ta ur zh ja ko th vi id ms'

/** How a language calls countries, and languages. */
function displayNames(code: string): string[][] {
  const namesOf = (type: 'region' | 'language', all: readonly string[]) => {
    const names = new Intl.DisplayNames(code, { type, fallback: 'none' })
    return all
      .flatMap((each) => names.of(each)?.toLowerCase() ?? [])
      .filter((name) => /^[\p{L}\p{M} ]{2,}$/u.test(name))
  }
  return [namesOf('region', codes), namesOf('language', languageCodes.split(' '))]
}

/** The words of a text one after the other, for finding forms in it. */
export function wordsOf({ tokens }: Pick<Reading, 'tokens'>, { code, isDense }: Lexicon): string {
  const words = tokens.map((token) => keyIn(code, token))
  return isDense ? words.join('') : ` ${words.join(' ')} `
}

export const keyIn = (code: string, { lower, key }: Token): string => (code === 'vi' ? lower : key)

/** Whether one of the forms is among the words. */
export function hasForm(words: string, forms: Forms): boolean {
  return forms.some(({ needles }) => needles.some((needle) => words.includes(needle)))
}

/** Whether a word is a day of the week. */
export const isWeekday = (key: string, { weekdays }: Lexicon): boolean => hasForm(` ${key} `, weekdays)

/** Whether each of two texts has what the other lacks, of things that exclude one another. */
export function excludeEachOther(words: string, otherWords: string, group: readonly Forms[]): boolean {
  const has = group.map((forms) => hasForm(words, forms))
  if (!has.includes(true)) return false
  const otherHas = group.map((forms) => hasForm(otherWords, forms))
  return has.some((is, i) => is && !otherHas[i]) && otherHas.some((is, i) => is && !has[i])
}

/** Words that are written together with the next one. */
export const proclitics: Readonly<Record<string, readonly string[]>> = {
  ar: ['و', 'ف', 'ب', 'ل', 'ك', 'ال', 'وال', 'بال', 'لل'],
  he: ['ו', 'ה', 'ב', 'ל', 'ש', 'כ', 'מ', 'וה', 'שה', 'של'],
}

/** The words without phrases that say nothing of the kind of the lists' words, and without some other forms. */
export function withoutForms(words: string, except: Forms, lexicon: Lexicon): string {
  const { affirming, denying, negations, isDense } = lexicon
  // The mark keeps the next character from making an affirmation with the negation.
  const negation = `$<kept>${negations[0]?.text}${isDense ? '\u0001' : ''}`
  const plain = denying === undefined ? words : words.replaceAll(denying, negation)
  const left = affirming === undefined ? plain : plain.replaceAll(affirming, '\u0001')
  const pattern = patternOf(except, isDense)
  return pattern === undefined ? left : left.replaceAll(pattern, '\u0001')
}

function denyingOf(phrases: readonly (readonly string[])[], isDense: boolean): RegExp | undefined {
  if (phrases.length === 0) return undefined
  // Of the languages without spaces only Chinese has such.
  if (isDense)
    return new RegExp(`(?<kept>)不(?=${phrases.map(([phrase]) => phrase?.slice(1)).join('|')})`, 'gu')
  // "Ne … plus que" is "only"; the n of "n° 12" is no negation.
  const gaps = phrases.map(([first, last]) => `(?<=[ ])${first} (?:[^ \\d°]+ ){0,4}?(?=${last} )`)
  const lasts = new Set(phrases.map(([, last]) => last))
  return new RegExp(`(?<kept>${gaps.join('|')})(?:${[...lasts].join('|')})(?= )(?! que )`, 'gu')
}

function patternOf(forms: Forms, isDense: boolean): RegExp | undefined {
  if (forms.length === 0) return undefined
  const parts = forms
    .toSorted((a, b) => b.text.length - a.text.length)
    .map(
      ({ text, at }) =>
        text.replaceAll(/[^\p{L}\p{M}\p{N} ]/gu, '') + (at === 'beginning' && !isDense ? '[^ ]*' : ''),
    )
  return isDense ? new RegExp(parts.join('|'), 'gu') : wholeWords(parts.join('|'), 'gu')
}

const scripts: readonly [RegExp, readonly string[]][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Han}/u, ['zh']],
  [/\p{Script=Thai}/u, ['th']],
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'bg']],
  [/\p{Script=Greek}/u, ['el']],
  [/\p{Script=Arabic}/u, ['ar', 'fa']],
  [/\p{Script=Hebrew}/u, ['he']],
  [/\p{Script=Devanagari}/u, ['hi']],
]
const latin = Object.keys(languages).filter((code) => languages[code]?.script === 'Latin')
/** The languages that a text may be in, by its script: the first of those above that it has, unless most words are Latin. */
function codesFor(text: string): readonly string[] {
  const codes = scripts.find(([script]) => script.test(text))?.[1]
  if (codes === undefined) return latin
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(latinWord) > foreignShare * count(otherWord) ? latin : codes
}
const latinWord = /\p{Script=Latin}+/gu
/** Or a character, where words are not set apart. */
const otherWord =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}])+/gu
/** So many times as many words are of the sentence; fewer may be names in it. */
const foreignShare = 1.5

/** What is known of the languages that a text may be in. */
export const lexiconsFor = (text: string): Lexicon[] => codesFor(text).map(lexiconOf)

/** What a word tells of the languages of a script: how much for each. */
type Evidence = ReadonlyMap<string, readonly (readonly [code: string, score: number])[]>
interface Evidences {
  readonly words: Evidence
  readonly beginnings: Evidence
}
const evidences = new Map<readonly string[], Evidences>()

function evidenceFor(codes: readonly string[]): Evidences {
  let evidence = evidences.get(codes)
  if (evidence !== undefined) return evidence
  const [words, beginnings] = [new Map<string, [string, number][]>(), new Map<string, [string, number][]>()]
  const add = (to: Map<string, [string, number][]>, word: string, code: string, score: number) => {
    const scores = to.get(word) ?? []
    if (!scores.some(([each]) => each === code)) scores.push([code, score])
    to.set(word, scores)
  }
  for (const code of codes) {
    const { common, listed, listedBeginnings, negations, verbs } = lexiconOf(code)
    for (const word of common) add(words, word, code, 2)
    for (const { text, at } of negations) if (at === 'whole') add(words, text, code, 2)
    for (const word of listed) add(words, word, code, 1)
    for (const word of verbs) if (word.length >= leastTelling) add(words, word, code, 1)
    for (const beginning of listedBeginnings) add(beginnings, beginning, code, 1)
  }
  evidence = { words, beginnings }
  evidences.set(codes, evidence)
  return evidence
}

/** What a text tells of the languages of its script: how much for each. */
export type LanguageScores = ReadonlyMap<string, number>

/** How much the words of a text, and the letters of some, tell that it is in each language of its script. */
export function scoreLanguages({ text, tokens }: Reading): LanguageScores {
  const codes = codesFor(text)
  const scores = new Map(codes.map((code) => [code, 0]))
  if (codes.length === 1) return scores
  const add = (code: string, score: number) => scores.set(code, (scores.get(code) ?? 0) + score)
  const { words, beginnings } = evidenceFor(codes)
  const names = namesAmong(tokens)
  for (const token of tokens) {
    for (const code of codes) if (letters[code]?.test(token.raw)) add(code, letterScore)
    if (token.isOfAddress || names.has(token.key) || isGenitive(token, text)) continue
    const told = new Map<string, number>()
    for (const key of token.key === token.lower ? [token.key] : [token.key, token.lower]) {
      for (const [code, score] of words.get(key) ?? []) if (key === keyIn(code, token)) told.set(code, score)
      for (let length = leastTelling; length <= key.length; length++)
        for (const [code, score] of beginnings.get(key.slice(0, length)) ?? [])
          if (key === keyIn(code, token) && !told.has(code)) told.set(code, score)
    }
    for (const [code, score] of told) add(code, score)
  }
  return scores
}

/** Whether a letter is the end of the word before it, as in "Ada's": alone it is a word of other languages. */
const isGenitive = ({ key, end }: Token, text: string): boolean =>
  key === 's' && /\p{L}['’]$/u.test(text.slice(Math.max(0, end - 3), end - 1))

/**
 * The language that most of a text's words are known of: by its script, and among the languages of one script by frequent
 * words. Undefined where no word tells.
 */
export function guessLanguage(scores: LanguageScores): string | undefined {
  let [best, most]: [string | undefined, number] = [undefined, 0]
  for (const [code, score] of scores) if (score > most) [best, most] = [code, score]
  const [first] = scores.keys()
  return best ?? (first === latin[0] ? undefined : first)
}

/**
 * What has a capital within a sentence: names, such as Ben, Dan or Per, which are words of some language, and nouns of
 * German. Where every word has one, as in a heading, it tells nothing.
 */
export function namesAmong(tokens: readonly Token[]): ReadonlySet<string> {
  const within = tokens.filter(({ kind, isFirst }) => kind === 'word' && !isFirst)
  if (!within.some(({ raw }) => /^\p{Ll}/u.test(raw))) return new Set()
  return new Set(within.filter(({ raw }) => /^\p{Lu}\p{Ll}/u.test(raw)).map(({ key }) => key))
}

/** Shorter verbs and beginnings of words are in words of other languages too. */
const leastTelling = 3
/** A letter of few languages tells more than a word, which others may have too. */
const letterScore = 2.5

/** Letters that few other languages of the script have. */
const letters: Readonly<Record<string, RegExp>> = {
  pl: /[ąęłńśźż]/iu,
  cs: /[ěřůčšžďťň]/iu,
  hu: /[őű]/iu,
  fi: /[aeiouyäö](?:ss|st|ll|lt)ä|[äyö]{2}/iu,
  tr: /[ığş]|İ|[ıiuü]yor|[ae]bil|[ae]m[ae]z(?:sin|ler|lar)?$/u,
  ro: /[șțşţă]/iu,
  vi: /[ảạấầẩẫậắằẳẵặẻẽẹếềểễệỉĩịỏọốồổỗộớờởỡợủũụứừửữựỳỷỹỵđơư]/iu,
  de: /ß/u,
  es: /[ñ¿¡]/iu,
  pt: /[ãõ]/iu,
  sv: /å/iu,
  da: /[æøå]/iu,
  fr: /[œëîû]/iu,
  uk: /[іїєґ]/iu,
  ru: /[ыэё]/iu,
  bg: /ъ(?![еёюя])/iu,
  fa: /[پچژگکی]/u,
}

/** Whether a language is written in Latin letters. */
export const isLatin = (code: string): boolean => languages[code]?.script === 'Latin'
