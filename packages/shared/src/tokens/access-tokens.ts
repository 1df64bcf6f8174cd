import { randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { AccessClaims } from '../accounts/authentication.ts'
import { ApiError } from '../catalogue/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { algorithm, type SigningKeys } from './signing-keys.ts'

/** Seconds that an access token lives. */
export const accessTokenS = 900
const audience = 'memory-api'
const type = 'at+jwt'
/** Seconds that clocks of the service's processes may differ. */
const skewS = 5
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whom a token is for. */
export interface Subject {
  userId: string
  sessionId: string
  /** Of the user's oldest membership; null without one. */
  organizationId: string | null
}

/** Access tokens: JWTs by RFC 9068, signed with RS256. */
export class AccessTokens {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #clock: Clock

  constructor(keys: SigningKeys, issuer: string, clock: Clock) {
    this.#keys = keys
    this.#issuer = issuer
    this.#clock = clock
  }

  /** The public keys, as `/.well-known/jwks.json` answers them. */
  get jwks() {
    return { keys: [...this.#keys.published] }
  }

  async issue({ userId, sessionId, organizationId }: Subject): Promise<string> {
    const { kid, privateKey } = this.#keys.signer
    const now = Math.floor(this.#clock.now().getTime() / 1_000)
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
   * What a token says. That its session still holds is the database's to say.
   * @throws ApiError token_expired, invalid_token
   */
  async verify(token: string): Promise<AccessClaims> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === 'string' ? await this.#keys.find(kid) : undefined
          if (key === undefined) throw new ApiError('invalid_token')
          return key
        },
        {
          algorithms: [algorithm],
          issuer: this.#issuer,
          audience,
          typ: type,
          clockTolerance: skewS,
          currentDate: this.#clock.now(),
          requiredClaims: ['sub', 'sid', 'iat', 'exp', 'jti'],
        },
      )
      return claimsOf(payload, protectedHeader.kid as string, this.#clock.now())
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new ApiError('token_expired', { cause: error })
      if (error instanceof errors.JOSEError) throw new ApiError('invalid_token', { cause: error })
      throw error
    }
  }
}

function claimsOf(payload: JWTPayload, kid: string, now: Date): AccessClaims {
  const { sub, sid, iat } = payload
  const wellFormed = typeof sub === 'string' && uuid.test(sub) && typeof sid === 'string' && uuid.test(sid)
  if (!wellFormed || typeof iat !== 'number' || iat > now.getTime() / 1_000 + skewS) {
    throw new ApiError('invalid_token')
  }
  return { userId: sub, sessionId: sid, kid }
}
