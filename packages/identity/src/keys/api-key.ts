import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '@memory/shared/platform/database/tables'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretChars = 43
const checksumChars = 6
/** The prefix of every API key; tokens of other kinds have others. */
export const keyMark = 'mem_'
const form = new RegExp(`^${keyMark}(live|test)_[0-9A-Za-z]{${secretChars + checksumChars}}$`)

/** The length of the part of a key that lists show, in characters. */
export const keyPrefixChars = 16

/**
 * Makes an API key: `mem_<environment>_`, then 43 random base62 characters (256 bits), then the CRC32 of all this as six base62
 * characters. By the checksum, mistyped keys are refused without asking the database.
 */
export function newApiKey(environment: Environment): string {
  let body = `${keyMark}${environment}_`
  for (let i = 0; i < secretChars; i++) body += alphabet[randomInt(alphabet.length)]
  return body + checksum(body)
}

/** Whether a text has a key's form and checksum. */
export function isApiKey(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumChars)) === text.slice(-checksumChars)
}

/** The SHA-256 of a key, in hex. A key has 256 random bits, so no slower hash is needed against guessing. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumChars; i++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
