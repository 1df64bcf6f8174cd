import { notify } from '@memory/shared/notifications/notify'
import { asTask, type Queries } from '@memory/shared/platform/database/database'
import * as store from './expiring-store.ts'

const atOnce = 100

/** Notifies organizations of their keys that expire within 7 days, once for each key. */
export async function notifyOfExpiringKeys(queries: Queries): Promise<void> {
  for (;;) {
    const told = await asTask(queries, 'tell-of-expiring-keys', async (trx, switchTenant) => {
      const keys = await store.takeExpiring(trx, atOnce)
      for (const { id, organizationId, expiresAt } of keys) {
        await switchTenant({ organizationId })
        const payload = { keyId: id, expiresAt: expiresAt.toISOString() }
        await notify(trx, organizationId, 'account.key_expiring', payload)
      }
      return keys.length
    })
    if (told < atOnce) return
  }
}
