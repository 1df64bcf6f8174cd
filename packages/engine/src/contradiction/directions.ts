import { memo } from './memo.ts'
import { areFormsOfOne, isDeterminer, loose } from './roles.ts'
import type { Token } from './tokens.ts'
import { keyIn, type Lexicon } from './words.ts'

/** How a language says from where something comes, and where it goes. */
interface Directing {
  /** Words before a noun, or behind it with `isBehind`, or its ends with `-` in front; those with `?` mean other things too. */
  readonly to: string
  readonly from: string
  readonly isBehind?: boolean
  /** How words begin that tell of coming and going, beside which the words with `?` say where from and where to. */
  readonly motion?: string
  /** How words begin with which both say the same: different from, different to. */
  readonly alike?: string
}

/** Keys are without case and accents. */
const directing: Readonly<Record<string, Directing>> = {
  en: { to: 'to|into|towards|toward|onto', from: 'from', alike: 'differ|immune|averse|exempt' },
  fr: {
    to: 'vers|jusqu|a?|au?|aux?|en?|pour?',
    from: 'depuis|de?|du?|des?|d?',
    motion:
      'vais$|vas?$|vont|all[eoa]|vien[st]|vienn|ven[uai]|train|vol$|vols$|avion|bus|car$|colis|lettre|pars?$|part[ie]|arriv|retourn|rentr|envoy|voyag|billet|demenag',
  },
  de: {
    to: 'nach|zu|zum|zur|an|bis',
    from: 'aus|von|vom|ab',
  },
  es: {
    to: 'hasta|hacia|para?|a?|al?',
    from: 'desde|de?|del?',
    motion:
      'voy|vas?$|van$|vamos|fui|fue|ir$|vien|veng|vin[oei]|viaj|vuel|volv|tren|bus|autobus|avion|lleg|sal[eig]|carta|paquete|envi|billete|mud|regres',
    alike: 'diferen|distint|compr|rob|quit|alquil',
  },
  it: {
    to: 'verso|a?|al?|alla?|ai?|alle?|all?|in?|per?',
    from: 'da|dal|dalla|dallo|dai|dalle|dall',
    motion:
      'vado|vai|va$|vanno|andat|vien|veng|venut|arriv|tren|vol[oi]|aereo|part[eio]|letter|pacc|torn|autobus|viagg|spedi|mand|bigliett|trasferi',
    alike: 'divers|facil|difficil',
  },
  pt: {
    to: 'ate|para?|pra?|a?|ao?|aos?|as?',
    from: 'desde|de?|do?|da?|dos?|das?',
    motion:
      'vou|vai|vao|foi|fui|ir$|vem|venho|veio|vim$|chega|cheg|parte|part[iu]|comboio|trem|voo|aviao|autocarro|onibus|carta|encomenda|envi|mand|mud|volt|viag|viaj|regress|bilhete',
    alike: 'diferen|distint|compr|roub|alug',
  },
  nl: { to: 'naar|aan|tot', from: 'uit|van|vanuit|vanaf' },
  sv: { to: 'till', from: 'fran|av' },
  da: { to: 'til', from: 'fra|af|av' },
  fi: { to: '-lle|-un|-on|-an|-in|-en|-yn', from: '-lta|-sta' },
  pl: { to: 'do|ku', from: 'z|ze|od' },
  cs: { to: 'do|k|ke', from: 'z|ze|od' },
  ro: {
    to: 'spre|catre|pana|la?',
    from: 'din|dinspre|de?',
    motion:
      'merg|mers|plec|vin|veni|tren|zbor|avion|autobuz|scrisoa|colet|pachet|trimi|sos|ajung|ajuns|mut|intor',
  },
  hu: { to: '-ba|-be|-ra|-re|-hoz|-hez', from: '-bol|-rol|-tol' },
  tr: { to: '-e|-a|-ye|-ya|-ne|-na', from: '-den|-dan|-ten|-tan|-nden|-ndan', alike: 'farkl|gore' },
  vi: { to: 'đến|tới|sang', from: 'từ' },
  id: { to: 'ke|kepada|menuju', from: 'dari|daripada', alike: 'beda|berbeda' },
  ru: {
    to: 'в?|во?|на?|к|ко|до',
    from: 'из|изо|с?|со?|от',
    motion:
      'еде|еду|иде|иду|пош|пое|приш|прие|приез|прибы|поезд|рейс|самолет|автобус|лети|лета|улет|прилет|верну|отправ|посыл|письм|перее|билет|выш|вез|достав|уех|уез|ходи',
  },
  uk: {
    to: 'в?|у?|до|на?|к',
    from: 'з|із|зі|від',
    motion:
      'іде|іду|піш|поіх|приіх|прии|потяг|поізд|реис|літак|автобус|леті|лист$|посилк|повер|надісл|відправ|переіх|квит',
  },
  bg: {
    to: 'към|до|в?|във?',
    from: 'от',
    motion: 'отив|отид|идв|доид|пътув|влак|полет|самолет|автобус|писмо|пратк|върн|връща|замин|пристиг|изпрат',
  },
  el: {
    to: 'σε?|στο?|στον?|στη?|στην?|στα?|προσ|μεχρι|για?',
    from: 'απο',
    motion:
      'παει|παω|πηγ|ερχ|ηρθ|τρεν|πτηση|λεωφορ|αεροπλαν|γραμμα|δεμα|στελν|στειλ|εστειλ|σταλ|φτα|εφτα|φευγ|εφυγ|ταξιδ|επιστρ',
  },
  ar: { to: 'الى|نحو|صوب', from: 'من' },
  fa: { to: 'به|تا', from: 'از' },
  hi: {
    to: 'तक|को?',
    from: 'से',
    isBehind: true,
    motion: 'जा|गय|गई|आत|आई|आय|भेज|पहुँच|पहुंच|ट्रेन|उड़ान|बस$|चिट्ठी|पत्र',
  },
  ko: {
    to: '-으로|-로|-까지|-에?',
    from: '-에서|-부터',
    motion:
      '가[는다요]|갔|간다|갑|와요|왔|온다|옵|오는|도착|출발|떠나|떠났|이사|보내|보냈|돌아|기차|비행기|버스|편지|소포',
  },
}

type Way = 'to' | 'from'
/** A word of what is said, and whether it goes there or comes from there. */
interface Placed {
  readonly key: string
  readonly token: Token
  readonly way: Way | undefined
}

/** Whether two texts say the same but that one comes from where the other goes: the flight to Osaka, and from there. */
export function haveOtherDirections(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  if (lexicon === undefined) return false
  if (lexicon.isDense) return turnDense(textOf(one), textOf(other), lexicon.code)
  const reader = readerOf(lexicon.code)
  if (reader === undefined) return false
  const tellsMotion = [...one, ...other].some(({ key }) => reader.motion?.test(key) === true)
  if (reader.alike !== undefined && [...one, ...other].some(({ key }) => reader.alike?.test(key)))
    return false
  const [a, b] = [one, other].map((tokens) => placedIn(tokens, reader, { tellsMotion, lexicon })) as [
    Placed[],
    Placed[],
  ]
  if (a.length !== b.length) return false
  const areOther = a.map((word, i) => !areSame(word, b[i] as Placed))
  const others = [...areOther.keys()].filter((i) => areOther[i])
  // One may come where the other goes: beside the way, one word may be another.
  if (others.length > 1 || others.some((i) => isTelling(a[i] as Placed) || isTelling(b[i] as Placed)))
    return false
  return a.some(({ way }, i) => {
    const there = b[i]?.way
    return !areOther[i] && way !== undefined && there !== undefined && way !== there
  })
}

/** Whether a word that is another says that another thing is told of. */
const isTelling = ({ token }: Placed): boolean =>
  token.kind !== 'word' || (!token.isFirst && /^\p{Lu}/u.test(token.raw))

const areSame = (one: Placed, other: Placed): boolean =>
  one.key === other.key || areFormsOfOne(one.key, other.key)

/** How the words of a language are read. */
interface Reader {
  readonly words: ReadonlyMap<string, { readonly way: Way; readonly isSure: boolean }>
  readonly ends: readonly { readonly end: string; readonly way: Way; readonly isSure: boolean }[]
  readonly isBehind: boolean
  readonly motion: RegExp | undefined
  readonly alike: RegExp | undefined
}

const readerOf = memo((code: string): Reader | undefined => {
  const language = directing[code]
  if (language === undefined) return undefined
  const all = (['to', 'from'] as const).flatMap((way) =>
    language[way].split('|').map((written) => ({
      text: written.replace(/^-|\?$/g, ''),
      isEnd: written.startsWith('-'),
      isSure: !written.endsWith('?'),
      way,
    })),
  )
  const startsWith = (list: string | undefined) =>
    list === undefined ? undefined : new RegExp(`^(?:${list})`, 'u')
  return {
    words: new Map(all.filter(({ isEnd }) => !isEnd).map(({ text, way, isSure }) => [text, { way, isSure }])),
    ends: all
      .filter(({ isEnd }) => isEnd)
      .map(({ text, way, isSure }) => ({ end: text, way, isSure }))
      .toSorted((a, b) => b.end.length - a.end.length),
    isBehind: language.isBehind ?? false,
    motion: startsWith(language.motion),
    alike: startsWith(language.alike),
  }
})

/** The words of a text but for articles and those that tell the way, each with the way that they tell of it. */
function placedIn(
  tokens: readonly Token[],
  reader: Reader,
  { tellsMotion, lexicon }: { readonly tellsMotion: boolean; readonly lexicon: Lexicon },
): Placed[] {
  const placed: Placed[] = []
  let way: Way | undefined
  const last = () => placed.at(-1)
  for (const token of tokens) {
    const key = keyIn(lexicon.code, token)
    // The end of a Turkish name stands apart.
    const found = reader.words.get(key) ?? reader.ends.find(({ end }) => placed.length > 0 && key === end)
    const before = last()
    if (found !== undefined && (found.isSure || tellsMotion)) {
      const isBehind = reader.isBehind || !reader.words.has(key)
      if (!isBehind) way ??= found.way
      else if (before !== undefined) placed[placed.length - 1] = { ...before, way: found.way }
      continue
    }
    if (found !== undefined || loose.has(key) || isDeterminer(token, lexicon)) continue
    const end = reader.ends.find(
      (each) =>
        (each.isSure || tellsMotion) && key.endsWith(each.end) && key.length >= each.end.length + leastStem,
    )
    placed.push({ key: end === undefined ? key : key.slice(0, -end.end.length), token, way: way ?? end?.way })
    way = undefined
  }
  return placed
}
const leastStem = 2

/** Words of Japanese and Thai behind and before a place, and how verbs of coming and going begin. */
const dense: Readonly<Record<string, { to: RegExp; from: RegExp; motion: RegExp }>> = {
  ja: {
    to: /^(?:へ|まで|に)/u,
    from: /^から/u,
    motion: /行|来|着|向|帰|戻|届|送|移|引っ越|出発|出る|出ま|発/u,
  },
  th: { to: /^(?:ถึง|ไปยัง|สู่|ไป)/u, from: /^(?:มา)?จาก/u, motion: /^/u },
}

const textOf = (tokens: readonly Token[]): string => tokens.map(({ key }) => key).join('')

/** As for other languages, where words are not set apart: what comes before the word for the way is the same. */
function turnDense(one: string, other: string, code: string): boolean {
  if (code === 'zh') return turnChinese(one, other) || turnChinese(other, one)
  const patterns = dense[code]
  if (patterns === undefined) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const [rest, otherRest] = [one.slice(at), other.slice(at)]
  return [[rest, otherRest] as const, [otherRest, rest] as const].some(([from, to]) => {
    if (at === 0 || !patterns.from.test(from) || !patterns.to.test(to)) return false
    return [from.replace(patterns.from, ''), to.replace(patterns.to, '')].every((left) =>
      patterns.motion.test(left),
    )
  })
}

/** Characters of Chinese by which a place is known to be the same, and most by which what else is said may differ. */
const placeCharacters = 2
const mostOther = 2
const comingFrom = /[从從]/u
const goingTo = /[到去往向至回给給]/gu

/** Whether the one text says "from" before a place, and the other "to". */
function turnChinese(from: string, to: string): boolean {
  const at = from.search(comingFrom)
  if (at < 0 || comingFrom.test(to)) return false
  const place = from.slice(at + 1, at + 1 + placeCharacters)
  const goes = (text: string) =>
    [...text.matchAll(goingTo)].some(({ index }) => text.startsWith(place, index + 1))
  if (place.length < placeCharacters || goes(from) || !goes(to)) return false
  const rest = (text: string) => [...text.replace(comingFrom, '').replaceAll(goingTo, '')]
  const beyond = (own: string[], there: string[]) => own.filter((each) => !there.includes(each)).length
  const [own, there] = [rest(from), rest(to)]
  return beyond(own, there) + beyond(there, own) <= mostOther
}
