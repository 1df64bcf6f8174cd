import { asTask, type Queries } from '@memory/shared/platform/database/database'
import type { Secrets } from '@memory/shared/platform/secrets'
import { skewS, subjectTokenMaxS } from './lifetimes.ts'
import { newSigningKey } from './new-signing-key.ts'
import * as store from './signing-key-store.ts'
import { jwksLifetimeS, jwksReadEveryS } from './signing-keys.ts'

/** Seconds for which a key signs before the next one does. */
export const rotateAfterS = 30 * 86_400
/** Seconds from publishing a key to its first signature: whoever verifies has it by then, however old their copy. */
export const publishedAheadS = jwksLifetimeS + jwksReadEveryS
/** Seconds from a key's last signature to the end of its last token of any kind, and of the copies that must still have it. */
export const keptS = subjectTokenMaxS + skewS + jwksLifetimeS + jwksReadEveryS
/** Seconds for which operators can still see a key that was retired. */
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

/** Adds a key that takes over once everybody has it (at once, where none signs). Tokens that were issued stay valid. */
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
 * Rotates when the last key has signed for 30 days, and removes what was retired long ago. Any number of processes may
 * do so together. Before the first token was issued there is no key, and nothing to do.
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
 * For a private key that became known: every token that it signed is refused everywhere from now on. Where no other
 * key signs, the next token makes one.
 * @returns whether there was such a key that still held
 */
export function retireSigningKey(queries: Queries, kid: string): Promise<boolean> {
  return asTask(queries, 'keep-secrets', (trx) => store.retire(trx, kid))
}

/** Every key of the last month or two, newest first. */
export const listSigningKeys = store.list
