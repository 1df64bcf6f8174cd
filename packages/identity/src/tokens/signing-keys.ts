import { setTimeout } from 'node:timers/promises'
import { regardless } from '@memory/shared/platform/asker'
import { type Clock, havePassed } from '@memory/shared/platform/clock'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { PublicJwk } from '@memory/shared/platform/database/tables'
import type { Secrets } from '@memory/shared/platform/secrets'
import { type CryptoKey, importJWK, importPKCS8 } from 'jose'
import { algorithm, newSigningKey, placeOf } from './new-signing-key.ts'
import * as store from './signing-key-store.ts'

/** Seconds for which clients may cache the set of public keys. */
export const jwksLifetimeS = 300
/** Seconds for which this process caches it. */
export const jwksReadEveryS = 60
/** Tokens with unknown key ids make this process read the keys at most this often. */
const lookUpEveryMs = 20

/** The form of our key ids: the key's thumbprint by RFC 7638, a SHA-256 in base64url. */
const thumbprint = /^[\w-]{43}$/

interface Dependencies {
  queries: Queries
  secrets: Secrets
  clock: Clock
}

/** The key that signs now. */
export interface Signer {
  kid: string
  privateKey: CryptoKey
}

/**
 * The RSA keys that sign access tokens and others. They are in the database, sealed, so that all processes share them. Which key
 * signs is read for each token, so that neither a rotation nor an emergency needs a restart. The first key is made when it is
 * first needed.
 */
export class SigningKeys {
  readonly #dependencies: Dependencies
  #signer: Signer | undefined
  #opening: { kid: string | undefined; signer: Promise<Signer> } | undefined
  readonly #public = new Map<string, CryptoKey>()
  #published: PublicJwk[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined
  #lookingUp: Promise<void> | undefined
  /** Resolves when the last look-up has ended, even if it failed. */
  #lookedUp: Promise<void> | undefined
  #lookedUpAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** The key that signs now. @param known its id, if the caller has read it already */
  async signer(known?: string): Promise<Signer> {
    const kid = known ?? (await store.findSigner(this.#dependencies.queries))
    if (kid !== undefined && kid === this.#signer?.kid) return this.#signer
    if (this.#opening !== undefined && this.#opening.kid === kid) return this.#opening.signer
    const opening = { kid, signer: regardless(() => this.#openSigner(kid)) }
    this.#opening = opening
    try {
      return await opening.signer
    } finally {
      if (this.#opening === opening) this.#opening = undefined
    }
  }

  /** The public keys, in the form of a JWK set; at most a minute old. */
  async published(): Promise<readonly PublicJwk[]> {
    if (havePassed(jwksReadEveryS * 1_000, this.#readAt, this.#now())) await this.#read()
    if (this.#published.length === 0) {
      await this.signer()
      await this.#read()
    }
    return this.#published
  }

  /** The public key of a key id; undefined for an unknown one. The caller must ask the database whether it is still valid. */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = this.#public.get(kid)
    if (known !== undefined || !thumbprint.test(kid)) return known
    await this.#lookUp()
    return this.#public.get(kid)
  }

  async #openSigner(current: string | undefined): Promise<Signer> {
    const { queries, secrets } = this.#dependencies
    const kid = current ?? (await addFirst(queries, secrets))
    const sealed = await store.readPrivateKey(queries, kid)
    if (sealed === undefined) throw new Error(`The signing key ${kid} is gone.`)
    const pem = new TextDecoder().decode(secrets.open(sealed, placeOf(kid)))
    const signer = { kid, privateKey: await importPKCS8(pem, algorithm) }
    this.#signer = signer
    return signer
  }

  /** Reads the public keys; concurrent callers share one reading. */
  #read(): Promise<void> {
    this.#reading ??= regardless(() => this.#readPublished()).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readPublished(): Promise<void> {
    const at = this.#now()
    const published = await store.listPublished(this.#dependencies.queries)
    for (const jwk of published) {
      if (this.#public.has(jwk.kid)) continue
      this.#public.set(jwk.kid, (await importJWK(jwk, algorithm)) as CryptoKey)
    }
    this.#published = published
    this.#readAt = at
  }

  /**
   * Reads the public keys for an unknown key id, beginning after this call, but at most every `lookUpEveryMs`; callers in
   * between wait and share one reading. So a flood of invented key ids costs at most 50 small statements a second, while a
   * token of a new key is still accepted after a short wait.
   */
  #lookUp(): Promise<void> {
    this.#lookingUp ??= (async () => {
      await this.#lookedUp
      await setTimeout(Math.max(0, this.#lookedUpAt + lookUpEveryMs - performance.now()))
      this.#lookingUp = undefined
      this.#lookedUpAt = performance.now()
      const reading = regardless(() => this.#readPublished())
      this.#lookedUp = reading.catch(() => {})
      await reading
    })()
    return this.#lookingUp
  }

  #now(): number {
    return this.#dependencies.clock.now().getTime()
  }
}

/** Makes the first key; of several processes that try at once, only one succeeds. @returns the id of the key that signs */
async function addFirst(queries: Queries, secrets: Secrets): Promise<string> {
  const key = await newSigningKey(secrets)
  await asTask(queries, 'keep-secrets', async (trx) => {
    await store.lock(trx)
    await store.insertWhereNoneSigns(trx, key)
  })
  const kid = await store.findSigner(queries)
  if (kid === undefined) throw new Error('There is no key to sign with.')
  return kid
}
