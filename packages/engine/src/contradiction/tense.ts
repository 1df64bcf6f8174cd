import { wordsBeyond } from './denial.ts'
import { memo } from './memo.ts'
import { isSmall, possibleLexicons, type Scored, wordsApart } from './same-words.ts'
import { rewritings, tenses } from './tenses.ts'
import type { Token } from './tokens.ts'
import { hasForm, isWeekday, type Lexicon, wholeWords, withoutFormerly } from './words.ts'

/** Words of a text about now that one about the past has not, where they say the same else: still, since the merger. */
const ofNow = new Set(
  'now still currently today since already jetzt noch heute derzeit aktuell momentan seit schon actuellement maintenant depuis toujours encore ahora todavia aun actualmente desde hoy adesso ora ancora attualmente oggi agora ainda atualmente hoje nu nog momenteel sinds al fortfarande sedan stadig endnu fremdeles nyt edelleen teraz nadal wciaz obecnie nyni stale acum inca most meg сеичас теперь еще зараз тепер досі сега още τωρα ακομα الان חדש עכשיו अब अभी'.split(
    ' ',
  ),
)
/** How words for what a test found begin: it stays so, whether it is told of now or of then. */
const finding =
  /^(?:posit|pozit|negat|benig|malig|gutart|bosart|goedaard|kwaadaard|godart|elakart|ondart|hyvanlaa|pahanlaa|lagodn|zlosliw|nezhoub|zhoub|положит|позит|отриц|негат|доброкач|злокач|доброякіс|злоякіс|θετικ|αρνητικ|καλοηθ|κακοηθ|(?:ال)?(?:ايجاب|سلب)|חיובי|שלילי|पॉज|नेगेट|निगेट)/u
const denseFinding = /[阳陽阴陰]性|[良惡恶悪]性|양성|음성|악성|เนื้อ[ดร]/u
const tellsFinding = ({ reading }: Scored): boolean =>
  denseFinding.test(reading.text) || reading.tokens.some(({ key }) => finding.test(key))

/** Most words that a text about the past may have beyond the other: until when, or of what time. */
const mostBeyond = 5

/**
 * Whether one text says that something is so, and the other, in the same words, that it was: has a motorbike, and had one. Short
 * texts seldom tell their language; the forms of all languages of their script are looked for, as all other words are the same.
 */
export function isOver(one: Scored, other: Scored, lexicon: Lexicon | undefined): boolean {
  if ([one, other].every(tellsFinding)) return false
  if ([one, other].some(({ reading }) => isQuestion.test(reading.text) || reading.tokens.length > mostWords))
    return false
  const most = mostBeyond + mostForms
  const [own, otherOwn] = [wordsBeyond(one.reading, other.reading), wordsBeyond(other.reading, one.reading)]
  if (own.length > most || otherOwn.length > most) return false
  return possibleLexicons(one, other, lexicon).some((each) => {
    const isSure = each.code === lexicon?.code
    const tells = (past: Scored, now: Scored) =>
      isRewritten(past.reading.tokens, now.reading.tokens, each) ||
      wasInState(past.reading.tokens, now.reading.tokens, { lexicon: each, isSure })
    return tells(one, other) || tells(other, one)
  })
}
/** A state is told in few words; longer texts tell of more than one. */
const mostWords = 60
/** Who is and who was somebody is asked of the same one. */
const isQuestion = /[?？؟;]\s*$/u
/** Most words that may have other forms in the other text: Slavic ones that stand behind "was". */
const mostForms = 6

/** What a text says of itself, without capitals, among spaces where words are set apart. */
const lowerOf = (tokens: readonly Token[], { isDense }: Lexicon): string => {
  const words = tokens.map(({ lower }) => lower)
  return isDense ? words.join('') : ` ${words.join(' ')} `
}

/** Whether two texts are the same when the one about the past is rewritten to one about now. */
function isRewritten(past: readonly Token[], now: readonly Token[], lexicon: Lexicon): boolean {
  const rewriting = rewritings[lexicon.code]
  if (rewriting === undefined) return false
  const [was, is] = [past, now].map((tokens) => withoutFormerly(lowerOf(tokens, lexicon), lexicon)) as [
    string,
    string,
  ]
  const isPast = (text: string) => rewriting.past.some(([pattern]) => pattern.test(text))
  if (!isPast(was) || isPast(is)) return false
  const ends = rewriting.now.map(([pattern, end]) => [
    pattern.test(is) ? is.replace(pattern, end) : undefined,
    end,
  ])
  const rewritten = rewriting.past.flatMap(([pattern, end]) =>
    pattern.test(was) ? [was.replace(pattern, end)] : [],
  )
  return rewritten.some((text) => text === is || ends.some(([end]) => end === text))
}

/** How a state is said of now, if it has a word there, and of what was. */
interface State {
  readonly now: RegExp | undefined
  readonly past: RegExp
}
interface Patterns {
  readonly states: readonly State[]
  /** Behind what the tense tells nothing, or not that it is over. */
  readonly loose: RegExp | undefined
}

const patternsOf = memo((code: string): Patterns | undefined => {
  const language = tenses[code]
  if (language === undefined) return undefined
  const { states, since, said } = language
  const telling = [since, said].filter((source) => source !== undefined)
  return {
    states: states.split(';').map((state) => {
      const [now = '', past = ''] = state.split('~')
      return { now: now === '' ? undefined : wholeWords(now), past: wholeWords(past) }
    }),
    loose: telling.length === 0 ? undefined : wholeWords(telling.join('|')),
  }
})

/** Whether a text says with a verb of the past that somebody was in a state, and another one that somebody is. */
function wasInState(
  past: readonly Token[],
  now: readonly Token[],
  { lexicon, isSure }: { readonly lexicon: Lexicon; readonly isSure: boolean },
): boolean {
  const patterns = patternsOf(lexicon.code)
  if (patterns === undefined || tellsWhen(now, lexicon)) return false
  const [was, is] = [lowerOf(past, lexicon), lowerOf(now, lexicon)]
  if (patterns.loose?.test(was) === true || hasForm(is, lexicon.formerly)) return false
  return patterns.states.some((state) => {
    // A short word for what was, such as that of Hungarian, is another one elsewhere.
    if (state.now === undefined && !isSure) return false
    const pastAt = placeOf(state.past, was)
    if (pastAt === undefined || state.past.test(is)) return false
    const nowAt = state.now === undefined ? ([0, 0] as const) : placeOf(state.now, is)
    if (nowAt === undefined) return false
    const [pastRest, nowRest] = [without(past, pastAt), without(now, nowAt)]
    return saysSame(pastRest, nowRest, { lexicon, isBare: state.now === undefined })
  })
}

/** Which tokens a pattern takes. */
function placeOf(pattern: RegExp, words: string): readonly [number, number] | undefined {
  const found = pattern.exec(words)
  if (found === null) return undefined
  const from = words.slice(0, found.index).split(' ').length - 2
  return [from, from + found[0].split(' ').length]
}

const without = (tokens: readonly Token[], [from, to]: readonly [number, number]): Token[] => [
  ...tokens.slice(0, from),
  ...tokens.slice(to),
]

/** Whether a text says when: what was planned for a day is no state that is over. */
const tellsWhen = (tokens: readonly Token[], lexicon: Lexicon): boolean =>
  tokens.some(
    ({ key, kind }) =>
      (kind === 'number' && /^(?:19|20)\d\d$|\d[.:/]\d/.test(key)) ||
      lexicon.months.has(key) ||
      isWeekday(key, lexicon),
  )

/** Whether a text about the past has all the words of one about now, and few others. */
function saysSame(
  past: readonly Token[],
  now: readonly Token[],
  { lexicon, isBare }: { readonly lexicon: Lexicon; readonly isBare: boolean },
): boolean {
  const [beyond, missing] = wordsApart(past, now, lexicon)
  if (missing.some((token) => !isSmall(token, lexicon) && !ofNow.has(token.key))) return false
  const telling = beyond.filter(
    (token) => !isSmall(token, lexicon) && !hasForm(` ${token.key} `, lexicon.formerly),
  )
  return telling.length <= (isBare ? 0 : mostBeyond)
}
