import { LRUCache } from 'lru-cache'

/** Times are kept for this long. For requests that wait longer for their turn, only the database's less exact times decide. */
const keptMs = 10_000
/** The most times kept, of about 200 bytes each. */
const keptMax = 100_000

/**
 * Records when this process sent the answers to refreshes. If a request with the spent token arrived before that, the two
 * overlapped, as with two browser tabs. If it arrived later, its sender presents a token that was already replaced, which may be
 * stolen. The database can't tell so exactly, since its time is written before the answer is sent.
 */
export class Exchanges {
  readonly #answeredMs = new LRUCache<string, number>({ max: keptMax, ttl: keptMs })

  /** To be called when this process has spent a token, but not answered yet. */
  begin(tokenHash: Uint8Array): void {
    this.#answeredMs.set(nameOf(tokenHash), Number.POSITIVE_INFINITY)
  }

  /** To be called when the answer has been handed to the socket. */
  answered(tokenHash: Uint8Array): void {
    this.#answeredMs.set(nameOf(tokenHash), performance.now())
  }

  /**
   * Whether a request with a spent token arrived before the answer to the refresh that spent it was sent.
   * @param arrivedMs when the request arrived, on the scale of `performance.now()`
   * @returns undefined when unknown: another process spent the token, or this one did more than `keptMs` ago
   */
  overlapped(tokenHash: Uint8Array, arrivedMs: number): boolean | undefined {
    const answeredMs = this.#answeredMs.get(nameOf(tokenHash))
    return answeredMs === undefined ? undefined : arrivedMs < answeredMs
  }
}

const nameOf = (tokenHash: Uint8Array) => Buffer.from(tokenHash).toString('base64')
