import { createHash, randomInt } from 'node:crypto'

const codes = 10
/** Crockford's Base32, which has no characters that are easily confused. 24 characters are 120 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const groups = 4
const groupChars = 6

/** Makes a user's recovery codes: `k3m9x0-…`. Each works once, in place of a code of the app. */
export const newRecoveryCodes = (): string[] => Array.from({ length: codes }, newRecoveryCode)

function newRecoveryCode(): string {
  const group = () => Array.from({ length: groupChars }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** The SHA-256 of a code, ignoring case, spaces and hyphens. The code is random, so no slower hash is needed. */
export function hashRecoveryCode(code: string): Uint8Array {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest()
}
