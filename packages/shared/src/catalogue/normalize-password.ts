import { limits } from './limits.ts'

/** More bytes than any password has before NFKC, which shortens to a third at most (Hangul written in single letters). */
const longestBytes = 4 * limits.passwordBytes

/**
 * A password in Unicode NFKC, so that it is the same on keyboards that compose an accented letter and on those that send
 * letter and accent (NIST SP 800-63B, 3.1.1.2). What is longer than any password stays as it is: normalising takes time
 * that grows with the square of the accents on one letter.
 */
export function normalizePassword(password: string): string {
  return Buffer.byteLength(password) > longestBytes ? password : password.normalize('NFKC')
}
