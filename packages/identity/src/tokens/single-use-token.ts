import { createHash, randomBytes } from 'node:crypto'

/** A refresh, verification, reset, invitation or challenge token: 256 random bits, told once and kept as a hash. */
export interface SingleUseToken {
  token: string
  hash: Uint8Array
}

const tokenBytes = 32

/** @param prefix tells kinds of tokens apart, for people and for whoever presents one as another */
export function newToken(prefix: string): SingleUseToken {
  const token = `${prefix}_${randomBytes(tokenBytes).toString('base64url')}`
  return { token, hash: hashToken(token) }
}

/** SHA-256: the token is random, so nothing slower is needed against guessing. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}
