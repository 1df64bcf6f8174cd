import { parameters } from '../parameters.ts'
import type { Category } from './categories.ts'
import { hasLuhnDigit, ibanLengths, isIban } from './checksum-validators.ts'

/** Keys as providers issue them, with a prefix that says whose they are. */
const issuedKey =
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|\b(?:AKIA|ASIA)[A-Z\d]{16}\b|\b(?:sk|pk|rk)[-_](?:live|test|proj)[-_][\w-]{8,}|\bgh[pousr]_[A-Za-z\d]{16,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\beyJ[\w-]{10,}\.[\w-]{3,}\.[\w-]{3,}/

const secretWords = [
  'pass ?(?:word|code|phrase)s?|pwd|passwd|api[ -]?(?:key|token)|(?:access|auth|secret) (?:key|token)|pin',
  'mots? de passe|mdp|cl[ée] (?:d.)?api|code (?:pin|secret)|api-?schlüssel|geheimzahl|zugangscode',
  'contraseñas?|clave (?:secreta|de api)|senhas?|palavra-passe|chave (?:de )?api|parola d.ordine|chiave api',
].join('|')
/** Words that stand without spaces around them, or at the end of a compound. */
const joinedSecretWords =
  'passwort|kennwort|密码|口令|パスワード|暗証番号|пароль|пин-?код|كلمة (?:المرور|السر)|الرقم السري'
const isWords = "is|was|are|ist|lautet|est|c'est|es|è|é|e|هي|هو"
/**
 * A word for a secret, then, after a few words at most, `:` or `=` or a word for "is", then the secret: it has a digit
 * or a sign in it, or follows `:` or `=`. Where it has neither, nobody can tell "my password is kitten" from "my
 * password is expired" by its form.
 */
const statedSecret = new RegExp(
  `(?:(?<!\\p{L})(?:${secretWords})(?!\\p{L})|(?:${joinedSecretWords})(?!\\p{Script=Latin}))(?:[^\\n:=?]{0,30}?)(?:[:=：]\\s{0,3}\\S{3,}|(?:\\s(?:${isWords})|是|は)\\s{0,3}(?=\\S{0,40}[\\d!#$%&*+@^_])[^\\s?]{3,})`,
  'iu',
)

const email =
  /(?<![\p{L}\d._%+-])[\p{L}\d][\p{L}\d._%+-]{0,63}(?:@|\s?\((?:at|AT)\)\s?|\s?\[at\]\s?)[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){0,4}\.\p{L}{2,24}(?![\p{L}\d])/u

/** Numbers grouped as people write them to be called; a plain row of digits may be anything. */
const phones = [
  /(?<![\d.])\+\d{1,3}[ .()/-]{0,2}\d(?:[ .()/-]{0,2}\d){6,12}(?!\d)/,
  /(?<!\d[ ./-]?|\.)0(?=(?:[ ./-]?\d){8})\d{1,4}[ ./-]\d{2,8}(?:[ ./-]\d{2,5}){0,4}(?![\d-])/,
  /(?<![\d.])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\d-])/,
  /(?<![\d.-])555-\d{4}(?!\d)/,
]
const phoneWord =
  /phone|\btel\b|mobile|\bcell\b|landline|\bcall\b|\btext me|whatsapp|portable|fixe|appel(?!l)|(?<![sm]['’])appell|handy|telefon|anruf|móvil|teléfono|celular|llám|cellulare|numero|telemóvel|contacto|电话|手机|電話|携帯|телефон|هاتف|رقمي/iu
const loosePhone = /(?<!\d[ ./-]?|\.|\p{L})\d(?:[ .-]?\d){6,13}(?!\d)/gu
/** How many or how much: in groups of a thousand, round, or with a decimal point. */
const quantityLike = /^\d{1,2}(?:[ .]\d{3})+$|000$|^\d{1,3}\.\d{4,}$/
/** Written in as many groups as a date, and of their lengths. */
const dateLike = /^(?:\d{1,2}[ ./-]\d{1,2}[ ./-]\d{4}|\d{4}[ ./-]\d{1,2}[ ./-]\d{1,2})$/

const ipWord = /(?<!\p{L})ip(?:v[46])?(?!\p{L})/iu
const ipv4 = /(?<![\d.])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\d.])/
const ipv6 = /(?<![\da-f:])[23][\da-f]{3}:(?:[\da-f]{0,4}:){1,6}[\da-f]{0,4}(?![\da-f:])/i

const ibanStart = /(?<![A-Z\d])[A-Z]{2}\d{2}/g
const cardLike = /(?<![\d+.-])[3-6]\d{3}(?:[ -]?\d){9,15}(?![\d-])/g

const nameWords = [
  "my (?:full |first |last )?name(?: is|['’]s)|je m['’]appelle|mon nom est|me llamo|mi nombre es|ich hei(?:ß|ss)e(?!\\s+Sie\\s)",
  'mein name ist|mi chiamo|il mio nome è|meu nome é|me chamo|chamo-me|ik heet|mijn naam is|jag heter|nazywam się',
  'mam na imię|benim adım|меня зовут',
].join('|')
/**
 * How people say their own names, with the space before the name. To the model a first name alone is a word like any:
 * it takes Zoe for a partner and Lucía for an address.
 */
const nameStart = new RegExp(`(?<!\\p{L})(?:${nameWords})\\s{1,3}`, 'giu')
/** How people say their own names in scripts that write names like other words. */
const uncasedName =
  /^(?:私の)?名前は\s{0,3}\p{L}|私の名前は\s{0,3}\p{L}|我的名字[是叫]\s{0,3}\p{L}|(?<!\p{L})اسمي\s{1,3}\p{L}/u

/**
 * The category of what a text states in a fixed form: a secret or an issued key, an IBAN or a card number by its check
 * digits, an email address, a phone number, a public IP address, one's own name. Undefined when there is
 * none. Only the first `parameters.categories.formChars` UTF-16 units are looked at, so that the time has a bound.
 */
export function categoryByPattern(whole: string): Category | undefined {
  const text = whole.slice(0, parameters.categories.formChars)
  if (issuedKey.test(text) || statedSecret.test(text)) return 'credentials'
  // These forms have digits or the sign of an address.
  if (/[\d@]|at[)\]]/.test(text)) {
    if (hasIban(text) || hasCard(text)) return 'finance'
    if (email.test(text) || hasPhone(text) || hasPublicIp(text)) return 'contact'
  }
  return hasOwnName(text) ? 'identity' : undefined
}

/** Whether a word with a capital follows words such as "my name is": "my name is on the list" names nobody. */
function hasOwnName(text: string): boolean {
  if (uncasedName.test(text)) return true
  for (const { index, 0: words } of text.matchAll(nameStart)) {
    const end = index + words.length
    if (/^\p{Lu}/u.test(text.slice(end, end + 2))) return true
  }
  return false
}

function hasIban(text: string): boolean {
  for (const { index } of text.matchAll(ibanStart)) {
    const length = ibanLengths.get(text.slice(index, index + 2)) ?? 0
    // Written in groups of four, it has a space after each.
    const compact = text.slice(index, index + Math.ceil(length * 1.25)).replaceAll(' ', '')
    if (length > 0 && isIban(compact.slice(0, length))) return true
  }
  return false
}

function hasCard(text: string): boolean {
  for (const [match] of text.matchAll(cardLike)) {
    const digits = match.replace(/\D/g, '')
    if (digits.length >= 13 && digits.length <= 19 && hasLuhnDigit(digits)) return true
  }
  return false
}

function hasPhone(text: string): boolean {
  const isDialled = (found: string | undefined) => found !== undefined && !dateLike.test(found)
  if (phones.some((form) => isDialled(form.exec(text)?.[0]))) return true
  const loose = phoneWord.test(text) ? text.matchAll(loosePhone) : []
  return [...loose].some(([found]) => isDialled(found) && !quantityLike.test(found))
}

/** Addresses that are routed on the internet, and only where the text says "IP": version numbers look the same. */
function hasPublicIp(text: string): boolean {
  if (!ipWord.test(text)) return false
  if (ipv6.test(text)) return true
  const [, ...parts] = ipv4.exec(text) ?? []
  const [a = 0, b = 0] = parts.map(Number)
  if (parts.length === 0 || parts.some((part) => Number(part) > 255)) return false
  const local = a === 0 || a === 10 || a === 127 || a >= 224 || (a === 100 && b >= 64 && b < 128)
  return !local && !(a === 172 && b >= 16 && b < 32) && !(a === 192 && b === 168) && !(a === 169 && b === 254)
}
