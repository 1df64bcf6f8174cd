import { differences } from './alignment.ts'
import { memo } from './memo.ts'
import type { Token } from './tokens.ts'
import type { Lexicon, Worded } from './words.ts'

/** What makes the opposite of a word, in front of it, in whatever language. */
const prefixes = 'un in im il ir dis non des ne nie не бес без ना अ αν α 비 불 무 미'.split(' ')
/** Shorter words come of another word by chance. */
const leastPrefixed = 4

/**
 * What makes opposites in one language: in front of a word, or, with `~`, in front of the same rest of a word; with `-`
 * before it, behind. As these are short they tell only where the words stand in the same place.
 */
const affixes: Readonly<Record<string, string>> = {
  en: 'mis a in~ex im~ex pre~post over~under up~down -ful~less',
  fr: 'mal dés dé in~ex im~ex -phile~phobe',
  de: 'miss ein~aus an~aus auf~zu auf~ab zu~ab an~ab vor~nach be~ent -voll~los',
  es: 'i in~ex im~ex',
  it: 's im~es in~es',
  pt: 'i im~ex in~ex',
  nl: 'on aan~uit in~uit toe~af aan~af -vol~loos',
  sv: 'o miss in~ut på~av upp~ned upp~ner till~från -full~lös',
  da: 'u mis ind~ud inn~ut på~av op~ned opp~ned til~fra -fuld~løs -full~løs',
  fi: 'epä -llinen~ton -llinen~tön',
  pl: 'przy~wy przy~od w~wy we~wy za~od',
  cs: 'při~od při~ode za~vy v~vy',
  ro: 'ne in~ex im~ex',
  hu: 'be~ki fel~le -os~talan -es~telen',
  tr: 'gayri -lı~sız -li~siz -lu~suz -lü~süz',
  id: 'tak',
  ru: 'при~у при~вы в~вы от~за во~вы под~от',
  uk: 'при~ви при~від в~ви у~ви від~за',
  bg: 'в~из от~за',
  hi: 'अन बे गैर',
}
/** Letters of the rest: a stem of a Slavic verb has few. */
const leastRest = (code: string): number => (['pl', 'cs', 'ru', 'uk', 'bg'].includes(code) ? 3 : 4)

/** Han characters that deny what the next ones say. Chinese has them among its words that say no. */
const deniedKanji = /^[不無未非](?=\p{Script=Han})/u

/** Whether two texts have words that are opposites by how they begin or end. */
export function differInAffix(one: Worded, other: Worded): boolean {
  const { lexicon } = one
  if (lexicon.isDense) return lexicon.code === 'ja' && differInKanji(one, other)
  const [tokens, otherTokens] = [one.reading.tokens, other.reading.tokens]
  return (
    differInPrefix(keysOf(tokens), keysOf(otherTokens), lexicon) ||
    differInPlace(tokens, otherTokens, lexicon)
  )
}

const keysOf = (tokens: readonly Token[]): Set<string> => new Set(tokens.map(({ key }) => key))

function differInPrefix(keys: Set<string>, otherKeys: Set<string>, { code }: Lexicon): boolean {
  const left = [...keys].filter((key) => !otherKeys.has(key))
  const right = [...otherKeys].filter((key) => !keys.has(key))
  const least = code === 'cs' ? 2 : leastPrefixed
  const isPrefixed = (long: string, short: string) =>
    short.length >= (/^[a-z]/.test(short) ? least : 2) && prefixes.some((prefix) => long === prefix + short)
  return left.some((a) => right.some((b) => isPrefixed(a, b) || isPrefixed(b, a)))
}

/** Whether two words in the same place are the same but for an affix that makes the opposite. */
function differInPlace(one: readonly Token[], other: readonly Token[], { code }: Lexicon): boolean {
  const pairs = pairsOf(code)
  if (pairs.length === 0) return false
  const lower = (tokens: readonly Token[]) => tokens.map((token) => token.lower)
  return differences(lower(one), lower(other)).some((place) => {
    const [words, otherWords] = [one.slice(...place.one), other.slice(...place.other)].map(lower)
    const [a, b] = [words?.at(-1), otherWords?.at(-1)]
    // A "no" may come with one of them.
    if (a === undefined || b === undefined || (words?.length ?? 0) + (otherWords?.length ?? 0) > 3)
      return false
    return pairs.some((pair) => areOppositesBy(pair, a, b, code) || areOppositesBy(pair, b, a, code))
  })
}

interface Pair {
  readonly one: string
  readonly other: string
  readonly isBehind: boolean
}

const pairsOf = memo((code: string): readonly Pair[] =>
  (affixes[code] ?? '').split(' ').flatMap((affix) => {
    const [one = '', other = ''] = affix.replace(/^-/, '').split('~')
    return one === '' ? [] : [{ one, other, isBehind: affix.startsWith('-') }]
  }),
)

function areOppositesBy({ one, other, isBehind }: Pair, a: string, b: string, code: string): boolean {
  const has = (word: string, affix: string) => (isBehind ? word.endsWith(affix) : word.startsWith(affix))
  if (!has(a, one) || !has(b, other)) return false
  const rest = (word: string, affix: string) =>
    isBehind ? word.slice(0, word.length - affix.length) : word.slice(affix.length)
  return rest(a, one) === rest(b, other) && rest(a, one).length >= leastRest(code)
}

/** Whether one text denies a word of Han characters that the other has: 可能, 不可能; 有効, 無効. */
function differInKanji(one: Worded, other: Worded): boolean {
  const [text, otherText] = [one, other].map(({ reading }) => reading.tokens.map(({ key }) => key).join(''))
  const keys = (written = '') => Array.from(written)
  const places = differences(keys(text), keys(otherText))
  const [place] = places
  if (places.length !== 1 || place === undefined) return false
  const denies = (written: string[], [from, to]: readonly [number, number], stated: string) =>
    to - from === 1 && deniedKanji.test(written.slice(from).join('')) && (stated === '' || stated === '有')
  const [here, there] = [keys(text), keys(otherText)]
  return (
    denies(here, place.one, there.slice(...place.other).join('')) ||
    denies(there, place.other, here.slice(...place.one).join(''))
  )
}
