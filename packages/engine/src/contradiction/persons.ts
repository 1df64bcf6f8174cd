import { fold } from '../lexical/tokenise.ts'
import { memo } from './memo.ts'
import { areMutual } from './mutual.ts'
import { areFormsOfOne, copula } from './roles.ts'
import type { Token } from './tokens.ts'
import { keyIn, type Lexicon } from './words.ts'

/**
 * Forms of each person: I, we, you, he, she, they. A form of "be" in the first person tells who is meant where the pronoun is left
 * out.
 */
const forms: Readonly<Record<string, string>> = {
  en: 'i me mine my am|we us ours our|you yours your|he him his|she her hers|they them theirs their',
  fr: 'je j moi suis|nous sommes|tu toi es vous|il lui|elle|ils eux|elles',
  de: 'ich mich mir bin|wir uns|du dir dich bist|er ihn ihm|sie ihr',
  es: 'yo mi soy estoy|nosotros nosotras somos|tu ti eres|él|ella|ellos|ellas',
  it: 'io me sono|noi siamo|tu te sei|lui|lei|loro',
  pt: 'eu mim sou estou|nós somos|tu ti és você|ele|ela|eles|elas',
  nl: 'ik mij me ben|wij we ons|jij je jou bent|hij hem|zij ze haar',
  sv: 'jag mig|vi oss|du dig|han honom|hon henne|de dem',
  da: 'jeg mig meg|vi os oss|du dig deg|han ham|hun hende henne|de dem',
  fi: 'minä minua olen|me olemme|sinä olet|hän|he',
  pl: 'ja mnie mną jestem|my nas jesteśmy|ty ciebie jesteś|on niego jego|ona niej jej|oni one nich',
  cs: 'já mě mne jsem|my nás jsme|ty tě tebe jsi|on něj jeho|ona ní ji|oni ony nich',
  ro: 'eu mine sunt|noi suntem|tu tine ești|el|ea|ei|ele',
  hu: 'én vagyok|mi vagyunk|te vagy|ő|ők',
  ru: 'я меня мне мной|мы нас|ты тебя вы вас|он его него|она её неё ней|они их них',
  uk: 'я мене мені|ми нас|ти тебе ви вас|він його нього|вона її неї|вони їх них',
  bg: 'аз мен съм|ние нас сме|ти теб си|той него|тя нея|те тях',
  el: 'εγώ εμένα μένα είμαι|εμείς εμάς|εσύ εσένα|αυτός αυτόν|αυτή αυτήν',
  id: 'saya aku|kami kita|kamu anda|dia|mereka',
  vi: 'tôi|chúng tôi|bạn|anh ấy|cô ấy',
  ar: 'أنا مني|نحن منا|أنت منك|هو منه|هي منها|هم منهم',
  tr: 'ben benden|biz bizden|sen senden|o ondan|onlar onlardan',
  hi: 'मैं मुझ मुझसे|हम हमसे|तू तुम तुझसे तुमसे आप आपसे|वह उस उससे|वे उन उनसे',
  ko: '나 내 저 제|우리|너 네|그|그녀',
}

export const foldIn = (code: string, word: string): string => (code === 'vi' ? word : fold(word))

/** Persons by their words. */
export const personsOf = memo(({ code }: Lexicon): ReadonlyMap<string, string> => {
  const groups = forms[code]?.split('|') ?? []
  return new Map(
    groups.flatMap((words, i) =>
      words.split(' ').map((word) => [foldIn(code, word), String(i + 1)] as const),
    ),
  )
})

/** Whether two texts say the same but that two persons are in each other's place: he gave her a ring, she gave him one. */
export function haveOtherPersons(
  one: readonly Token[],
  other: readonly Token[],
  lexicon: Lexicon | undefined,
): boolean {
  if (lexicon === undefined || one.length !== other.length) return false
  const persons = personsOf(lexicon)
  const personAt = (token: Token) => persons.get(keyIn(lexicon.code, token))
  const met = new Map<string, string>()
  const places: Place[] = []
  for (const [i, token] of one.entries()) {
    const there = other[i] as Token
    const [person, otherPerson] = [personAt(token), personAt(there)]
    // "Am" is a person too, but tells nothing beside the pronoun.
    if ([token, there].every(({ key }) => copula.test(key))) continue
    if (person === undefined && otherPerson === undefined && areFormsOfOne(token.key, there.key)) continue
    if (person === undefined || otherPerson === undefined) return false
    // "He/she" is "she/he".
    if (person !== otherPerson && isListed(one, i, lexicon)) return false
    if ((met.get(person) ?? otherPerson) !== otherPerson) return false
    met.set(person, otherPerson)
    if (person !== otherPerson) places.push({ at: i, person })
  }
  const moved = [...met].filter(([from, to]) => from !== to)
  if (moved.length !== 2 || moved.some(([from, to]) => met.get(to) !== from)) return false
  // He met her, and she met him: it is the same in every place where the one stands behind the other.
  const meetings = places.slice(1).flatMap((place, i) => {
    const before = places[i] as Place
    return before.person === place.person ? [] : [[before.at + 1, place.at, place.at + 1] as const]
  })
  return !meetings.every((meeting) => areMutual(one, meeting, lexicon))
}

/** Where a person stands who is another one in the other text. */
interface Place {
  readonly at: number
  readonly person: string
}

/** Whether a mark or a word such as "and" stands before a word: there it is one of several of whom the same is said. */
const isListed = (tokens: readonly Token[], at: number, { joins }: Lexicon): boolean => {
  const { isJoined, isSetOff } = tokens[at] as Token
  return isJoined || isSetOff || joins.has(tokens[at - 1]?.key ?? '')
}
