import { ApiError } from '../catalogue/errors.ts'

/** Bytes that requests keep in memory while a client sends or takes them, bounded for each lane (see `Asker`) and in all. */
export class HeldBytes {
  readonly #perLane: number
  readonly #inAll: number
  readonly #lanes = new Map<string, number>()
  #total = 0

  constructor(options: { perLane: number; inAll: number }) {
    this.#perLane = options.perLane
    this.#inAll = options.inAll
  }

  get total(): number {
    return this.#total
  }

  /**
   * Reserves bytes. A claim that alone exceeds a limit is still granted while nothing else is held under that limit.
   * @returns a function that gives the bytes back
   * @throws ApiError too_many_requests when the lane holds too much; unavailable when all lanes together do
   */
  claim(lane: string, bytes: number): () => void {
    const own = this.#lanes.get(lane) ?? 0
    if (own > 0 && own + bytes > this.#perLane) throw new ApiError('too_many_requests', { retryAfterS })
    if (this.#total > 0 && this.#total + bytes > this.#inAll)
      throw new ApiError('unavailable', { retryAfterS })
    return this.hold(lane, bytes)
  }

  /** Reserves bytes beyond any limit. @returns a function that gives them back */
  hold(lane: string, bytes: number): () => void {
    this.#add(lane, bytes)
    let isHeld = true
    return () => {
      if (isHeld) this.#add(lane, -bytes)
      isHeld = false
    }
  }

  #add(lane: string, bytes: number): void {
    const held = (this.#lanes.get(lane) ?? 0) + bytes
    if (held === 0) this.#lanes.delete(lane)
    else this.#lanes.set(lane, held)
    this.#total += bytes
  }
}

/** Most clients take an answer within seconds; those that hardly read are cut off after `limits.unreadAnswerMs`. */
const retryAfterS = 2
