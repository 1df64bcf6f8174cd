import { randomUUID } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { Clock } from '@memory/shared/platform/clock'
import { type JWTPayload, SignJWT } from 'jose'
import { z } from 'zod'
import type { AccessClaims } from './access-claims.ts'
import { accessTokenS, skewS } from './lifetimes.ts'
import { algorithm } from './new-signing-key.ts'
import type { SigningKeys } from './signing-keys.ts'
import { type VerifiedToken, VerifiedTokens } from './verified-tokens.ts'
import { verifySigned } from './verify-signed.ts'

const audience = 'memory-api'
const type = 'at+jwt'

const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
/** Whole seconds. JSON may contain numbers such as 1e999, with which no arithmetic is possible; those are refused. */
const seconds = z.int().nonnegative()

/** The claims of an access token. Only a single audience is accepted, not a list, since the service makes no lists. */
const Claims = z.object({
  iss: z.string(),
  aud: z.literal(audience),
  sub: uuid,
  sid: uuid,
  org: uuid.nullable(),
  jti: uuid,
  iat: seconds,
  nbf: seconds.optional(),
  exp: seconds,
})

/** The most tokens that are cached as verified, about 3 MB. */
const verifiedEntries = 10_000

/** The user and session that a token is made for. */
export interface Subject {
  userId: string
  sessionId: string
  /** The organization of the user's oldest membership; null without one. */
  organizationId: string | null
}

/** Access tokens: JWTs by RFC 9068, signed with RS256. */
export class AccessTokens {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #clock: Clock
  readonly #verified = new VerifiedTokens(verifiedEntries)

  constructor(keys: SigningKeys, issuer: string, clock: Clock) {
    this.#keys = keys
    this.#issuer = issuer
    this.#clock = clock
  }

  /** The public keys, as a JWK set. */
  async jwks() {
    return { keys: [...(await this.#keys.published())] }
  }

  /**
   * Makes a token. Must not be called within a transaction, since it may read the key from the database.
   * @param signingKey the id of the key that signs now, if the caller has read it already
   */
  async issue({ userId, sessionId, organizationId }: Subject, signingKey?: string): Promise<string> {
    const { kid, privateKey } = await this.#keys.signer(signingKey)
    const now = Math.floor(this.#nowS())
    return new SignJWT({ sid: sessionId, org: organizationId })
      .setProtectedHeader({ alg: algorithm, typ: type, kid })
      .setIssuer(this.#issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + accessTokenS)
      .sign(privateKey)
  }

  /**
   * Checks a token and returns its claims. The caller must ask the database whether its session is still valid.
   * @throws ApiError token_expired, invalid_token
   */
  async verify(token: string): Promise<AccessClaims> {
    const known = this.#verified.get(token)
    const verified = known ?? (await this.#check(token))
    if (this.#nowS() >= verified.expiresAt + skewS) throw new ApiError('token_expired')
    if (known === undefined) this.#verified.add(token, verified)
    return verified.claims
  }

  async #check(token: string): Promise<VerifiedToken> {
    const expected = { type, audience, issuer: this.#issuer, now: this.#clock.now() }
    const { payload, kid } = await verifySigned(this.#keys, token, expected)
    return verifiedOf(payload, kid, this.#nowS())
  }

  #nowS(): number {
    return this.#clock.now().getTime() / 1_000
  }
}

/**
 * Checks that the claims have the form that `issue` gives them, since the same key signs tokens of other types too.
 * @throws ApiError invalid_token
 */
function verifiedOf(payload: JWTPayload, kid: string, nowS: number): VerifiedToken {
  const claims = Claims.safeParse(payload)
  if (!claims.success) throw new ApiError('invalid_token', { cause: claims.error })
  const { sub, sid, iat, exp } = claims.data
  if (iat > nowS + skewS || exp <= iat || exp > iat + accessTokenS) throw new ApiError('invalid_token')
  return { claims: { userId: sub, sessionId: sid, kid }, expiresAt: exp }
}
