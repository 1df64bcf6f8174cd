/** Parsers of the strings that pydantic reads: a value, or the reason that pydantic gives for refusing it. */

export type Parsed<T> = { readonly value: T } | { readonly reason: string }

// ---- UUID ----

const uuidGroups = [8, 4, 4, 4, 12]
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Whether a text is a UUID of any version as the service writes it, in either case. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** Reads a UUID of any version: hyphenated, bare, in braces or as a URN. The value is lower-case and hyphenated. */
export function parseUuid(text: string): Parsed<string> {
  if (uuidPattern.test(text)) return { value: text.toLowerCase() }
  if (/^[0-9a-f]{32}$/i.test(text)) {
    return { value: text.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') }
  }
  const { inner, offset } = uuidBody(text)
  if (offset > 0 && uuidPattern.test(inner)) return { value: inner.toLowerCase() }
  return { reason: uuidReason(inner, offset) }
}

/** A UUID without its braces or its URN prefix, and where it begins. */
function uuidBody(text: string): { inner: string; offset: number } {
  if (text.startsWith('urn:uuid:')) return { inner: text.slice(9), offset: 9 }
  if (text.startsWith('{') && text.endsWith('}')) return { inner: text.slice(1, -1), offset: 1 }
  return { inner: text, offset: 0 }
}

/** The reasons of Rust's uuid crate, in its order: characters, then the number of groups, then their lengths. */
function uuidReason(inner: string, offset: number): string {
  const stray = /[^0-9a-f-]/iu.exec(inner)
  if (stray !== null) {
    const index = Buffer.byteLength(inner.slice(0, stray.index)) + offset
    return `invalid character: found \`${stray[0]}\` at ${index}`
  }
  const groups = inner.split('-')
  if (groups.length === 1 && offset === 0) return `invalid length: found ${inner.length}`
  if (groups.length !== uuidGroups.length) return `invalid group count: expected 5, found ${groups.length}`
  const wrong = Math.max(
    0,
    groups.findIndex((group, index) => group.length !== uuidGroups[index]),
  )
  return `invalid group length in group ${wrong}: expected ${uuidGroups[wrong]}, found ${groups[wrong]?.length}`
}

// ---- Dates and times ----

const timePattern =
  /^[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+\-\u2212])(\d\d)(?::?(\d\d))?)?$/
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Why the first ten characters are no date, in the words of pydantic's date parser; undefined when they are one. */
function dateReason(text: string): string | undefined {
  if (Buffer.byteLength(text) < 10) return 'input is too short'
  if (!/^\d{4}/.test(text)) return 'invalid character in year'
  if (text[4] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d/.test(text.slice(5))) return 'invalid character in month'
  if (text[7] !== '-') return 'invalid date separator, expected `-`'
  if (!/^\d\d/.test(text.slice(8))) return 'invalid character in day'
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))]
  const days = monthDays[month - 1]
  if (days === undefined) return 'month value is outside expected range of 1-12'
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (day < 1 || day > days + (leap ? 1 : 0)) return 'day value is outside expected range'
  if (year === 0) return 'year 0 is out of range'
  return undefined
}

/** Reads `YYYY-MM-DD`. */
function parseDate(text: string): Parsed<string> {
  const reason =
    dateReason(text) ?? (text.length > 10 ? 'unexpected extra characters at the end of the input' : undefined)
  return reason === undefined ? { value: text } : { reason }
}

/**
 * Reads an ISO 8601 date, or date and time. Without an offset it is UTC; a date alone is its midnight. An offset may be
 * of hours alone, as PostgreSQL prints it, which pydantic refuses.
 *
 * pydantic tries a date after a datetime has failed and reports what the date parser says. So a wrong
 * time is one of "extra characters" to it, and to us.
 */
export function parseTimestamp(text: string): Parsed<Date> {
  const date = parseDate(text)
  if ('value' in date) return { value: new Date(`${text}T00:00:00Z`) }
  const time = dateReason(text) === undefined ? timePattern.exec(text.slice(10)) : null
  if (time === null) return date
  const [, hours, minutes, seconds = '00', fraction = '', , sign, offsetHours = '0', offsetMinutes = '0'] =
    time
  const inRange = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60
  if (!inRange || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return date
  const utc = Date.parse(
    `${text.slice(0, 10)}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
  )
  const offset =
    (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === undefined || sign === '+' ? 1 : -1)
  const value = new Date(utc - offset * 60_000)
  // An offset can carry the first or last day of the calendar out of what a database can hold.
  const year = value.getUTCFullYear()
  return year < 1 || year > 9999 ? { reason: `year ${year} is out of range` } : { value }
}

// ---- Headers ----

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a header says, of which Node gives each byte as a character: its UTF-8, or Latin-1 where it is none. */
export function decodeHeader(text: string): string {
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

// ---- Numbers and booleans in strings ----

const intChars = 4_300

/**
 * Reads an integer as Python's pydantic does: white space around it, a sign, single underscores between
 * digits and a fraction of zeros are allowed. Beyond 2^53 the value is rounded, so compare it, don't store it.
 */
export function parseInteger(text: string): number | 'malformed' | 'too_long' {
  if (text.length > intChars) return 'too_long'
  const trimmed = text.trim()
  if (!/^[+-]?\d+(?:_\d+)*(?:\.0*)?$/.test(trimmed)) return 'malformed'
  return Number(trimmed.replaceAll('_', ''))
}

/** Reads a decimal number; `inf`, `nan` and what overflows are read too, for the caller to refuse as not finite. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > intChars) return undefined
  if (/^[+-]?(?:inf|infinity|nan)$/i.test(trimmed)) return Number.NaN
  if (!/^[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return undefined
  return Number(trimmed.replaceAll('_', ''))
}

const booleans = new Map<string, boolean>([
  ...['1', 't', 'y', 'on', 'yes', 'true'].map((word) => [word, true] as const),
  ...['0', 'f', 'n', 'no', 'off', 'false'].map((word) => [word, false] as const),
])

/** Reads the words that pydantic takes for true and false, in any case. */
export function parseBoolean(text: string): boolean | undefined {
  return text.length > 5 ? undefined : booleans.get(text.toLowerCase())
}

// ---- Email and URL ----

const emailInputChars = 2_048
const emailChars = 254
const localChars = 64
// RFC 5322 atext and everything beyond ASCII (RFC 6531), without control, space, format and unassigned characters.
const strayLocal = /[^a-z0-9!#$%&'*+\-/=?^_`{|}~.\u0080-\u{10ffff}]|[\p{C}\p{Z}]/gu
const strayDomain = /[^a-z0-9.\-\u0080-\u{10ffff}]|[\p{C}\p{Z}\p{S}]|[\u0080-\u00bf]|(?![a-z0-9.-])[\p{P}]/gu

/**
 * Reads an email address. The value is the one name of its mailbox: the part before the @-sign in NFKC and lower case,
 * the domain in ASCII (UTS #46, punycode). The reasons are those of Python's email-validator.
 */
export function parseEmail(text: string): Parsed<string> {
  // First, so that a long input costs nothing.
  if (text.length > emailInputChars) return { reason: `Length must not exceed ${emailInputChars} characters` }
  const sent = text.trim().normalize('NFC').toLowerCase()
  // A mail server may fold characters that look alike: what is one plain address must still be one then.
  const folded = sent.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = folded.lastIndexOf('@')
  // The URL standard's reading of hosts is that of UTS #46.
  const domain = URL.parse(`http://${folded.slice(at + 1)}`)?.hostname ?? ''
  const value = `${folded.slice(0, at)}@${domain}`
  const reason =
    emailReason(sent) ?? emailReason(folded) ?? (domain === '' ? notIdna : undefined) ?? emailReason(value)
  return reason === undefined ? { value } : { reason }
}

const notIdna = 'The part after the @-sign is not valid IDNA.'

function emailReason(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  if (at < 0) return 'An email address must have an @-sign.'
  if (at === 0) return 'There must be something before the @-sign.'
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (domain === '') return 'There must be something after the @-sign.'
  return localReason(local) ?? domainReason(domain) ?? lengthReason(local, email)
}

function localReason(local: string): string | undefined {
  const stray = named(local.match(strayLocal))
  if (stray !== '') return `The email address contains invalid characters before the @-sign: ${stray}.`
  if (local.startsWith('.')) return 'An email address cannot start with a period.'
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.'
  if (local.includes('..')) return 'An email address cannot have two periods in a row.'
  return undefined
}

function domainReason(domain: string): string | undefined {
  const stray = named(domain.match(strayDomain))
  if (stray !== '') return `The part after the @-sign contains invalid characters: ${stray}.`
  const edge = (character: string | undefined) => (character === '.' ? 'period' : 'hyphen')
  if (/[.-]$/.test(domain)) return `An email address cannot end with a ${edge(domain.at(-1))}.`
  if (/^[.-]/.test(domain)) {
    return `An email address cannot have a ${edge(domain[0])} immediately after the @-sign.`
  }
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.'
  if (/\.-|-\./.test(domain)) {
    return 'An email address cannot have a period and a hyphen next to each other.'
  }
  if (!domain.includes('.')) return 'The part after the @-sign is not valid. It should have a period.'
  if (!/[^0-9]$/.test(domain)) {
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.'
  }
  if (domain.split('.').some((label) => label.length > 63)) {
    return 'After the @-sign, periods cannot be separated by so many characters.'
  }
  return undefined
}

function lengthReason(local: string, email: string): string | undefined {
  const localBytes = Buffer.byteLength(local)
  if (localBytes > localChars) {
    return `The email address is too long before the @-sign (${localBytes - localChars} characters too many).`
  }
  const bytes = Buffer.byteLength(email)
  if (bytes > emailChars) return `The email address is too long (${bytes - emailChars} characters too many).`
  return undefined
}

/** The distinct characters of a match, sorted and named as email-validator does; the first ten, so that no answer grows long. */
function named(characters: readonly string[] | null): string {
  const distinct = [...new Set(characters ?? [])].sort().slice(0, 10)
  return distinct
    .map((each) => (each === ' ' ? 'SPACE' : /[\p{C}\p{Z}]/u.test(each) ? codePoint(each) : `'${each}'`))
    .join(', ')
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Reads an absolute http or https URL. */
export function parseHttpUrl(text: string): Parsed<string> | { readonly scheme: string } {
  if (text.trim() === '') return { reason: 'input is empty' }
  if (!/^\s*[a-z][a-z0-9+.-]*:/i.test(text)) return { reason: 'relative URL without a base' }
  const url = URL.parse(text)
  if (url === null) return { reason: urlReason(text) }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { scheme: url.protocol.slice(0, -1) }
  return { value: url.href }
}

function urlReason(text: string): string {
  const authority = /^\s*[a-z][a-z0-9+.-]*:[/\\]*([^/\\?#]*)/i.exec(text)?.[1] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host === '' || host.startsWith(':')) return 'empty host'
  const port = /:([^:\]]*)$/.exec(host)?.[1]
  if (port !== undefined && !(/^\d{0,5}$/.test(port) && Number(port) < 65_536)) return 'invalid port number'
  if (host.startsWith('[')) return 'invalid IPv6 address'
  if (/^[\d.]+$/.test(host)) return 'invalid IPv4 address'
  return 'invalid international domain name'
}
