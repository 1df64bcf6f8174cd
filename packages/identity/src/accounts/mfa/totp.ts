import { generateSecret, generateURI, verifySync } from 'otplib'

const issuer = 'Memory Service'
const seedBytes = 20
const periodS = 30

/** A new seed of 160 bits, in Base32 as authenticator apps take it. */
export const newSeed = (): string => generateSecret({ length: seedBytes })

/** What an authenticator app reads from a QR code. */
export const enrolmentUri = (seed: string, email: string): string =>
  generateURI({ issuer, label: email, secret: seed })

/**
 * The time step that a code is of (RFC 6238, 30 s): now's, the one before or the one after. Undefined for a code that
 * is none of theirs.
 * @param code six digits
 */
export function stepOfCode(seed: string, code: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1_000)
  const found = verifySync({ secret: seed, token: code, epoch, epochTolerance: periodS })
  return found.valid ? Math.floor(epoch / periodS) + found.delta : undefined
}
