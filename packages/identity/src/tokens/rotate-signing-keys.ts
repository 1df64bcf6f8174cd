import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { skewS, subjectTokenMaxS } from './lifetimes.ts'
import { newSigningKey } from './new-signing-key.ts'
import * as store from './signing-key-store.ts'
import { jwksLifetimeS, jwksReadEveryS } from './signing-keys.ts'

/** A key signs for this many seconds before the next one takes over. */
export const rotateAfterS = 30 * 86_400
/** Seconds between publishing a key and its first signature: by then all cached copies of the key set contain it. */
export const publishedAheadS = jwksLifetimeS + jwksReadEveryS
/** Seconds for which a key stays published after its last signature: until its last token and all cached copies expire. */
export const keptS = subjectTokenMaxS + skewS + jwksLifetimeS + jwksReadEveryS
/** Seconds for which operators can still list a retired key. */
const listedS = 30 * 86_400

interface Dependencies {
  queries: Queries
  secrets: Secrets
}

/** A key that was added. */
export interface NextKey {
  kid: string
  signsFrom: Date
}

/**
 * Adds a key that starts signing once everybody who verifies tokens has it, or at once when no key signs now. Tokens that were
 * issued before stay valid.
 */
export async function rotateSigningKey({ queries, secrets }: Dependencies): Promise<NextKey> {
  const key = await newSigningKey(secrets)
  const signsFrom = await asTask(queries, 'keep-secrets', async (trx) => {
    await store.lock(trx)
    const aheadS = (await store.hasSigner(trx)) ? publishedAheadS : 0
    return store.insertNext(trx, key, aheadS, keptS)
  })
  return { kid: key.kid, signsFrom }
}

/**
 * Rotates when the latest key has signed for 30 days, and deletes keys that were retired long ago. Several processes may call
 * this at once. Does nothing before the first token was issued, since then there is no key.
 */
export async function rotateSigningKeyWhenDue({ queries, secrets }: Dependencies): Promise<void> {
  const isDue = await asTask(queries, 'keep-secrets', async (trx) => {
    await store.deleteRetired(trx, listedS)
    return store.isDue(trx, rotateAfterS)
  })
  if (!isDue) return
  const key = await newSigningKey(secrets)
  await asTask(queries, 'keep-secrets', async (trx) => {
    await store.lock(trx)
    if (await store.isDue(trx, rotateAfterS)) await store.insertNext(trx, key, publishedAheadS, keptS)
  })
}

/**
 * Retires a key at once, for when its private key has leaked: every process refuses all tokens that it has signed. When no other
 * key signs, one is made for the next token.
 * @returns whether the key existed and was not retired yet
 */
export function retireSigningKey(queries: Queries, kid: string): Promise<boolean> {
  return asTask(queries, 'keep-secrets', (trx) => store.retire(trx, kid))
}

/** Lists all keys, retired ones for some time too, newest first. */
export const listSigningKeys = store.list
