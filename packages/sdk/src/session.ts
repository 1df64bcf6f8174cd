import { AuthenticationError } from './errors.ts'

/** What signing in gives; a refresh token works once. */
export interface Tokens {
  accessToken: string | undefined
  refreshToken: string | undefined
}

/** Exchanges a refresh token for new tokens. */
type Exchange = (refreshToken: string) => Promise<Tokens>

/** The tokens of a user, renewed one time at a time however many requests ask for it. */
export class Session {
  readonly #exchange: Exchange
  readonly #onTokens: (tokens: Tokens) => void
  #tokens: Tokens
  #renewing: Promise<void> | undefined

  constructor(tokens: Tokens, exchange: Exchange, onTokens: (tokens: Tokens) => void) {
    this.#tokens = tokens
    this.#exchange = exchange
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
    if (refreshToken === undefined) return false
    this.#renewing ??= this.#renew(refreshToken).finally(() => {
      this.#renewing = undefined
    })
    await this.#renewing
    return true
  }

  async #renew(refreshToken: string): Promise<void> {
    const before = this.#tokens
    // Who signed in or out meanwhile has the last word.
    const settle = (tokens: Tokens) => {
      if (this.#tokens === before) this.adopt(tokens)
    }
    try {
      settle(await this.#exchange(refreshToken))
    } catch (error) {
      // Presented again it would only be refused again.
      if (error instanceof AuthenticationError) settle({ ...before, refreshToken: undefined })
      throw error
    }
  }
}
