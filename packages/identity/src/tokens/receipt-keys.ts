import { regardless } from '@memory/shared/platform/asker'
import { type Clock, havePassed } from '@memory/shared/platform/clock'
import type { Config } from '@memory/shared/platform/config'
import type { Queries } from '@memory/shared/platform/database/database'
import type { PublicJwk } from '@memory/shared/platform/database/tables'
import type { Secrets } from '@memory/shared/platform/secrets'
import type { ReceiptAuthority, ReceiptClaims, ReceiptSigner } from '@memory/shared/receipts/receipt'
import { errors, importJWK, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { algorithm, newSigningKey, placeOf } from './new-signing-key.ts'
import * as store from './receipt-key-store.ts'

const type = 'erasure-receipt+jwt'
const purpose = 'receipt-key'
/** Seconds for which a key signs before another replaces it. */
const signsS = 365 * 86_400
/** Milliseconds for which this process caches the keys. */
const keptMs = 60_000

interface Dependencies {
  queries: Queries
  secrets: Secrets
  clock: Clock
}

type Settings = Pick<Config, 'issuer' | 'auditRetentionDays'>

/**
 * The RSA keys that sign receipts. They are separate from those of access tokens: a receipt is valid for years, so its key stays
 * published for ever, but no token signed with it is accepted. The first key is made when it is first needed.
 */
export class ReceiptKeys implements ReceiptAuthority {
  readonly issuer: string
  readonly auditRetentionDays: number
  readonly #queries: Queries
  readonly #secrets: Secrets
  readonly #clock: Clock
  #signer: (ReceiptSigner & { openedAt: number }) | undefined
  #published: readonly PublicJwk[] = []
  #readAt = Number.NEGATIVE_INFINITY

  constructor({ queries, secrets, clock }: Dependencies, { issuer, auditRetentionDays }: Settings) {
    this.issuer = issuer
    this.auditRetentionDays = auditRetentionDays
    this.#queries = queries
    this.#secrets = secrets
    this.#clock = clock
  }

  async signer(): Promise<ReceiptSigner> {
    const openedAt = this.#now()
    if (this.#signer !== undefined && !havePassed(keptMs, this.#signer.openedAt, openedAt))
      return this.#signer
    const { kid, private_key } =
      (await store.findSigner(this.#queries, signsS)) ?? (await regardless(() => this.#makeSigner()))
    const pem = new TextDecoder().decode(this.#secrets.open(private_key, placeOf(kid, purpose)))
    const privateKey = await importPKCS8(pem, algorithm)
    const header = { alg: algorithm, typ: type, kid }
    this.#signer = {
      openedAt,
      sign: (claims) => new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey),
    }
    return this.#signer
  }

  async read(receipt: string): Promise<ReceiptClaims | undefined> {
    try {
      const { payload } = await jwtVerify(
        receipt,
        async ({ kid }) => {
          const jwk = kid === undefined ? undefined : await this.#find(kid)
          if (jwk === undefined) throw new errors.JWKSNoMatchingKey()
          return importJWK(jwk, algorithm)
        },
        { algorithms: [algorithm], issuer: this.issuer, typ: type },
      )
      return payload as unknown as ReceiptClaims
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
      throw error
    }
  }

  /** The public keys, in the form of a JWK set. */
  async published(): Promise<readonly PublicJwk[]> {
    if (havePassed(keptMs, this.#readAt, this.#now())) await this.#read()
    return this.#published
  }

  async #find(kid: string): Promise<PublicJwk | undefined> {
    const isIt = (jwk: PublicJwk) => jwk.kid === kid
    return this.#published.find(isIt) ?? (await this.#read()).find(isIt)
  }

  async #read(): Promise<readonly PublicJwk[]> {
    this.#published = await store.listPublic(this.#queries)
    this.#readAt = this.#now()
    return this.#published
  }

  #now(): number {
    return this.#clock.now().getTime()
  }

  async #makeSigner() {
    await store.replaceSigner(this.#queries, await newSigningKey(this.#secrets, purpose), signsS)
    this.#readAt = Number.NEGATIVE_INFINITY
    const signer = await store.findSigner(this.#queries, signsS)
    if (signer === undefined) throw new Error('There is no key to sign receipts with.')
    return signer
  }
}
