import { randomUUID } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import type { SubjectBinding } from '@memory/shared/catalogue/operation'
import { type Scope, scopes } from '@memory/shared/catalogue/scopes'
import type { Clock } from '@memory/shared/platform/clock'
import type { Environment } from '@memory/shared/platform/database/tables'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { skewS, subjectTokenMaxS } from './lifetimes.ts'
import { algorithm } from './new-signing-key.ts'
import type { SigningKeys } from './signing-keys.ts'
import { saysType, verifySigned } from './verify-signed.ts'

const audience = 'memory-subject'
const type = 'st+jwt'

/** Who made a token. It becomes invalid together with its maker: when the key is revoked, or the user's session ends. */
export type TokenMaker = { kind: 'key'; keyId: string } | { kind: 'user'; userId: string; sessionId: string }

/** What an end user's token allows. */
export interface SubjectGrant {
  organizationId: string
  environment: Environment
  subject: SubjectBinding
  scopes: readonly Scope[]
  maker: TokenMaker
}

const Claims = z.object({
  iss: z.string(),
  aud: z.literal(audience),
  sub: z.string().min(1),
  org: z.guid(),
  env: z.enum(['live', 'test']),
  shared: z.boolean(),
  scopes: z.array(z.enum(scopes)),
  maker: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('key'), keyId: z.guid() }),
    z.object({ kind: z.literal('user'), userId: z.guid(), sessionId: z.guid() }),
  ]),
  jti: z.guid(),
  iat: z.int().nonnegative(),
  exp: z.int().nonnegative(),
})

/** Tokens for end users, safe to give to a browser: JWTs (RS256), signed with the keys of access tokens. */
export class SubjectTokens {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #clock: Clock

  constructor(keys: SigningKeys, issuer: string, clock: Clock) {
    this.#keys = keys
    this.#issuer = issuer
    this.#clock = clock
  }

  /** Whether a bearer token claims to be of this type. Only `verify` checks the claim. */
  static isOne(token: string): boolean {
    return saysType(token, type)
  }

  /** Makes a token that is valid for `ttlS` seconds. Must not be called within a transaction. */
  async issue({ organizationId, environment, subject, ...grant }: SubjectGrant, ttlS: number) {
    const { kid, privateKey } = await this.#keys.signer()
    const now = Math.floor(this.#nowS())
    const token = await new SignJWT({
      org: organizationId,
      env: environment,
      shared: subject.isShared,
      scopes: [...grant.scopes],
      maker: grant.maker,
    })
      .setProtectedHeader({ alg: algorithm, typ: type, kid })
      .setIssuer(this.#issuer)
      .setAudience(audience)
      .setSubject(subject.name)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + ttlS)
      .sign(privateKey)
    return { token, expiresAt: new Date((now + ttlS) * 1_000) }
  }

  /**
   * Checks a token and returns its contents and the id of the key that signed it. The caller must ask the database whether its
   * maker is still valid.
   * @throws ApiError token_expired, invalid_token
   */
  async verify(token: string): Promise<{ grant: SubjectGrant; kid: string }> {
    const expected = { type, audience, issuer: this.#issuer, now: this.#clock.now() }
    const { payload, kid } = await verifySigned(this.#keys, token, expected)
    const claims = Claims.safeParse(payload)
    if (!claims.success) throw new ApiError('invalid_token', { cause: claims.error })
    const { sub: name, shared: isShared, org, env, scopes, maker, iat, exp } = claims.data
    if (iat > this.#nowS() + skewS || exp <= iat || exp > iat + subjectTokenMaxS) {
      throw new ApiError('invalid_token')
    }
    const grant = { organizationId: org, environment: env, subject: { name, isShared }, scopes, maker }
    return { grant, kid }
  }

  #nowS(): number {
    return this.#clock.now().getTime() / 1_000
  }
}
