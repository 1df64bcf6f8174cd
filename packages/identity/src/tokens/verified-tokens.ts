import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AccessClaims } from './access-claims.ts'

/** The contents of a token whose signature was checked. */
export interface VerifiedToken {
  claims: AccessClaims
  /** Unix time, in seconds. */
  expiresAt: number
}

/**
 * A cache of tokens whose signature was checked, so that this is not done again for each request. Tokens are stored by their
 * hash, so that reading this memory reveals none. Everything that can change later (the end of a session, an account, a key) is
 * still checked in the database for each request.
 */
export class VerifiedTokens {
  readonly #tokens: LRUCache<string, VerifiedToken>

  /** @param entries of about 300 bytes each */
  constructor(entries: number) {
    this.#tokens = new LRUCache({ max: entries })
  }

  get size(): number {
    return this.#tokens.size
  }

  get(token: string): VerifiedToken | undefined {
    return this.#tokens.get(nameOf(token))
  }

  add(token: string, verified: VerifiedToken): void {
    this.#tokens.set(nameOf(token), verified)
  }
}

const nameOf = (token: string) => hash('sha256', token, 'base64')
