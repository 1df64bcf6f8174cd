import type { PasswordCost } from '@memory/identity/accounts/password-hash'
import { type IdentityContext, openIdentity } from '@memory/identity/context'
import type { AttemptContext } from '@memory/identity/webhooks/attempt'
import { Acceleration } from '@memory/memory/acceleration/service'
import { type MemoryContext, openMemory } from '@memory/memory/context'
import { MetadataSnapshots } from '@memory/memory/filter/metadata-snapshots'
import { shardsPersist } from '@memory/memory/index/shards'
import { snapshotsIn } from '@memory/memory/index/snapshots'
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

/** What everything else in the process stands on. */
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
  /** Of what is written down behind requests. */
  lowPriority: LowPriorityQueue
}

/** Everything that lives as long as the process. Made here and nowhere else. */
export interface Context extends Platform, IdentityContext {
  version: string
  /** That it was built from; null where nobody knows. */
  commit: string | null
  memory: MemoryContext
  idempotency: IdempotencyClaims
  /** Is told of each attempt at a webhook. */
  onAttempt: AttemptContext['onAttempt']
  admission: Admission
  /** What streams of notifications follow. */
  feed: NotificationFeed
  acceleration: Acceleration
  /** Set when the process is told to end: it still answers, so that load balancers can turn away in time. */
  leaving: boolean
  /** Set when it refuses requests. */
  draining: boolean
  close(): Promise<void>
}

/** What a start makes sure of, and what tests give instead of the service's own. */
export interface ContextOptions {
  /** Of hashes: a small one, so that there may be many users. */
  passwordCost?: PasswordCost
  /** Threads that many services of one process have together. */
  startThreads?: StartThreads
  /** A database that many services of one process have one after the other. */
  openDatabase?: () => Promise<Database>
  /** Comes before the database is changed; where it throws, nothing of it is. */
  before?: () => Promise<void>
}

/**
 * Opens the database and starts the threads, side by side, and then what stands on them.
 * @throws ConfigError for what an operator can put right
 */
export async function createContext(
  config: Config,
  makeLog: (level: string) => Log,
  clock: Clock = systemClock,
  { passwordCost, startThreads, openDatabase, before }: ContextOptions = {},
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
  const passwords = { cost: passwordCost, derive: hashThreads.derive }
  const identity = await openIdentity({ ...platform, passwords })
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
    // Of the start: a clone may be brought to another one while it runs.
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
  opened.move()
  const whole = { ...context, close: () => close(context) }
  // Whether the process is told to end is set in what is returned.
  registerReadiness(metrics.registry, whole)
  return whole
}

async function openPlatform(
  opened: AsyncDisposableStack,
  config: Config,
  log: Log,
  clock: Clock,
  { startThreads, openDatabase, before }: Omit<ContextOptions, 'passwordCost'>,
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

/** The commit that runs; null where nobody knows. */
function knownCommit(): string | null {
  const commit = builtFrom()
  return commit === 'unknown' ? null : commit
}

/** Writes down what is known of uses, saves the spaces, and closes all. */
async function close(context: Omit<Context, 'close'>): Promise<void> {
  const { lowPriority, pool, hashThreads, memory, callers, usage, feed, queue, database } = context
  lowPriority.hurry()
  await Promise.all([pool.close(), hashThreads.close()])
  await Promise.allSettled([
    memory.accesses.flush().then(() => memory.learning.flush()),
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
