import { sql } from 'kysely'
import { asTask, type Queries, type Trx } from '../platform/database/database.ts'

/** A queued mail; its `parameters` are sealed. */
export interface QueuedMail {
  id: string
  recipient: string
  template: string
  parameters: Uint8Array
  createdAt: Date
  /** Whether it has waited for too long to be sent. */
  isStale: boolean
}

export interface NewMail {
  id: string
  user_id: string | null
  organization_id: string | null
  recipient: string
  template: string
  parameters: Uint8Array
}

/** Inserts a mail of the transaction's tenant. */
export async function insert(trx: Trx, mail: NewMail): Promise<void> {
  await trx.withSchema('app').insertInto('mails').values(mail).execute()
}

/** A queued mail; undefined when it was sent or erased. @param staleAfterS the age in seconds from which it counts as stale */
export function find(queries: Queries, id: string, staleAfterS: number): Promise<QueuedMail | undefined> {
  return asTask(queries, 'send-mail', (trx) =>
    trx
      .withSchema('app')
      .selectFrom('mails')
      .select([
        'id',
        'recipient',
        'template',
        'parameters',
        'created_at as createdAt',
        sql<boolean>`created_at < now() - make_interval(secs => ${staleAfterS})`.as('isStale'),
      ])
      .where('id', '=', id)
      .executeTakeFirst(),
  )
}

/** @returns how often its recipient was refused, this time included; undefined when the mail was erased */
export async function noteRefusal(queries: Queries, id: string): Promise<number | undefined> {
  const row = await asTask(queries, 'send-mail', (trx) =>
    trx
      .withSchema('app')
      .updateTable('mails')
      .set({ refusals: sql`refusals + 1` })
      .where('id', '=', id)
      .returning('refusals')
      .executeTakeFirst(),
  )
  return row?.refusals
}

export async function remove(queries: Queries, id: string): Promise<void> {
  await asTask(queries, 'send-mail', (trx) =>
    trx.withSchema('app').deleteFrom('mails').where('id', '=', id).execute(),
  )
}
