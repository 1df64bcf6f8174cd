import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@memory/shared/catalogue/limits'

/**
 * Tokens of what a preview has shown: each is good for a few minutes, and only while the same selection finds the very same
 * memories, in the same versions. So nothing needs to be kept between the two calls, whichever process answers the second, and
 * a token works once: after it, what it stands for is gone, and no id is ever used again.
 */
export class PreviewTokens {
  readonly #secret: Uint8Array
  readonly #now: () => Date

  constructor(secret: Uint8Array, now: () => Date) {
    this.#secret = secret
    this.#now = now
  }

  /** @param shown everything that the preview stands for, as JSON has it */
  issue(shown: unknown): string {
    const expiresMs = this.#now().getTime() + limits.forgetPreviewMs
    return this.#of(expiresMs, shown)
  }

  /** Whether this is the token of such a preview, made a short while ago. */
  fits(token: string, shown: unknown): boolean {
    const [, expires] = /^fgt_(\d{1,15})_[\w-]{22}$/.exec(token) ?? []
    if (expires === undefined) return false
    const isFresh = Number(expires) > this.#now().getTime()
    const expected = Buffer.from(this.#of(Number(expires), shown))
    const given = Buffer.from(token)
    return isFresh && expected.length === given.length && timingSafeEqual(expected, given)
  }

  #of(expiresMs: number, shown: unknown): string {
    const signed = createHmac('sha256', this.#secret)
      .update(JSON.stringify([expiresMs, shown]))
      .digest()
    return `fgt_${expiresMs}_${signed.subarray(0, 16).toString('base64url')}`
  }
}
