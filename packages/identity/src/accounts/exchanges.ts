import { LRUCache } from 'lru-cache'

/** Requests that wait longer than this for their turn are answered by what the database says alone. */
const keptMs = 10_000
/** About 200 bytes each. */
const keptMax = 100_000

/**
 * When the answers to refreshes left this process: who sent a token before that overlapped the refresh that spent it, who
 * sends it later presents a spent one. The database can't say that so exactly, because it is told before the answer leaves.
 */
export class Exchanges {
  readonly #answeredMs = new LRUCache<string, number>({ max: keptMax, ttl: keptMs })

  /** A token is spent by this process, which has not answered yet. */
  begin(tokenHash: Uint8Array): void {
    this.#answeredMs.set(nameOf(tokenHash), Number.POSITIVE_INFINITY)
  }

  /** To be called when the answer has been handed to the socket. */
  answered(tokenHash: Uint8Array): void {
    this.#answeredMs.set(nameOf(tokenHash), performance.now())
  }

  /**
   * @param arrivedMs of a request with the token, on the scale of `performance.now()`
   * @returns undefined where another process spent it, or this one longer ago
   */
  overlapped(tokenHash: Uint8Array, arrivedMs: number): boolean | undefined {
    const answeredMs = this.#answeredMs.get(nameOf(tokenHash))
    return answeredMs === undefined ? undefined : arrivedMs < answeredMs
  }
}

const nameOf = (tokenHash: Uint8Array) => Buffer.from(tokenHash).toString('base64')
