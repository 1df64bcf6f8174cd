import type { PasswordsOptions } from '@memory/identity/accounts/passwords'
import { type IdentityContext, openIdentity } from '@memory/identity/context'
import type { AttemptContext } from '@memory/identity/webhooks/attempt'
import { Acceleration } from '@memory/memory/acceleration/service'
import { type MemoryContext, openMemory } from '@memory/memory/context'
import { MetadataSnapshots } from '@memory/memory/filter/metadata-snapshots'
import { shardsPersist } from '@memory/memory/index/shards'
import { removeSnapshots, snapshotsIn } from '@memory/memory/index/snapshots'
import { writeUses } from '@memory/memory/write-uses'
import { limits } from '@memory/shared/catalogue/limits'
import { NotificationFeed } from '@memory/shared/notifications/feed'
import { registerReadiness } from '@memory/shared/ops/metrics'
import { type Clock, systemClock } from '@memory/shared/platform/clock'
import type { Config } from '@memory/shared/platform/config'
import { type Database, reportLooseCommits } from '@memory/shared/platform/database/database'
import { openDataDirectory } from '@memory/shared/platform/database/embedded'
import {
  migratePostgres,
  openPostgres,
  requireMigrated,
  requireUsable,
} from '@memory/shared/platform/database/postgres'
import { requireRowLevelSecurity } from '@memory/shared/platform/database/privileges'
import { IdempotencyClaims } from '@memory/shared/platform/idempotency'
import type { Log } from '@memory/shared/platform/log'
import { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import { openSecrets } from '@memory/shared/platform/master-key'
import { keepPrivate } from '@memory/shared/platform/private-folders'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import type { Secrets } from '@memory/shared/platform/secrets'
import { requireSurroundings } from '@memory/shared/platform/surroundings'
import { builtFrom, packageVersion } from '@memory/shared/platform/version'
import { Admission } from './http/admission.ts'
import { createMetrics, type Metrics, memoryEvents, poolObserver, registerReadings } from './ops/metrics.ts'
import { HashThreads } from './pool/hash-threads.ts'
import { Scheduler } from './pool/scheduler.ts'
import type { StartThreads } from './pool/thread-pool.ts'

/** What everything else in the process is built on. */
interface Platform {
  config: Config
  log: Log
  clock: Clock
  metrics: Metrics
  database: Database
  secrets: Secrets
  queue: JobQueue
  pool: Scheduler
  hashThreads: HashThreads
  /** Database writes that no request waits for, such as last uses of keys; they make way for requests. */
  lowPriority: LowPriorityQueue
}

/** Everything that lives as long as the process. Only `createContext` makes one. */
export interface Context extends Platform, IdentityContext {
  version: string
  /** The commit that this process was built from; null when unknown. */
  commit: string | null
  memory: MemoryContext
  idempotency: IdempotencyClaims
  /** Called after each attempt to deliver a webhook. */
  onAttempt: AttemptContext['onAttempt']
  admission: Admission
  /** New notifications, for the open notification streams. */
  feed: NotificationFeed
  acceleration: Acceleration
  /** Set when the process is told to stop: it still answers, so that load balancers can turn away in time. */
  leaving: boolean
  /** Set when the process has begun to refuse new requests. */
  draining: boolean
  close(): Promise<void>
}

/** A check before the start, and replacements for tests. */
interface ContextOptions {
  /** How passwords are hashed: tests do it at a low cost, on threads that all services of a process share. */
  passwords?: Pick<PasswordsOptions, 'cost' | 'derive'>
  /** Starts the pool threads: tests share one set between all services of a process. */
  startThreads?: StartThreads
  /** Opens the database: tests use one database for several services, one after the other. */
  openDatabase?: () => Promise<Database>
  /** Runs before the database is changed; when it throws, the start fails with the database untouched. */
  before?: () => Promise<void>
}

/**
 * Opens the database and starts the threads, both at the same time, then builds the services on them.
 * @throws ConfigError for problems that an operator can fix
 */
export async function createContext(
  config: Config,
  makeLog: (level: string) => Log,
  clock: Clock = systemClock,
  { passwords, startThreads, openDatabase, before }: ContextOptions = {},
): Promise<Context> {
  // Closes what is open when something after it fails.
  await using opened = new AsyncDisposableStack()
  const platform = await openPlatform(opened, config, makeLog(config.logLevel), clock, {
    startThreads,
    openDatabase,
    before,
  })
  const { log, metrics, database, pool, hashThreads } = platform
  const { queries } = database
  const identity = await openIdentity({
    ...platform,
    passwords: { derive: hashThreads.derive, ...passwords },
  })
  if (!shardsPersist) await removeSnapshots(config.dataDir)
  const memory = openMemory({
    ...platform,
    queries,
    compute: pool,
    receipts: identity.receipts,
    indexBudgetBytes: config.indexBudgetBytes,
    payloadBudgetBytes: config.cacheBudgetBytes / 2,
    versionsKept: config.versionsKept,
    snapshots: shardsPersist ? snapshotsIn(config.dataDir) : undefined,
    metadataSnapshots: shardsPersist ? new MetadataSnapshots(config.dataDir) : undefined,
    events: memoryEvents(metrics),
  })
  const context = {
    ...platform,
    ...identity,
    version: packageVersion(),
    // Read once: another commit may be checked out while the process runs.
    commit: knownCommit(),
    memory,
    idempotency: new IdempotencyClaims(queries, log),
    onAttempt: registerReadings(metrics, { ...platform, memory }),
    admission: new Admission(),
    feed: new NotificationFeed(database),
    acceleration: new Acceleration(pool),
    leaving: false,
    draining: false,
  }
  // Nothing failed: from here on, `close` is what closes everything.
  opened.move()
  const whole = { ...context, close: () => close(context) }
  // Readiness reads `leaving` and `draining`, which are set on the returned object.
  registerReadiness(metrics.registry, whole)
  return whole
}

async function openPlatform(
  opened: AsyncDisposableStack,
  config: Config,
  log: Log,
  clock: Clock,
  { startThreads, openDatabase, before }: Omit<ContextOptions, 'passwords'>,
): Promise<Platform> {
  for (const warning of await requireSurroundings(config)) log.warn(warning)
  for (const warning of keepPrivate(config.dataDir)) log.warn(warning)
  const metrics = createMetrics()
  const openingDatabase = openDatabase?.() ?? openConfigured(config, log, before)
  const opening = [openingDatabase, startPool(config, metrics, startThreads)] as const
  for (const one of opening) opened.defer(() => one.then((each) => each.close()).catch(() => {}))
  const [database, pool] = await Promise.all(opening)
  await requireUsable(requireRowLevelSecurity(database.queries))
  await reportLooseCommits(database.queries, log)
  const secrets = await openSecrets(database.queries, config)
  const hashThreads = new HashThreads(config.passwords.concurrency)
  opened.defer(() => hashThreads.close())
  const queue = new JobQueue({ redisUrl: config.redisUrl, database, log })
  return {
    ...{ config, log, clock, metrics, database, pool, secrets, hashThreads, queue },
    lowPriority: new LowPriorityQueue(),
  }
}

function startPool(
  config: Config,
  metrics: Metrics,
  startThreads: StartThreads | undefined,
): Promise<Scheduler> {
  return Scheduler.start(
    {
      encoderDir: config.encoderDir,
      dimensions: limits.embeddingDimensions,
      threads: config.poolThreads,
      cacheBytes: config.cacheBudgetBytes / 2,
    },
    poolObserver(metrics),
    startThreads,
  )
}

/** The commit that this process was built from; null when unknown. */
function knownCommit(): string | null {
  const commit = builtFrom()
  return commit === 'unknown' ? null : commit
}

/** Stops the threads, writes what is still buffered (uses, usage, snapshots), then closes the connections. */
async function close(context: Omit<Context, 'close'>): Promise<void> {
  const { lowPriority, pool, hashThreads, memory, callers, usage, feed, queue, database } = context
  lowPriority.hurry()
  await Promise.all([pool.close(), hashThreads.close()])
  await Promise.allSettled([
    writeUses(memory, true),
    callers.keyUse.flush(true),
    callers.sessionUse.flush(true),
    usage.log.flush(),
    memory.spaces.save(),
    memory.metadata.save(),
  ])
  await feed.close()
  await queue.close()
  await database.close()
}

async function openConfigured(config: Config, log: Log, before: ContextOptions['before']): Promise<Database> {
  const { url, poolSize, migrate } = config.database
  if (url === undefined) return openDataDirectory(config.dataDir, { log, before })
  await before?.()
  if (migrate) {
    const applied = await requireUsable(migratePostgres(url))
    if (applied.length > 0) log.info({ applied }, 'database migrated')
  } else {
    await requireMigrated(url)
  }
  return openPostgres(url, poolSize, log)
}
