/**
 * Puts off work that may wait, so that it takes a small share of the time however much there is of it: after it took
 * long, its next turns are skipped. What gathers meanwhile is done at once, which often costs less.
 */
export class Pace {
  readonly #share: number
  readonly #restMaxMs: number
  readonly #nowMs: () => number
  #restsUntilMs = Number.NEGATIVE_INFINITY

  /**
   * @param options.share of the time that the work may take, above 0
   * @param options.restMaxMs the longest that its turns are skipped for
   * @param options.nowMs a clock that is never set back
   */
  constructor({
    share,
    restMaxMs,
    nowMs = () => performance.now(),
  }: {
    share: number
    restMaxMs: number
    nowMs?: () => number
  }) {
    this.#share = share
    this.#restMaxMs = restMaxMs
    this.#nowMs = nowMs
  }

  /** Does the work, unless it has to rest. @param isUrgent does it in any case */
  async turn(work: () => Promise<void>, isUrgent = false): Promise<void> {
    const started = this.#nowMs()
    if (started < this.#restsUntilMs && !isUrgent) return
    try {
      await work()
    } finally {
      const ended = this.#nowMs()
      this.#restsUntilMs = ended + Math.min(this.#restMaxMs, (ended - started) / this.#share)
    }
  }
}
