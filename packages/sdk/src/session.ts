import { AuthenticationError } from './errors.ts'

/** What signing in gives; a refresh token works once. */
export interface Tokens {
  accessToken: string | undefined
  refreshToken: string | undefined
}

/** How new tokens are got. */
interface Renewal {
  /** Exchanges a refresh token for new tokens. */
  exchange(refreshToken: string | undefined): Promise<Tokens>
  /** Whether that takes a refresh token which is here. */
  needsToken: boolean
}

/** The tokens of a user, renewed one time at a time however many requests ask for it. */
export class Session {
  readonly #renewal: Renewal
  readonly #onTokens: (tokens: Tokens) => void
  #tokens: Tokens
  #renewing: Promise<void> | undefined

  constructor(tokens: Tokens, renewal: Renewal, onTokens: (tokens: Tokens) => void) {
    this.#tokens = tokens
    this.#renewal = renewal
    this.#onTokens = onTokens
  }

  get tokens(): Tokens {
    return this.#tokens
  }

  /** Takes other tokens: somebody signed in, or out. */
  adopt(tokens: Tokens): void {
    this.#tokens = tokens
    this.#onTokens(tokens)
  }

  /**
   * Gets a new access token, unless another request has got one since.
   * @param refused the access token that the service refused
   * @returns whether there is another one now
   * @throws the error of the exchange
   */
  async renew(refused: string | undefined): Promise<boolean> {
    const { accessToken, refreshToken } = this.#tokens
    if (accessToken !== refused) return accessToken !== undefined
    if (refreshToken === undefined && this.#renewal.needsToken) return false
    this.#renewing ??= this.#renew(refreshToken).finally(() => {
      this.#renewing = undefined
    })
    await this.#renewing
    return this.#tokens.accessToken !== undefined
  }

  async #renew(refreshToken: string | undefined): Promise<void> {
    const before = this.#tokens
    // Who signed in or out meanwhile has the last word.
    const settle = (tokens: Tokens) => {
      if (this.#tokens === before) this.adopt(tokens)
    }
    try {
      settle(await this.#renewal.exchange(refreshToken))
    } catch (error) {
      // Presented again it would only be refused again.
      if (error instanceof AuthenticationError) settle({ ...before, refreshToken: undefined })
      throw error
    }
  }
}
