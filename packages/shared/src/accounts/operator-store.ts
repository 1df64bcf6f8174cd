import type { Trx } from '../platform/database/database.ts'

export async function setStatus(trx: Trx, userId: string, status: 'active' | 'suspended'): Promise<void> {
  await trx.withSchema('app').updateTable('users').set({ status }).where('id', '=', userId).execute()
}
