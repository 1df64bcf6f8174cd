import { askedOf, asksForValue, isQuestion } from '../explain/asking.ts'
import { type Report, reportOf, reportsOf, wantsValue } from '../explain/indirect.ts'
import { fold } from '../explain/terms.ts'
import { parameters } from '../parameters.ts'
import { addsNothing, wordsOf } from './words-added.ts'

const { askedAgainValue } = parameters.recall

/**
 * Tells the texts that only tell of a question like the query: "I can't remember where I parked" for "Where did I park?".
 * Not where the query is about who asks, or wants something else of it: a yes or no in place of a value.
 * @returns undefined for a text that tells of no question, or is far from the query
 */
export function reportedBy(query: string): (one: { text: string; cosine: number }) => boolean | undefined {
  const own = reportOf(query)
  const wanted = own?.asked ?? askedOf(query)
  const words = new Set(wordsOf(wanted))
  const values = wantsValue(wanted)
  const asks = isQuestion(query) || own !== undefined
  const isWhat = identity.test(fold(wanted))
  const isMatching = (report: Report, cosine: number): boolean => {
    const { by, verb, asked, kind } = report
    if (wordsOf(verb).some((word) => !smallVerb.test(word) && isLike(word, words))) return false
    const isOwners = wordsOf(by).some((word) => word.length >= ownerLength && isLike(word, words))
    if (kind === 'thing') {
      const isWanted = isWhat || (isAttribute(asked) && (values || !asks))
      return (
        isWanted && !isOwners && addsNothing(asked.replace(attribute, ' ').replaceAll(determiner, ' '), words)
      )
    }
    const addsNone = addsNothing(asked, words)
    if (!asks) return addsNone
    if ((kind === 'value') !== values) return false
    if (isOwners && !(values && words.has(wordsOf(asked)[0] ?? ''))) return false
    const isNumbered = (asked.match(/\p{N}+/gu) ?? []).some((number) => !words.has(number))
    // What asks with the same word, "when", asks the same though it is farther.
    const isSameWord = wordsOf(asked).some((word) => words.has(word) && wantsValue(word))
    const isNear = isSameWord || cosine >= askedAgainValue
    return addsNone || (isNear && !isNumbered && !further.test(asked))
  }
  return ({ text, cosine }) =>
    cosine < reportedMin ? undefined : reportsOf(text)?.every((report) => isMatching(report, cosine))
}

/** What is farther from the query has few words of it, and is not looked at, which would take longest. */
export const reportedMin = 0.45

/** Shortest word by which somebody is told apart: "Sam", and not "my". */
const ownerLength = 3
/** Verbs that questions have as well, whatever they ask. */
const smallVerb =
  /^(?:can|can't|could|do|does|did|have|has|not|no|never|to|of|for|about|is|was|are|ich|habe|mir|ist)$/u
/** Whether some words have one that begins as a word does: "asked" is of asking as "ask" is. */
const isLike = (word: string, words: ReadonlySet<string>): boolean =>
  [...words].some((other) => {
    if (asksForValue(other)) return false
    const [short, long] = word.length < other.length ? [word, other] : [other, word]
    if (short.length < 3)
      return /^(?:(?![了我])\p{sc=Han}|\p{sc=Hangul}{2})$/u.test(short) && long.startsWith(short)
    return long.startsWith(short) || (short.length > 3 && long.startsWith(short.slice(0, 4)))
  })

/** What asks what or who somebody or something is, in folded text. */
const identity =
  /^[\p{P}\s]*(?:(?:what|who|which)(?:'s|\s+(?:is|are|was|were))|(?:quel|quelle|quels|quelles|qui|c'est)\s+(?:est|sont|quoi)|comment s'appelle|(?:was|wer|wie|welche[rs]?)\s+(?:ist|sind|heisst|lautet|war)|(?:cual|quien|que)\s+(?:es|son|era)|como se (?:llama|chama)|(?:qual|chi|cosa|cos'|qual')\s*e|come si chiama|(?:qual|quem|o que)\s+e|(?:wat|wie)\s+is|hoe heet|(?:jaki|jaka|jakie|kto|kim|co)\s+(?:jest|to)|jak sie nazywa|(?:jaky|jaka|jake|kdo|co)\s+je|jak se jmenuje|(?:vad|vem|vilken|vilket|hvad|hvem|hva|hvilken)\s+(?:ar|er|heter|hedder)|(?:какои|какая|какое|кто|как)(?!\p{L})|(?:якии|яка|яке|хто|як)(?!\p{L})|(?:ποιος|ποια|ποιο|τι)\s+ειναι|πως λεν|(?:mika|kuka)\s+on|(?:mi|ki)\s+a(?:z)?\s|apa|siapa|ما|من|מה|מי)|(?:是(?:什么|谁|多少)|多少|叫什么|は(?:何|誰|だれ|なに)?[\p{P}\s]*$|何番|何です|誰です|뭐|무엇|누구|몇|\s(?:la gi|la ai|bao nhieu|ne|kim|nedir|kimdir)(?!\p{L})|क्या|कौन|อะไร|ใคร|เท่าไ)/u

/** What is told of a thing, in folded text. */
const attribute =
  /(?:^|[\s'])(?:name|number|address|code|password|iban|pin|date|time|price|nom|numero|adresse|mot de passe|nummer|passwort|telefonnummer|nombre|direccion|codigo|contrasena|nome|indirizzo|codice|endereco|senha|naam|adres|wachtwoord|namn|navn|adress|losenord|nazw[aeiy]|imi\p{L}+|numer\p{L}*|hasl\p{L}|jmen\p{L}|cisl\p{L}|hesl\p{L}|имя|имени|номер\p{L}*|адрес\p{L}*|код\p{L}*|парол\p{L}*|ім'я|назв\p{L}+|ονομα|αριθμο|κωδικο|nimi|nimen|numeron|nev|szam|nama|nomor|alamat|sandi|ten|so|mat khau|اسم|رقم|عنوان|שם|מספר|כתובת)(?!\p{L})|名字|电话|号码|地址|密码|名前|番号|住所|暗証|パスワード|(?:이름|번호|주소|비밀번호)\S*|नाम|नंबर|पता|ชื่อ|เบอร์|รหัส|ที่อยู่|adı|numara|adres|şifre/u
/** Whether something wanted is told of a thing and is known or not: its name, number, code. */
export const isAttribute = (asked: string): boolean => attribute.test(fold(asked.slice(0, attributeMax)))
const attributeMax = 24
/** Whose a thing is, or which: told of as "that place", asked for as "the place". */
const determiner =
  /(?<!\p{L})(?:our|your|his|her|their|that|this|mein|unser|sein|ihr|dies)(?:e[mnrs]?)?(?!\p{L})|(?<!\p{L})(?:vom|zum|mes|nos|notre|votre|cette|nuestr[oa]|este|esta|nostr[oa]|dell[ao]|noss[oa]|mijn|onze|min|mitt|mina|var|vart|moj|nasz|мои|наш|тот|той)(?!\p{L})/gu

/** What adds a statement behind a question that is told of. */
const further =
  /[,;:，；：、–—]|\s-\s|(?<!\p{L})(?:and|und|et|och|og|oraz|και|és|dan|và|but|because|since|until|though|although|so that|aber|weil|obwohl|mais|parce|pero|porque|ma|perché|mas|maar|omdat|ale|bo|protože|men|för att|fordi|но|потому|але|бо|αλλά|mutta|koska|de|mert|tapi|karena|nhưng|vì|لكن|لأن|אבל|כי|लेकिन|क्योंकि|ama|çünkü|แต่)(?!\p{L})|但|因为|所以|けど|から[、。]|지만/u
