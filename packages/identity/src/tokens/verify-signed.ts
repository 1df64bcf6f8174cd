import { ApiError } from '@memory/shared/catalogue/errors'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { skewS } from './lifetimes.ts'
import { algorithm } from './new-signing-key.ts'
import type { SigningKeys } from './signing-keys.ts'

/** What a token must contain, besides being signed by one of our keys. */
export interface Expected {
  /** The header's `typ`. */
  type: string
  audience: string
  issuer: string
  now: Date
}

/** Whether a token's header claims this type. Only `verifySigned` checks the claim. */
export function saysType(token: string, type: string): boolean {
  try {
    return decodeProtectedHeader(token).typ === type
  } catch {
    return false
  }
}

/**
 * Checks a token's signature, type, issuer, audience and time, and returns its claims and the id of the key that signed it. The
 * caller must check the claims that are specific to the type.
 * @throws ApiError token_expired, invalid_token
 */
export async function verifySigned(
  keys: SigningKeys,
  token: string,
  { type, audience, issuer, now }: Expected,
): Promise<{ payload: JWTPayload; kid: string }> {
  try {
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async (header) => {
        const kid = kidOf(header, type)
        const key = kid === undefined ? undefined : await keys.find(kid)
        if (key === undefined) throw new ApiError('invalid_token')
        return key
      },
      { algorithms: [algorithm], issuer, audience, clockTolerance: skewS, currentDate: now },
    )
    return { payload, kid: protectedHeader.kid as string }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new ApiError('token_expired', { cause: error })
    if (error instanceof errors.JOSEError) throw new ApiError('invalid_token', { cause: error })
    throw error
  }
}

/**
 * The key id of a header that has what ours have, and nothing else: no key or address of one (`jwk`, `jku`, `x5u`, `x5c`),
 * no extension.
 */
function kidOf(header: Record<string, unknown>, type: string): string | undefined {
  const { kid, typ, alg, ...others } = header
  const isOurs =
    typeof kid === 'string' && typ === type && alg === algorithm && Object.keys(others).length === 0
  return isOurs ? kid : undefined
}
