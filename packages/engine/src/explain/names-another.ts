import { readComparable } from '../contradiction/contradiction.ts'
import { personsOf } from '../contradiction/persons.ts'
import { isSameStem, sharedBeginning } from '../contradiction/stems.ts'
import { areOthers, bearersOf, type Things, thingsOf } from '../contradiction/things.ts'
import { readTokens } from '../contradiction/tokens.ts'
import type { Lexicon } from '../contradiction/words.ts'
import { fold } from '../lexical/tokenise.ts'
import { parameters } from '../parameters.ts'
import { endsWithTitle } from '../sentence-segmenter.ts'
import { asksForValue, asksPlainly, isOfAsking } from './asking.ts'
import { explanationLanguages } from './languages.ts'
import { isDeterminer, isSmall } from './terms.ts'

/**
 * How much nearer to a text a question comes without a word, at least, where the text has another in its place: what a text says
 * in other words, or in another language, a question is farther from without it. Chosen on 165 questions in nine languages that a
 * text answers, and 135 that ask the same of another thing.
 */
const nearerMin = {
  /** Of a relative or an animal, where the text has another. Their words are near to one another. */
  kind: -0.11,
  /** Of a name, where the text has another; of an abbreviation in capitals, where it has another of those. */
  name: 0,
  /** Of what stands behind a small word and before none that tells more, as nouns do: "for the taxi", "du garage". */
  noun: 0.02,
  /**
   * Of another word, or a name in another script or where the text has a relative or an animal, which may be called by it; and of
   * all words where a text says so much that it may be about both.
   */
  word: 0.13,
} as const

/** Most UTF-16 units of a text that is about one thing: a sentence or two. */
const oneThingMax = 160

/** Words of a question that are looked at: each takes an embedding. */
const wordsMax = 4

/** A word of a text. */
interface Word {
  written: string
  key: string
  /** Where it begins in the text. */
  index: number
  /** Which word of the text it is, where particles within names do not count: in "Ida van Dijk" the second. */
  at: number
  /** Whether nothing but a space parts it from the word before: in "Tom Berg", not in "Tom's car". */
  isJoined: boolean
  /** Whether a title stands before it, so that it is a name. */
  isTitled: boolean
  /** Whether a sentence begins with it. */
  isFirst: boolean
  /** Whether it stands as a noun does, see `nearerMin`. */
  isNoun: boolean
  things: Things
  bearers: Things
}

/** A text, read for the things that it names. */
interface Read {
  language: string | undefined
  words: Word[]
  /** Whether somebody speaks of themselves in it: it need not have their name, nor say again what they spoke of before. */
  isSpoken: boolean
}

/**
 * Whether a text is about another thing or person than a question: one that the question names is not in it, in no other words
 * either, and others are in its place: the taxi, and not the tickets; Postgres, and not Redis.
 * @param cosineOf of the embeddings of two texts
 */
export async function namesAnother(
  question: string,
  text: string,
  cosineOf: (one: string, other: string) => Promise<number>,
): Promise<boolean> {
  if (!wantsValue(question)) return false
  const [asked, told] = [readWords(question), readWords(text)]
  if (told.isSpoken && !asked.isSpoken) return false
  const isHowTo = howTo.test(question)
  const floor = text.length > oneThingMax ? nearerMin.word : Number.NEGATIVE_INFINITY
  const floorOfNouns = wantsName.test(question) && told.words.some(isCapital) ? nearerMin.word : floor
  const missing = missingIn(asked, told)
    .filter(({ least }) => !isHowTo || least < nearerMin.noun)
    .map(({ word, least }) => ({
      word,
      least: Math.max(least, word.isNoun && !isName(word, asked) ? floorOfNouns : floor),
    }))
    .slice(0, wordsMax)
  if (missing.length === 0) return false
  const [whole, ...without] = await Promise.all(
    [question, ...missing.map(({ word }) => withoutWord(question, word))].map((each) => cosineOf(each, text)),
  )
  return missing.some(({ least }, i) => (without[i] as number) - (whole as number) > least)
}

/** Words that ask for something, in forms that begin questions only where something is asked of a thing. */
const inflected =
  /(?<!\p{L})(?:wo(?:r|mit|von|für|gegen|nach|bei|zu)\p{L}*|ч(?:его|ему|ём|ем)|к(?:ем|ом)|как(?:ом|их|им|ими|ого|ому|ую)|котор\p{L}+|kogo|komu|czego|czemu|jakiej|jakim|jakiego|koho|čeho|jakém|jakou)(?!\p{L})/iu

/** Whether a question wants to be told something of what it names: what is of another is an answer to one that wants a yes or no. */
const wantsValue = (question: string): boolean =>
  asksForValue(question) || asksPlainly(question) || inflected.test(question)

/** "What was the campsite called?" is answered by a name, which need not say again what it is of. */
const wantsName =
  /(?<!\p{L})(?:called|names?|named|hei(?:ß|ss)en|hei(?:ß|ss)t|hie(?:ß|ss)(?:en)?|namen?|(?:s['’])?appell?(?:e|ent|ait|aient)|noms?|llam[aó]\p{L}*|nombres?|chiam[ao]\p{L}*|nomi?|nomes?|chama\p{L}*|heten|heet|heette|naam|heter|hette|hedder|hed|namn|navn|(?:на)?зва\p{L}+|(?:на)?зовут|имя|nazyw\p{L}+|imię|nazwa|jmen\p{L}+)(?!\p{L})/iu

/** "How do I get into the house?" is answered by what names other things, as the key. */
const howTo = /(?<!\p{L})how (?:do|does|can|could|should|to)(?!\p{L})/iu

const withoutWord = (question: string, { index, written }: Word): string =>
  `${question.slice(0, index)}${question.slice(index + written.length)}`.replaceAll(/\s+/gu, ' ')

/** Words of a question that a text has not, which has others in their place, and how much nearer it must be without each. */
function missingIn(asked: Read, told: Read): { word: Word; least: number }[] {
  const others = told.words.filter((word) => !asked.words.some((each) => areForms(word, each)))
  if (others.length === 0) return []
  return asked.words
    .filter((word) => !told.words.some((each) => areForms(word, each)))
    .filter((word) => !isSaidShort(word, asked, told) && !isAbbreviated(word, asked, told))
    .flatMap((word) => {
      const least = leastFor(word, asked, { ...told, words: others })
      return least === undefined ? [] : [{ word, least }]
    })
    .sort((a, b) => a.least - b.least)
}

const isCapital = ({ written }: Pick<Word, 'written'>): boolean => /^\p{Lu}/u.test(written)

/** The words with capitals that stand together where one does: "Ada Lopez", "Nordbank Holding". */
function runOf(word: Word, { words }: Read): Word[] {
  const isBeside = (one: Word | undefined, next: Word | undefined): boolean =>
    one !== undefined && next?.isJoined === true && next.at === one.at + 1 && [one, next].every(isCapital)
  let from = words.indexOf(word)
  let to = from
  while (isBeside(words[from - 1], words[from])) from--
  while (isBeside(words[to], words[to + 1])) to++
  return words.slice(from, to + 1)
}

/** Whether a text has a name without this part of it, and none in the place of the part: "Ada" or "Ms Lopez" for "Ada Lopez". */
function isSaidShort(word: Word, asked: Read, told: Read): boolean {
  return runOf(word, asked).some((beside) =>
    told.words.some((anchor) => {
      if (beside === word || !areForms(beside, anchor)) return false
      // In German "Emma Geburtstag" are no two names of one.
      const isGerman = [asked, told].some(({ language }) => language === 'de')
      if (isGerman && isSurelyName(word) && !isSurelyName(anchor)) return false
      const run = runOf(anchor, told)
      const instead = run[run.indexOf(anchor) + Math.sign(word.at - beside.at)]
      return instead === undefined || asked.words.some((each) => areForms(each, instead))
    }),
  )
}

const capitals = /^\p{Lu}{2,}\p{N}*$/u

/** Whether one text has the initials for names that the other writes out, with this among them: NYC and New York City. */
function isAbbreviated(word: Word, asked: Read, told: Read): boolean {
  const initialsIn = (run: readonly Word[]) => run.map(({ written }) => written[0]).join('')
  const areShort = ({ written }: Word, initials: string) =>
    capitals.test(written) &&
    Array.from(initials, (_, i) => initials.slice(i)).some(
      (each) => each.length > 1 && written.startsWith(each),
    )
  const initials = initialsIn(runOf(word, asked))
  return (
    told.words.some((each) => areShort(each, initials)) ||
    told.words.some((each) => areShort(word, initialsIn(runOf(each, told))))
  )
}

/** Shorter words, in UTF-16 units, have a stem in common with others by chance. */
const stemMin = 3

/** Whether two words are forms of one, or of the same relative: "hermano" is no form of "hermana". */
function areForms(a: Word, b: Word): boolean {
  if (a.key === b.key) return true
  if (a.things.size > 0 && b.things.size > 0) return [...a.things].some((thing) => b.things.has(thing))
  const [short, long] = [a.key, b.key].sort((one, other) => one.length - other.length) as [string, string]
  // "Termin" is in "Zahnarzttermin", and "vence" begins as "vencimiento" does.
  if (short.length > stemMin && (long.includes(short) || sharedBeginning(short, long) > stemMin)) return true
  // "Rad" is what a "Fahrrad" is.
  if (short.length === stemMin && long.length > short.length + 2 && long.endsWith(short) && !areNamed(a, b))
    return true
  return short.length >= stemMin && isSameStem(short, long)
}

const areNamed = (...words: readonly Word[]): boolean => words.some(({ bearers }) => bearers.size > 0)

/** @param told the text, with those of its words that the question has not */
function leastFor(word: Word, asked: Read, told: Read): number | undefined {
  const isOneLanguage = asked.language !== undefined && asked.language === told.language
  if (word.things.size > 0) return leastForKind(word, asked, told)
  if (isName(word, asked)) {
    const others = told.words.filter(({ written, bearers }) => bearers.size > 0 || /^\p{Lu}/u.test(written))
    const isNicknamed = others.some(({ bearers }) => [...bearers].some((bearer) => word.bearers.has(bearer)))
    if (others.length === 0 || isNicknamed) return undefined
    if (capitals.test(word.written) && !others.some(({ written }) => capitals.test(written)))
      return nearerMin.word
    if (told.words.some(({ things }) => things.size > 0)) return nearerMin.word
    return others.some(({ written }) => isLatin(written) === isLatin(word.written))
      ? nearerMin.name
      : nearerMin.word
  }
  if (!isOneLanguage) return undefined
  return word.isNoun ? nearerMin.noun : nearerMin.word
}

const isLatin = (word: string): boolean => /\p{Script=Latin}/u.test(word)

/** A relative may be called by a name, so that only another one surely is in its place. */
function leastForKind(word: Word, asked: Read, told: Read): number | undefined {
  const isOneLanguage = asked.language !== undefined && asked.language === told.language
  const tellsAge = [asked, told].some(({ language }) => tellingAge.has(language ?? ''))
  const comparable = (things: Iterable<string>): Things =>
    new Set([...things].filter((thing) => isOneLanguage || (tellsAge ? parent : nearRelative).test(thing)))
  const others = comparable(told.words.flatMap(({ things }) => [...things]))
  if (areOthers(comparable(word.things), others)) return nearerMin.kind
  return isOneLanguage && others.size === 0 ? nearerMin.word : undefined
}

/** A mother and a father, which have the same places in the lists of all languages, and a brother and a sister. */
const parent = /^0\.[01]$/u
const nearRelative = /^0\.[0-3]$/u
/** Languages in which older and younger brothers have words of their own, which take more places. */
const tellingAge = new Set(['zh', 'ja', 'ko', 'th', 'vi', 'hu', 'tr', 'id'])

/** Whether a word is written as a name; in German all nouns are. */
const isName = (word: Word, { language }: Read): boolean =>
  isSurelyName(word) || (isCapital(word) && !word.isFirst && language !== 'de')
const isSurelyName = ({ bearers, isTitled }: Word): boolean => bearers.size > 0 || isTitled

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
const list = (words: string): ReadonlySet<string> => new Set(fold(words).split(/\s+/u))

/** What stands before a noun beside articles and the like, also joined to one. */
const prepositions = list(
  `for of with in on at from by about de du au aux pour avec dans en chez sur für von mit in bei aus auf am im zum zur vom beim
  del al para con por di da della dello dell degli delle do dos das no na em com voor van met op aan för av med på till в на о об для
  за у с из от по про`,
)
/** Titles, beside those with a full stop, and forms of companies: beside a name they are no part of it. */
const besideNames = list(
  `mister missus miss madam sir lady lord dame doctor professor captain colonel major general sergeant lieutenant officer judge
  king queen prince princess president herr herrn frau fräulein doktor professorin kapitän monsieur madame
  mademoiselle maître docteur docteure professeur professeure capitaine señor señora señorita don doña doctora profesor profesora
  capitán signor signore signora signorina dottore dottoressa dottor professore professoressa professor avvocato capitano senhor
  senhora dona doutor doutora professora capitão seu meneer mevrouw mijnheer dokter kapitein fru fröken frøken hr herra rouva neiti
  tohtori pan pani pana panu panem panią panią państwo pán paní pana panu slečna domnul doamna domnului doamnei úr asszony kisasszony
  bay bayan bey hanım sayın господин госпожа господина господину госпоже товарищ доктор профессор капитан пан пані пана панові
  κύριος κυρία κύριο κυρίου bapak ibu pak bu ông bà anh chị
  ag gmbh kg ug ohg se ltd limited inc incorporated corp corporation co company plc llc llp sa sas sarl sàrl spa srl sl slu ltda lda
  bv nv ab as asa aps oy oyj kft zrt bt sro doo ooo оао ооо зао пао ао тов`,
)
/** Within a name, behind the first part of it. */
const particles = list(
  `van von der den ter ten de da di del della dos das du la le las los bin ibn al el af av`,
)
/** In English what stands behind one, without an article, is whom or what a question is about: "When was postgres upgraded". */
const auxiliaries = list('was were did does')
/** Before these stands what is asked for of something: "the address of", "le nom de". */
const genitives = list('of de du des d del della di dello dell do da dos das von vom van av')
/** They say when, and not of what something is asked. */
const times = list(
  `summer winter autumn spring été hiver automne printemps sommer herbst frühling verano invierno otoño primavera estate inverno autunno
  morning afternoon evening night noon matin soir nuit midi morgen vormittag nachmittag abend nacht mañana tarde noche mattina sera notte
  manhã noite ochtend middag avond nacht утром днём вечером ночью утро вечер ночь ранок вечір`,
)
/** Behind these stands what kind of thing is asked for: "what medicine", "welche Farbe". */
const whichOf = list(
  `what which many quel quelle quels quelles welche welcher welches welchen welchem viele que cual cuales cuantos cuantas che quale
  quali quanti quante qual quais quantos quantas welk welke vilken vilket vilka hvilken hvilket hvilke jaki jaka jakie jaky какой какая
  какое какие каком какую каким яка який яке які hangi 什么 什麼 哪个 哪 何 どの`,
)

/** The words of the beginning of a text that may name what it is about. */
function readWords(whole: string): Read {
  const text = whole.slice(0, parameters.belief.textCharacters)
  const { language, lexicon } = readComparable(text)
  const found = readAll(text, lexicon)
  const words = found.flatMap(({ segment, ...word }, i) => {
    const [last, after] = [found[i - 1], found[i + 1]]
    const before = last?.key ?? ''
    if (whichOf.has(before) || !maySay(word, lexicon)) return []
    const things = readThings(word.written, lexicon)
    if (isBesideName(word, last, after) && things.things.size + things.bearers.size === 0) return []
    const isBehindSmall =
      elided.test(segment) ||
      prepositions.has(before) ||
      isDeterminer(before, lexicon) ||
      owning.test(last?.segment ?? '')
    const isOfOther = after !== undefined && (genitives.has(after.key) || /^d['’]/iu.test(after.segment))
    const isModifier = after !== undefined && maySay(after, lexicon)
    // In German nouns are told by their capitals.
    const isTitled = last !== undefined && isCapital(word) && isBesideName(last, word)
    const isNoun =
      auxiliaries.has(before) ||
      (isBehindSmall && !isOfOther && (language === 'de' ? isCapital(word) : !isModifier))
    return [{ ...word, isTitled, isNoun, ...things }]
  })
  const persons = lexicon && personsOf(lexicon)
  const isSpoken = found.some(({ key }) => persons?.get(key) === '1' && !isDeterminer(key, lexicon))
  return { language, words, isSpoken }
}

type Found = Pick<Word, 'written' | 'key' | 'index' | 'at' | 'isJoined' | 'isFirst'> & { segment: string }

/** All words of a text, small ones too. */
function readAll(text: string, lexicon: Lexicon | undefined): Found[] {
  const found: Found[] = []
  let [end, at, isInName] = [0, 0, false]
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue
    const last = found.at(-1)
    const written = segment.replace(owning, '').replace(elided, '')
    const key = fold(written)
    const between = text.slice(end, index)
    const isBegun = last !== undefined && !sentenceStart.test(between)
    const isFirst = !isBegun && !endsWithTitle(text.slice(0, index).trimEnd())
    const isJoined = /^[\s-]$/u.test(between) && !owning.test(last?.segment ?? '')
    isInName =
      isJoined &&
      particles.has(segment) &&
      (isInName || (last !== undefined && readThings(last.written, lexicon).bearers.size > 0))
    if (!isInName) at++
    found.push({ segment, written, key, index: index + segment.indexOf(written), at, isJoined, isFirst })
    end = index + segment.length
  }
  return found
}
const owning = /['’]s$/iu

/** Whether a word is a title or says what kind of company one is, beside a name. */
const isBesideName = (
  { key, written }: Pick<Word, 'key' | 'written'>,
  ...beside: (Pick<Word, 'written'> | undefined)[]
): boolean =>
  (besideNames.has(key) || endsWithTitle(`${written}.`)) &&
  beside.some((each) => each !== undefined && isCapital(each))
const sentenceStart = /[\p{Sentence_Terminal}:¿¡"“«„\n]/u
const elided = /^(?:[cdjlmnst]|qu|dell|dall|nell|sull|un)['’](?=\p{L})/iu

function readThings(written: string, lexicon: Lexicon | undefined): Pick<Word, 'things' | 'bearers'> {
  const { tokens } = readTokens(written)
  const [token] = tokens
  if (token === undefined) return { things: nothing, bearers: nothing }
  const whole = { ...token, raw: written, lower: written.toLowerCase(), key: fold(written) }
  return { things: thingsOf(whole, lexicon), bearers: bearersOf(whole, lexicon) }
}
const nothing: Things = new Set()

const isSmallIn = (key: string, lexicon: Lexicon | undefined): boolean =>
  lexicon?.common.has(key) === true || isDeterminer(key, lexicon) || prepositions.has(key)

/** Whether a word may name a thing: no small word, number or date, and none that says how something is asked. */
function maySay(
  { key, written, isFirst }: Pick<Word, 'key' | 'written' | 'isFirst'>,
  lexicon: Lexicon | undefined,
): boolean {
  if (/^\p{N}/u.test(key) || isSmallIn(key, lexicon) || times.has(key)) return false
  // "Anna" is a name, and how requests begin in Finnish.
  if (isOfAsking(key) && (isFirst || !/^\p{Lu}/u.test(written))) return false
  if ([...key].length < (/\p{Script=Han}|^\p{Lu}/u.test(written) ? 1 : stemMin)) return false
  if (lexicon?.verbs.has(key) || lexicon?.months.has(key)) return false
  if (lexicon?.weekdays.some(({ text }) => text === key)) return false
  return !explanationLanguages.some((language) => isSmall(written, language))
}
