import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AccessClaims } from './access-claims.ts'

/** What a token said when its signature was checked. */
export interface VerifiedToken {
  claims: AccessClaims
  /** Seconds since 1970. */
  expiresAt: number
}

/**
 * Tokens whose signature held, so that it is checked once and not at each request. They are known by their hash: who
 * reads this memory learns none. What may change after the signature (the end of a session, an account, a key) is asked
 * of the database at each request all the same.
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
