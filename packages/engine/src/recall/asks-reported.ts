import { anyOf, askedOf, asksByMark, asksForValue, isQuestion, list } from '../explain/asking.ts'
import { type Report, reportOf, reportsOf, wantsValue, whether } from '../explain/indirect.ts'
import { fold } from '../explain/terms.ts'
import { parameters } from '../parameters.ts'
import { addsNothing, wordsOf } from './words-added.ts'

const { askedAgainValue } = parameters.recall

/**
 * Tells the texts that only tell of a question like the query: "I can't remember where I parked" for "Where did I park?".
 * Not where the query is about who asks, or wants something else of it: a yes or no in place of a value, or another one. "Ada
 * asked why Tom moved to Hull" says where he moved: what says a thing that the query lacks may be its answer.
 * @returns undefined for a text that tells of no question, or is far from the query
 */
export function reportedBy(query: string): (one: { text: string; cosine: number }) => boolean | undefined {
  const own = reportOf(query)
  const wanted = own?.asked ?? askedOf(query)
  const words = new Set(wordsOf(wanted))
  const values = wantsValue(wanted)
  const asks = isQuestion(query) || own !== undefined
  const isWhat = identity.test(fold(wanted))
  const isOwners = ({ by }: Report): boolean =>
    wordsOf(by).some((word) => word.length >= ownerLength && isLike(word, words))
  const isThing = (report: Report): boolean => {
    const { asked } = report
    const isWanted = isWhat || (isAttribute(asked) && (values || !asks))
    return (
      isWanted &&
      !isOwners(report) &&
      addsNothing(asked.replace(attribute, ' ').replaceAll(determiner, ' '), words)
    )
  }
  /** With a question mark it is a question whatever it says, so that what is near asks the same. */
  const isNear = ({ asked }: Report, cosine: number): boolean => {
    const isNumbered = (asked.match(/\p{N}+/gu) ?? []).some((number) => !words.has(number))
    return cosine >= askedAgainValue && !isNumbered && !further.test(asked)
  }
  const isMatching = (report: Report, cosine: number, isMarked: boolean): boolean => {
    const { by, verb, asked, kind } = report
    if (wordsOf(verb).some((word) => !smallVerb.test(word) && isLike(word, words))) return false
    if (lacking(by.replaceAll(asker, ' '), words).length > 0) return false
    if (kind === 'thing') return isThing(report)
    if (!asks) return addsNothing(asked, words)
    const wordOfAsking = wordsOf(asked).find((word) => wantsValue(word))
    if ((kind === 'value') !== values || (wordOfAsking !== undefined && !words.has(wordOfAsking)))
      return false
    if (isOwners(report) && !(values && words.has(wordsOf(asked)[0] ?? ''))) return false
    return (isMarked && isNear(report, cosine)) || hasAll(asked, words)
  }
  return ({ text, cosine }) =>
    cosine < reportedMin
      ? undefined
      : reportsOf(text)?.every((report) => isMatching(report, cosine, asksByMark(text)))
}

/** Who or what asks, wherever questions are stored as they came. */
export const askers = list(`
  q|me|user|customer|client|human|assistant|agent|bot|ai|visitor|guest|student|patient|re|fw|fwd|subject|betreff|objet|asunto|oggetto|btw|by the way|todo|
  nutzer|nutzerin|kunde|kundin|benutzer|utilisateur|utilisatrice|client|cliente|usuario|usuaria|utente|utilizador|gebruiker|klant|użytkownik|klient|uživatel|användare|kund|kunden|bruker|brukeren|bruger|brugeren|
  пользователь|клиент|користувач|клієнт|χρήστης|πελάτης|käyttäjä|asiakas|felhasználó|ügyfél|pengguna|người dùng|مستخدم|المستخدم|العميل|משתמש|המשתמש|הלקוח|
  用户|用戶|客户|ユーザー|お客様|사용자|고객|उपयोगकर्ता|kullanıcı|müşteri|ผู้ใช้`)
const asker = new RegExp(String.raw`(?<!\p{L})${anyOf(askers)}(?!\p{L})`, 'gu')

/** Words that tell nothing which may be wanted: who wants to know, and that something is, is put, or is done. */
const telling = new Set([
  ...whether,
  ...list(`
  the|this|that|they|she|her|his|him|them|our|your|their|its|who|whoever|just|really|still|already|again|now|exactly|have|has|had|been|would|will|does|did|was|are|were|like|
  want|wants|wanted|try|trying|tried|need|needs|get|gets|put|keep|keeps|kept|lies|lie|
  der|die|das|den|dem|ich|wir|sie|mir|uns|ihn|ihm|ihr|euch|habe|haben|hat|bin|ist|sind|war|mal|gerade|leider|noch|nochmal|mehr|genau|eigentlich|möchte|möchten|will|wollte|würde|gern|gerne|liegt|liegen|steht|
  les|des|une|nous|vous|lui|leur|elle|ils|est|sont|suis|ont|avons|vient|voudrait|aimerait|se|trouve|mis|déjà|plus|
  los|las|una|uno|usted|está|están|han|hemos|puesto|
  gli|dei|della|del|ora|sono|abbiamo|hanno|trova|messo|
  uma|estou|tenho|foi|fica|
  het|een|mij|ons|zij|ben|zijn|heb|hebben|heeft|wil|zou|graag|ligt|staat|
  jag|det|den|har|hade|som|ville|skulle|ligger|står|jeg|vi|kan|
  jest|się|nie|leży|stoi|jsem|je|leží|stojí|
  мне|нам|это|был|была|лежит|стоит|находится|мені|нам|лежить|стоїть|
  είναι|έχω|βρίσκεται|minä|olen|hän|vagyok|saya|aku|kami|kita|tôi|mình|
  أنا|نحن|كان|كانت|هو|هي|وضعت|موجود|موجودة|אני|אנחנו|את|זה|שמתי|נמצא|
  मैं|मुझे|मैंने|हमें|हूँ|है|था|थी|ben|bana|bir`),
])
/** The same in Chinese and Japanese, and all of kana, which ends words and joins them. */
const tellingCharacter = /^[的了是否在我你他她们們有放个吗呢置]$|^[\p{sc=Hiragana}]$/u

/** The folded words of a text that say what it is about. */
export const contentOf = (text: string): string[] =>
  wordsOf(text).filter(
    (word) =>
      !/^\p{Ll}{1,2}$/u.test(word) && !telling.has(word) && !tellingCharacter.test(word) && !wantsValue(word),
  )
/** Those that have none like them among some words. */
const lacking = (text: string, words: ReadonlySet<string>): string[] =>
  contentOf(text).filter((word) => !words.has(word) && !isLike(word, words))
/** Whether some words have all of a text, as far as it says what it is about, and that is something. */
const hasAll = (text: string, words: ReadonlySet<string>): boolean =>
  contentOf(text).length > 0 && lacking(text, words).length === 0

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
    if (/^\p{sc=Hangul}/u.test(short)) return long.startsWith(short.slice(0, 2))
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
