import { createHash, randomInt } from 'node:crypto'

const codes = 10
/** Crockford's Base32: no letter that is taken for another or for a digit. 24 of them are 120 bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const groups = 4
const groupChars = 6

/** Ten codes, each to be used once in place of one from the app: `k3m9x0-…`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: codes }, newRecoveryCode)

function newRecoveryCode(): string {
  const group = () => Array.from({ length: groupChars }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** SHA-256, of the code without what people add or leave out in writing: it is random, so nothing slower is needed. */
export function hashRecoveryCode(code: string): Uint8Array {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest()
}
