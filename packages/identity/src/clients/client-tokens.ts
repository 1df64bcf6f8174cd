import { randomUUID } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import { type Scope, scopes } from '@memory/shared/catalogue/scopes'
import type { Clock } from '@memory/shared/platform/clock'
import type { Environment } from '@memory/shared/platform/database/tables'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { accessTokenS, skewS } from '../tokens/lifetimes.ts'
import { algorithm } from '../tokens/new-signing-key.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import { saysType, verifySigned } from '../tokens/verify-signed.ts'

const type = 'client+jwt'

/** What a user has allowed a program to do on their behalf. */
export interface ClientGrant {
  userId: string
  /** The session that began with the consent; the token is valid no longer than it. */
  sessionId: string
  organizationId: string
  environment: Environment
  scopes: readonly Scope[]
  clientId: string
}

const Claims = z.object({
  sub: z.guid(),
  sid: z.guid(),
  org: z.guid(),
  env: z.enum(['live', 'test']),
  scopes: z.array(z.enum(scopes)),
  client_id: z.string().min(1),
  iat: z.int().nonnegative(),
  exp: z.int().nonnegative(),
})

/**
 * Access tokens of programs that a user has given access (OAuth clients). These JWTs are signed with the same keys as the users'
 * own access tokens, but have another type and one resource (RFC 8707), so that neither kind is accepted as the other.
 */
export class ClientTokens {
  readonly #keys: SigningKeys
  readonly #issuer: string
  readonly #clock: Clock
  /** The resource that the tokens are for: the URL of the MCP server. */
  readonly resource: string

  constructor(keys: SigningKeys, issuer: string, resource: string, clock: Clock) {
    this.#keys = keys
    this.#issuer = issuer
    this.resource = resource
    this.#clock = clock
  }

  /** Whether a bearer token claims to be of this type. Only `verify` checks the claim. */
  static isOne(token: string): boolean {
    return saysType(token, type)
  }

  /** Makes a token. Must not be called within a transaction. */
  async issue({
    userId,
    sessionId,
    organizationId,
    environment,
    scopes,
    clientId,
  }: ClientGrant): Promise<string> {
    const { kid, privateKey } = await this.#keys.signer()
    const now = Math.floor(this.#nowS())
    return new SignJWT({
      sid: sessionId,
      org: organizationId,
      env: environment,
      scopes: [...scopes],
      client_id: clientId,
    })
      .setProtectedHeader({ alg: algorithm, typ: type, kid })
      .setIssuer(this.#issuer)
      .setAudience(this.resource)
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + accessTokenS)
      .sign(privateKey)
  }

  /**
   * Checks a token and returns its contents and the id of the key that signed it. The caller must ask the database whether its
   * session is still valid.
   * @throws ApiError token_expired, invalid_token
   */
  async verify(token: string): Promise<{ grant: ClientGrant; kid: string }> {
    const expected = { type, audience: this.resource, issuer: this.#issuer, now: this.#clock.now() }
    const { payload, kid } = await verifySigned(this.#keys, token, expected)
    const claims = Claims.safeParse(payload)
    // A list of audiences is refused, even of this one only, since the service makes no such tokens.
    if (!claims.success || payload.aud !== this.resource) throw new ApiError('invalid_token')
    const { sub, sid, org, env, scopes, client_id, iat, exp } = claims.data
    if (iat > this.#nowS() + skewS || exp <= iat || exp > iat + accessTokenS)
      throw new ApiError('invalid_token')
    return {
      grant: {
        userId: sub,
        sessionId: sid,
        organizationId: org,
        environment: env,
        scopes,
        clientId: client_id,
      },
      kid,
    }
  }

  #nowS(): number {
    return this.#clock.now().getTime() / 1_000
  }
}
