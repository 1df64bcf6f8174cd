import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
} from 'jose'
import type { Clock } from '../platform/clock.ts'
import { asTask, type Queries } from '../platform/database/database.ts'
import type { PublicJwk } from '../platform/database/tables.ts'
import type { Secrets } from '../platform/secrets.ts'
import * as store from './signing-key-store.ts'

export const algorithm = 'RS256'
const modulusLength = 3_072

interface Dependencies {
  queries: Queries
  secrets: Secrets
  clock: Clock
}

/** A key that signs. */
export interface Signer {
  kid: string
  privateKey: CryptoKey
}

/** The RSA keys of access tokens. They lie in the database, sealed, so that all processes share them. */
export class SigningKeys {
  readonly #dependencies: Dependencies
  #signer: Signer
  readonly #public = new Map<string, CryptoKey>()
  #published: PublicJwk[] = []

  private constructor(dependencies: Dependencies, signer: Signer) {
    this.#dependencies = dependencies
    this.#signer = signer
  }

  /** Reads the keys; makes the first one. */
  static async open(dependencies: Dependencies): Promise<SigningKeys> {
    const { queries, secrets } = dependencies
    let row = await store.findSigner(queries)
    if (row === undefined) {
      await addKey(queries, secrets)
      row = await store.findSigner(queries)
    }
    if (row === undefined) throw new Error('There is no key to sign with.')
    const keys = new SigningKeys(dependencies, await openSigner(secrets, row))
    await keys.refresh()
    return keys
  }

  get signer(): Signer {
    return this.#signer
  }

  /** The public keys, as a JWK set lists them. */
  get published(): readonly PublicJwk[] {
    return this.#published
  }

  /** The public key of a key id, looked up once more when it is new to this process; undefined for none. */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const known = this.#public.get(kid)
    if (known !== undefined) return known
    await this.refresh()
    return this.#public.get(kid)
  }

  /** Reads the keys anew. */
  async refresh(): Promise<void> {
    const { queries, secrets } = this.#dependencies
    const published = await store.listPublished(queries)
    for (const jwk of published) {
      if (!this.#public.has(jwk.kid))
        this.#public.set(jwk.kid, (await importJWK(jwk, algorithm)) as CryptoKey)
    }
    for (const kid of this.#public.keys()) {
      if (!published.some((jwk) => jwk.kid === kid)) this.#public.delete(kid)
    }
    this.#published = published
    const row = await store.findSigner(queries)
    if (row !== undefined && row.kid !== this.#signer.kid) this.#signer = await openSigner(secrets, row)
  }
}

async function openSigner(secrets: Secrets, row: store.SealedKey): Promise<Signer> {
  const pem = secrets.open(row.private_key, { purpose: 'signing-key', id: row.kid })
  return { kid: row.kid, privateKey: await importPKCS8(new TextDecoder().decode(pem), algorithm) }
}

/** Makes the first key; of several processes that start at once, one does. */
async function addKey(queries: Queries, secrets: Secrets): Promise<void> {
  const pair = await generateKeyPair(algorithm, { modulusLength, extractable: true })
  const { n, e } = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n: n as string, e: e as string })
  const publicKey: PublicJwk = { kty: 'RSA', kid, use: 'sig', alg: algorithm, n: n as string, e: e as string }
  const pem = new TextEncoder().encode(await exportPKCS8(pair.privateKey))
  await asTask(queries, 'keep-secrets', (trx) =>
    store.insertFirst(trx, {
      kid,
      publicKey,
      privateKey: secrets.seal(pem, { purpose: 'signing-key', id: kid }),
    }),
  )
}
