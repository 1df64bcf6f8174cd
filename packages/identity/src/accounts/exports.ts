import { actorOf, recordAudit } from '@memory/shared/audit/audit'
import { ApiError } from '@memory/shared/catalogue/errors'
import { isUuid } from '@memory/shared/catalogue/fields-parsing'
import type { Output, SignedIn } from '@memory/shared/catalogue/operation'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import { untilFewer } from '@memory/shared/platform/database/purge'
import { append } from '@memory/shared/platform/outbox/outbox'
import type { AccountsContext } from './context.ts'
import type { GetExport, RequestExport } from './export-schema.ts'
import * as store from './export-store.ts'

type Reading = Pick<AccountsContext, 'queries'>

/** Requests an export of the caller's data. @throws ApiError export_running, too_many_attempts */
export function requestExport(
  { queries, throttle }: Reading & Pick<AccountsContext, 'throttle'>,
  caller: SignedIn,
): Promise<Output<typeof RequestExport>> {
  const attempts = [{ rule: 'export', of: [caller.userId] }] as const
  return throttle.attempt(
    attempts,
    () => beginExport(queries, caller),
    () => false,
  )
}

function beginExport(queries: Queries, caller: SignedIn): Promise<Output<typeof RequestExport>> {
  const { userId, organization, origin } = caller
  return asTenant(queries, { userId }, async (trx) => {
    const exportId = await store.insert(trx, userId)
    if (exportId === undefined) throw new ApiError('export_running')
    await recordAudit(trx, {
      action: 'export_requested',
      actor: actorOf(caller),
      origin,
      organizationId: organization?.id,
      userId,
      target: exportId,
    })
    await append(trx, null, 'account.export_requested', { userId, exportId })
    return { export_id: exportId, status: 'pending' as const }
  })
}

/** @throws ApiError export_not_found, also for an export of another user and for an expired one */
export async function getExport(
  { queries, settings }: Reading & Pick<AccountsContext, 'settings'>,
  { userId }: SignedIn,
  exportId: string,
): Promise<Output<typeof GetExport>> {
  const { id, status } = await findExport(queries, { userId, exportId })
  const ready = status === 'ready'
  return {
    export_id: id,
    status,
    download_url: ready ? downloadUrl(settings.publicBaseUrl, id) : null,
  }
}

export const downloadUrl = (publicBaseUrl: string, exportId: string) =>
  `${publicBaseUrl}/v1/users/me/exports/${exportId}/download`

/** A complete archive, to be read piece by piece. */
export interface ExportArchive {
  fileName: string
  bytes: number
  pieces: AsyncIterable<Uint8Array>
}

/** @throws ApiError export_not_found, export_not_ready */
export async function openExport(
  { queries }: Reading,
  { userId }: SignedIn,
  exportId: string,
): Promise<ExportArchive> {
  const id = { userId, exportId }
  const { status, bytes } = await findExport(queries, id)
  if (status !== 'ready') throw new ApiError('export_not_ready')
  return { fileName: `memory-export-${exportId}.zip`, bytes, pieces: readParts(queries, id, bytes) }
}

/** @throws when a part is missing, because the export expired or was revoked while it was being read */
async function* readParts(queries: Queries, id: store.ExportId, bytes: number): AsyncGenerator<Uint8Array> {
  let read = 0
  for (let part = 0; read < bytes; part++) {
    const data = await store.readPart(queries, id, part)
    if (data === undefined) throw new Error('A part of the export is gone.')
    read += data.length
    yield data
  }
}

async function findExport(queries: Queries, id: store.ExportId): Promise<store.Export> {
  const found = isUuid(id.exportId) ? await store.find(queries, id) : undefined
  if (found === undefined) throw new ApiError('export_not_found')
  return found
}

const oldAtOnce = 100

/** Removes expired and revoked exports. */
export async function purgeExports(queries: Queries): Promise<void> {
  await untilFewer(oldAtOnce, async () => {
    const exports = await store.listOld(queries, oldAtOnce)
    for (const old of exports) {
      await store.removeParts(queries, old)
      await store.remove(queries, old)
    }
    return exports.length
  })
}
