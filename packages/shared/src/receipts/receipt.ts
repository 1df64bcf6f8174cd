import { createHash, randomUUID } from 'node:crypto'
import type { Trx } from '../platform/database/database.ts'
import { insertReceipt } from './store.ts'

/** What is signed when something was erased: no content, and no ids of what there was. */
export interface ReceiptClaims {
  iss: string
  jti: string
  /** Seconds since 1970. */
  iat: number
  org: string
  /** Null where the whole organization was erased. */
  space: string | null
  selector_sha256: string
  /** Rows that were removed, by what they were. */
  counts: Record<string, number>
  ids_sha256: string
  requested_at: string
  completed_at: string
  /** When the audit log no longer says that something was erased. */
  log_purged_by: string
}

/** Signs claims with a key that was looked up before: it asks the database nothing, so a transaction may wait for it. */
export interface ReceiptSigner {
  sign(claims: ReceiptClaims): Promise<string>
}

/** What signs receipts, and knows their signatures. */
export interface ReceiptAuthority {
  issuer: string
  /** How long the audit log keeps an entry. */
  auditRetentionDays: number
  /** Not for use within a transaction. */
  signer(): Promise<ReceiptSigner>
  /** @returns the claims of a receipt that this service has signed, undefined for anything else */
  read(receipt: string): Promise<ReceiptClaims | undefined>
}

/** Something that was erased, in a transaction that is about to commit. */
export interface Erasure {
  organizationId: string
  spaceId: string | null
  /** By what it was chosen; JSON. */
  selector: unknown
  idsSha256: string
  counts: Record<string, number>
  requestedAt: Date
}

/** Signs receipts of one request. */
export class ReceiptIssuer {
  readonly #authority: ReceiptAuthority
  readonly #signer: ReceiptSigner
  readonly #clock: { now(): Date }

  private constructor(authority: ReceiptAuthority, signer: ReceiptSigner, clock: { now(): Date }) {
    this.#authority = authority
    this.#signer = signer
    this.#clock = clock
  }

  /** Looks up the key; to be called before the transaction of the erasure. */
  static async open(authority: ReceiptAuthority, clock: { now(): Date }): Promise<ReceiptIssuer> {
    return new ReceiptIssuer(authority, await authority.signer(), clock)
  }

  /**
   * Signs and stores the receipt of an erasure, as the last of its transaction: it is there if the erasure is.
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

/** SHA-256 in hex of ids, sorted byte by byte and joined by line feeds. */
export function idsHash(ids: readonly string[]): string {
  const sorted = ids.map((id) => Buffer.from(id)).sort(Buffer.compare)
  return sha256(sorted.map((id) => id.toString()).join('\n'))
}

/** SHA-256 in hex of a selector as canonical JSON (RFC 8785). */
export const selectorHash = (selector: unknown): string => sha256(canonicalJson(selector))

/** JSON text with the members of every object in the order of their names, and nothing between. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
