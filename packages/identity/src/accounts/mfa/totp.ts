import { generateSecret, generateURI, verifySync } from 'otplib'

const issuer = 'Memory Service'
const seedBytes = 20
const periodS = 30

/** Makes a seed of 160 bits, in Base32, the form that authenticator apps accept. */
export const newSeed = (): string => generateSecret({ length: seedBytes })

/** The URI for the QR code that an authenticator app scans. */
export const enrolmentUri = (seed: string, email: string): string =>
  generateURI({ issuer, label: email, secret: seed })

/**
 * The time step (30 s, RFC 6238) to which a code belongs: the current one, the one before or the one after. Undefined for any
 * other code.
 * @param code six digits
 */
export function stepOfCode(seed: string, code: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1_000)
  const found = verifySync({ secret: seed, token: code, epoch, epochTolerance: periodS })
  return found.valid ? Math.floor(epoch / periodS) + found.delta : undefined
}
