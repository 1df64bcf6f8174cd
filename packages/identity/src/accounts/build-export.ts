import { enqueueMail } from '@memory/shared/mail/enqueue'
import { notify } from '@memory/shared/notifications/notify'
import type { Clock } from '@memory/shared/platform/clock'
import { asTenant, type Queries } from '@memory/shared/platform/database/database'
import type { Environment } from '@memory/shared/platform/database/tables'
import type { Log } from '@memory/shared/platform/log'
import { every } from '@memory/shared/platform/periodic'
import type { Secrets } from '@memory/shared/platform/secrets'
import { Archive, ArchiveTooLarge } from './export-archive.ts'
import * as content from './export-content-store.ts'
import * as store from './export-store.ts'
import { downloadUrl } from './exports.ts'

export interface ExportContext {
  queries: Queries
  secrets: Secrets
  clock: Clock
  log: Log
  publicBaseUrl: string
  /** Gives the patterns of a space that were stored before a time as lines, each a JSON object. */
  exportPatterns: (
    queries: Queries,
    organizationId: string,
    environment: Environment,
    storedBefore: Date,
  ) => AsyncIterable<string>
  /** Fires when the process is to end: the attempt is aborted, and the next process starts over. */
  signal: AbortSignal
}

const partBytes = 1024 * 1024
const auditPageRows = 500
/** After this many failed attempts the export is given up; the user may request another. */
const attemptsMax = 5

/** Thrown when this attempt may not write any more, because another has begun or the export was revoked meanwhile. */
class TakenOver extends Error {
  constructor() {
    super('Another attempt has taken this export over.')
  }
}

/**
 * Builds the archive of a requested export. Each attempt starts over, and only the latest one can write. So the process may be
 * killed at any point.
 * @throws when it failed and should be tried again
 */
export async function buildExport(context: ExportContext, id: store.ExportId): Promise<void> {
  const { queries, log } = context
  const attempt = await store.claim(queries, id)
  // The export is already built, was given up or revoked, or was erased with its user.
  if (attempt === undefined) return
  if (attempt.isOverdue) return giveUp(context, id, attempt, new Error('It has been pending for days.'))
  const renew = () => store.renew(queries, id, attempt.build)
  const renewing = every(store.renewEveryMs, 'renewing exports', renew, log)
  try {
    await build(context, id, attempt)
  } catch (error) {
    const failed = !context.signal.aborted && !(error instanceof TakenOver)
    const isHopeless = error instanceof ArchiveTooLarge || (failed && attempt.failures + 1 >= attemptsMax)
    if (!isHopeless) {
      await store.release(queries, id, attempt.build, failed)
      throw error
    }
    await giveUp(context, id, attempt, error)
  } finally {
    await renewing.stop()
  }
}

/** @throws TakenOver */
async function giveUp(
  { queries, secrets, log }: ExportContext,
  id: store.ExportId,
  { build }: store.Attempt,
  error: unknown,
): Promise<void> {
  const { userId, exportId } = id
  const profile = await content.readProfile(queries, userId)
  await asTenant(queries, { userId }, async (trx) => {
    if (!(await store.fail(trx, id, build))) throw new TakenOver()
    if (profile?.status !== 'active') return
    const parameters = { isTooLarge: error instanceof ArchiveTooLarge }
    await enqueueMail(trx, secrets, { to: profile.email, template: 'export-failed', parameters, userId })
  })
  log.error({ err: error, exportId }, 'export given up')
  await store.removeParts(queries, id)
}

async function build(context: ExportContext, id: store.ExportId, attempt: store.Attempt): Promise<void> {
  const { queries, clock, signal } = context
  await store.removeParts(queries, id)
  let part = 0
  const take = async (data: Uint8Array) => {
    signal.throwIfAborted()
    const taken = await store.insertPart(queries, id, attempt.build, { part: part++, data })
    if (!taken) throw new TakenOver()
  }
  const archive = new Archive(take, { partBytes, mtime: clock.now() })
  const profile = await content.readProfile(queries, id.userId)
  if (profile === undefined) return
  await archive.add('profile.json', [asJson({ ...profile, exported_at: clock.now() })])
  await archive.add('organizations.json', [
    asJson(await addPatterns(context, archive, id.userId, attempt.begunAt)),
  ])
  await archive.add('audit.ndjson', auditLines(queries, id.userId))
  await archive.add('sessions.json', [asJson(await content.listSessions(queries, id.userId))])
  await announce(context, id, attempt.build, await archive.finish(), profile)
}

/**
 * Adds the patterns of those organizations that the user owns, as far as they were stored before a time.
 * @returns all organizations of the user, each with the number of patterns added; null for those that they do not own
 */
async function addPatterns(
  { queries, exportPatterns, signal }: ExportContext,
  archive: Archive,
  userId: string,
  storedBefore: Date,
): Promise<object[]> {
  const organizations: object[] = []
  for (const organization of await content.listOrganizations(queries, userId)) {
    const patterns = { live: 0, test: 0 }
    for (const environment of organization.role === 'owner' ? (['live', 'test'] as const) : []) {
      const lines = exportPatterns(queries, organization.id, environment, storedBefore)
      const counted = countLines(lines, signal, () => patterns[environment]++)
      await archive.add(`patterns-${organization.id}-${environment}.ndjson`, counted)
    }
    organizations.push({ ...organization, patterns: organization.role === 'owner' ? patterns : null })
  }
  return organizations
}

async function* countLines(
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  onLine: () => void,
): AsyncGenerator<string> {
  for await (const line of lines) {
    signal.throwIfAborted()
    onLine()
    yield line
  }
}

async function* auditLines(queries: Queries, userId: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await content.listAudit(queries, userId, after, auditPageRows)
    for (const { id: _, ...entry } of rows) yield `${JSON.stringify(entry)}\n`
    const last = rows.at(-1)
    if (last === undefined || rows.length < auditPageRows) return
    after = last.id
  }
}

async function announce(
  { queries, secrets, publicBaseUrl }: ExportContext,
  id: store.ExportId,
  attempt: number,
  bytes: number,
  { email, status }: { email: string; status: string },
): Promise<void> {
  const { userId, exportId } = id
  // The notification needs an organization; a user without one gets only the mail.
  const [organization] = await content.listOrganizations(queries, userId)
  await asTenant(queries, { userId, organizationId: organization?.id }, async (trx) => {
    const until = await store.finish(trx, id, attempt, bytes)
    if (until === undefined) throw new TakenOver()
    // The user of an account that was deleted meanwhile can't download it.
    if (status !== 'active') return
    if (organization !== undefined) {
      await notify(trx, organization.id, 'account.export_ready', { userId, exportId })
    }
    await enqueueMail(trx, secrets, {
      to: email,
      template: 'export-ready',
      parameters: { link: downloadUrl(publicBaseUrl, exportId), until: until.toISOString() },
      userId,
    })
  })
}

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
