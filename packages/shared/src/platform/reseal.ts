import { asTask, type Queries } from './database/database.ts'
import {
  deleteOtherProofs,
  isAnotherAwaited,
  listVersions,
  readOutdated,
  renewProof,
  replace,
  type SealedColumn,
  type SealedValue,
  sealedColumns,
} from './database/sealed-values.ts'
import type { Log } from './log.ts'
import { SealError, type Secrets } from './secrets.ts'

/** How often a process looks for what to seal anew, since those not restarted yet still seal under the old key, and says which key it has first. */
export const resealEveryMs = 10 * 60_000

/** The most values that are resealed in one transaction. */
const batchSize = 100

/**
 * While the master key is being changed: reseals under the new key whatever is still sealed under an old one. Once nothing is,
 * nor any event that waits, deletes the old keys' proofs, so that the old keys are no longer needed. Safe to run in several
 * processes at once; must be repeated, since a process that was not restarted yet still seals under the old key.
 */
export async function resealSecrets(queries: Queries, secrets: Secrets, log: Log): Promise<void> {
  if (!secrets.hasOldKeys) return
  // A process that has the new key second, and so still seals under the old one, must not reseal in the other direction; where no
  // process has the new one first any more, since the change was taken back, it must.
  if (!(await asTask(queries, 'keep-secrets', (trx) => renewProof(trx, secrets.version)))) return
  let resealed = 0
  let broken = 0
  for (const column of sealedColumns) {
    let after = ''
    for (;;) {
      const batch = await resealBatch(queries, secrets, column, after)
      resealed += batch.resealed
      broken += batch.broken.length
      for (const id of batch.broken) log.error({ table: column.table, id }, 'sealed value does not open')
      if (batch.last === undefined) break
      after = batch.last
    }
  }
  if (broken > 0) return
  if (await asTask(queries, 'relay-outbox', (trx) => isAnotherAwaited(trx, secrets.version))) return
  const isDone = await asTask(queries, 'keep-secrets', async (trx) => {
    if ((await listVersions(trx)).some((version) => version !== secrets.version)) return false
    return (await deleteOtherProofs(trx, secrets.version)) || resealed > 0
  })
  // Logged only when a change has just been completed.
  if (isDone) log.info({ resealed }, 'secrets are sealed under the new master key: the old one is not needed')
}

/** Says, while the master key is being changed, that a process runs which seals under this key: one that reseals nothing itself. */
export async function sayWhichIsFirst(queries: Queries, secrets: Secrets): Promise<void> {
  if (secrets.hasOldKeys) await asTask(queries, 'keep-secrets', (trx) => renewProof(trx, secrets.version))
}

interface Batch {
  resealed: number
  /** Ids of values that did not open. */
  broken: string[]
  /** Undefined when there were no more. */
  last: string | undefined
}

function resealBatch(
  queries: Queries,
  secrets: Secrets,
  column: SealedColumn,
  after: string,
): Promise<Batch> {
  return asTask(queries, 'keep-secrets', async (trx) => {
    const values = await readOutdated(trx, column, secrets.version, after, batchSize)
    const broken: string[] = []
    for (const value of values) {
      const resealed = sealAgain(secrets, column, value)
      if (resealed === undefined) broken.push(value.id)
      else await replace(trx, column, value, resealed)
    }
    return { resealed: values.length - broken.length, broken, last: values.at(-1)?.id }
  })
}

function sealAgain(secrets: Secrets, { purpose }: SealedColumn, { id, sealed }: SealedValue) {
  const place = { purpose, id }
  try {
    return secrets.seal(secrets.open(sealed, place), place)
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
