import { createHash, randomUUID } from 'node:crypto'
import { canonicalJson } from '../platform/canonical-json.ts'
import type { Trx } from '../platform/database/database.ts'
import { insertReceipt } from './store.ts'

/** The signed claims about an erasure. They contain neither the erased content nor its ids. */
export interface ReceiptClaims {
  iss: string
  jti: string
  /** When it was issued: Unix time, in seconds. */
  iat: number
  org: string
  /** Null when the whole organization was erased. */
  space: string | null
  selector_sha256: string
  /** The numbers of removed rows, by kind. */
  counts: Record<string, number>
  ids_sha256: string
  requested_at: string
  completed_at: string
  /** When the audit log's entry about the erasure is purged. */
  log_purged_by: string
}

/** Signs claims with a key that was read before. It does not use the database, so it may be awaited in a transaction. */
export interface ReceiptSigner {
  sign(claims: ReceiptClaims): Promise<string>
}

/** Signs and verifies receipts. */
export interface ReceiptAuthority {
  issuer: string
  /** Days for which the audit log keeps an entry. */
  auditRetentionDays: number
  /** Reads the current key. Must not be called within a transaction. */
  signer(): Promise<ReceiptSigner>
  /** Verifies a receipt. @returns its claims; undefined when this service has not signed it */
  read(receipt: string): Promise<ReceiptClaims | undefined>
}

/** An erasure, in a transaction that is about to commit. */
export interface Erasure {
  organizationId: string
  spaceId: string | null
  /** What selected the erased patterns; JSON. */
  selector: unknown
  idsSha256: string
  counts: Record<string, number>
  requestedAt: Date
}

/** Issues the receipts of one request. */
export class ReceiptIssuer {
  readonly #authority: ReceiptAuthority
  readonly #signer: ReceiptSigner
  readonly #clock: { now(): Date }

  private constructor(authority: ReceiptAuthority, signer: ReceiptSigner, clock: { now(): Date }) {
    this.#authority = authority
    this.#signer = signer
    this.#clock = clock
  }

  /** Reads the key. To be called before the transaction of the erasure begins. */
  static async open(authority: ReceiptAuthority, clock: { now(): Date }): Promise<ReceiptIssuer> {
    return new ReceiptIssuer(authority, await authority.signer(), clock)
  }

  /**
   * Signs and stores the receipt of an erasure, at the end of the erasure's transaction, so that one exists only with the other.
   * @returns the receipt
   */
  async issue(trx: Trx, { organizationId, spaceId, ...erasure }: Erasure): Promise<string> {
    const completed = this.#clock.now()
    const purged = new Date(completed.getTime() + this.#authority.auditRetentionDays * 86_400_000)
    const claims: ReceiptClaims = {
      iss: this.#authority.issuer,
      jti: randomUUID(),
      iat: Math.floor(completed.getTime() / 1_000),
      org: organizationId,
      space: spaceId,
      selector_sha256: selectorHash(erasure.selector),
      counts: erasure.counts,
      ids_sha256: erasure.idsSha256,
      requested_at: erasure.requestedAt.toISOString(),
      completed_at: completed.toISOString(),
      log_purged_by: purged.toISOString(),
    }
    const receipt = await this.#signer.sign(claims)
    await insertReceipt(trx, { id: claims.jti, organizationId, spaceId, receipt })
    return receipt
  }
}

/** The SHA-256, in hex, of ids sorted by their bytes and joined by line feeds. */
export function idsHash(ids: readonly string[]): string {
  const sorted = ids.map((id) => Buffer.from(id)).sort(Buffer.compare)
  return sha256(sorted.map((id) => id.toString()).join('\n'))
}

/** The SHA-256, in hex, of a selector as canonical JSON. */
export const selectorHash = (selector: unknown): string => sha256(canonicalJson(selector))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
