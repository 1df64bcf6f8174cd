import type { PublicJwk } from '@memory/shared/platform/database/tables'
import type { Secrets } from '@memory/shared/platform/secrets'
import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import type { NewKey } from './signing-key-store.ts'

export const algorithm = 'RS256'
const modulusLength = 3_072

/** What a key signs: access tokens, or receipts. */
export type KeyPurpose = 'signing-key' | 'receipt-key'

/** The place of a private key, for sealing. */
export const placeOf = (kid: string, purpose: KeyPurpose = 'signing-key') => ({ purpose, id: kid })

/** Makes a key pair, with the private key sealed for storage. Takes much of a second, in one of Node's threads. */
export async function newSigningKey(secrets: Secrets, purpose: KeyPurpose = 'signing-key'): Promise<NewKey> {
  const pair = await generateKeyPair(algorithm, { modulusLength, extractable: true })
  const { n, e } = (await exportJWK(pair.publicKey)) as { n: string; e: string }
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
  const publicKey: PublicJwk = { kty: 'RSA', kid, use: 'sig', alg: algorithm, n, e }
  const pem = new TextEncoder().encode(await exportPKCS8(pair.privateKey))
  return { kid, publicKey, privateKey: secrets.seal(pem, placeOf(kid, purpose)) }
}
