import { createHash, randomBytes } from 'node:crypto'

/** A refresh, verification, reset, invitation or challenge token: 256 random bits, of which only a hash is stored. */
export interface SingleUseToken {
  token: string
  hash: Uint8Array
}

const tokenBytes = 32

/** @param prefix the kind of token, so that one can't be mistaken for, or presented as, a token of another kind */
export function newToken(prefix: string): SingleUseToken {
  const token = `${prefix}_${randomBytes(tokenBytes).toString('base64url')}`
  return { token, hash: hashToken(token) }
}

/** The SHA-256 of a token. The token is random, so no slower hash is needed against guessing. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}
