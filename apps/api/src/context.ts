import type { SessionAuthCache } from '@memory/identity/accounts/authentication'
import { touch as touchSessions } from '@memory/identity/accounts/authentication-store'
import type { AccountsContext } from '@memory/identity/accounts/context'
import { Exchanges } from '@memory/identity/accounts/exchanges'
import type { PasswordCost } from '@memory/identity/accounts/password-hash'
import { Passwords } from '@memory/identity/accounts/passwords'
import { appointPlatformAdmins } from '@memory/identity/accounts/platform-admins'
import { AuthBatcher, type KeyAuthCache } from '@memory/identity/keys/auth-batcher'
import { recordKeyUse } from '@memory/identity/keys/service'
import { AuthCache } from '@memory/identity/security/auth-cache'
import { AccessTokens } from '@memory/identity/tokens/access-tokens'
import { SigningKeys } from '@memory/identity/tokens/signing-keys'
import type { UsageContext } from '@memory/identity/usage/service'
import { UsageLog } from '@memory/identity/usage/usage-log'
import { AddressGate } from '@memory/identity/webhooks/address-gate'
import type { AttemptContext } from '@memory/identity/webhooks/attempt'
import type { WebhooksContext } from '@memory/identity/webhooks/context'
import { registerWebhookMetrics } from '@memory/identity/webhooks/metrics'
import { Acceleration } from '@memory/memory/acceleration/service'
import type { MemoryContext } from '@memory/memory/context'
import { shardsPersist } from '@memory/memory/index/shards'
import { snapshotsIn } from '@memory/memory/index/snapshots'
import { SpaceCache } from '@memory/memory/index/space-cache'
import { Learning } from '@memory/memory/learning/learning'
import { LearningCache } from '@memory/memory/learning/learning-cache'
import { hasText, TextCache } from '@memory/memory/lexical/text-cache'
import { PayloadCache } from '@memory/memory/patterns/payloads'
import { Prefetcher } from '@memory/memory/prefetch/prefetcher'
import { PathwayCosts } from '@memory/memory/routing/pathway-costs'
import { AccessLog } from '@memory/memory/tiers/access-log'
import { EarlySearches } from '@memory/memory/vectors/early-searches'
import { limits } from '@memory/shared/catalogue/limits'
import { registerOutboxBacklog, registerQueueMetrics } from '@memory/shared/ops/metrics'
import { type Clock, systemClock } from '@memory/shared/platform/clock'
import { type Config, linkBaseOf } from '@memory/shared/platform/config'
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
import { LastUse } from '@memory/shared/platform/last-use'
import type { Log } from '@memory/shared/platform/log'
import { openSecrets } from '@memory/shared/platform/master-key'
import { Pace } from '@memory/shared/platform/pace'
import { keepPrivate } from '@memory/shared/platform/private-folders'
import { JobQueue } from '@memory/shared/platform/queue/queue'
import type { Secrets } from '@memory/shared/platform/secrets'
import { packageVersion } from '@memory/shared/platform/version'
import { makeRules } from '@memory/shared/throttle/rules'
import { Throttle } from '@memory/shared/throttle/throttle'
import { Admission } from './http/admission.ts'
import { EarlyWork } from './http/early-work.ts'
import { createMetrics, type Metrics, registerGauges } from './ops/metrics.ts'
import { HashThreads } from './pool/hash-threads.ts'
import { ThreadPool } from './pool/thread-pool.ts'

/** Everything that lives as long as the process. Made here and nowhere else. */
export interface Context {
  config: Config
  version: string
  log: Log
  clock: Clock
  database: Database
  queue: JobQueue
  metrics: Metrics
  memory: MemoryContext
  authentication: AuthBatcher
  /** Undefined where the database must be asked each time. */
  knownSessions: SessionAuthCache | undefined
  idempotency: IdempotencyClaims
  keyUse: LastUse
  sessionUse: LastUse
  accessTokens: AccessTokens
  accounts: AccountsContext
  webhooks: WebhooksContext
  /** Is told of each attempt at a webhook. */
  onAttempt: AttemptContext['onAttempt']
  usage: UsageContext
  earlyWork: EarlyWork
  admission: Admission
  pool: ThreadPool
  acceleration: Acceleration
  /** Of what is written down behind requests. */
  pace: Pace
  /** Set when the process is told to end: it still answers, so that load balancers can turn away in time. */
  leaving: boolean
  /** Set when it refuses requests. */
  draining: boolean
  close(): Promise<void>
}

/**
 * Opens the database and starts the threads, side by side.
 * @param options.passwordCost of hashes; tests make it small
 * @throws ConfigError for what an operator can put right
 */
export async function createContext(
  config: Config,
  makeLog: (level: string) => Log,
  clock: Clock = systemClock,
  { passwordCost }: { passwordCost?: PasswordCost | undefined } = {},
): Promise<Context> {
  const log = makeLog(config.logLevel)
  for (const warning of keepPrivate(config.dataDir)) log.warn(warning)
  const metrics = createMetrics()
  const opening = openDatabase(config, log)
  const starting = ThreadPool.start(
    {
      encoderDir: config.encoderDir,
      dimensions: limits.embeddingDimensions,
      threads: config.poolThreads,
      cacheBytes: config.cacheBudgetBytes / 2,
    },
    {
      encoded: (seconds) => metrics.encodeSeconds.observe(seconds),
      cacheLookup: (hit) => metrics.embeddingCacheLookups.inc({ result: hit ? 'hit' : 'miss' }),
    },
  )
  const [database, pool] = await bothOrNeither(opening, starting)
  const { queries, patientQueries } = database
  const queue = new JobQueue({ redisUrl: config.redisUrl, database, log })
  let accessTokens: AccessTokens
  let secrets: Secrets
  let knownKeys: KeyAuthCache | undefined
  let knownSessions: SessionAuthCache | undefined
  try {
    await requireUsable(requireRowLevelSecurity(queries))
    await reportLooseCommits(queries, log)
    secrets = await openSecrets(queries, config)
    const unverified = await appointPlatformAdmins(queries, config.platformAdmins, config.verifiedAdminsOnly)
    if (unverified > 0)
      log.warn({ count: unverified }, 'platform admins who have to verify their address first')
    knownKeys = await AuthCache.open(database)
    knownSessions = await AuthCache.open(database)
    accessTokens = new AccessTokens(new SigningKeys({ queries, secrets, clock }), config.issuer, clock)
  } catch (error) {
    await Promise.allSettled([database.close(), pool.close()])
    throw error
  }
  const learned = new LearningCache(queries)
  const pace = new Pace()
  const learning = new Learning({
    queries,
    clock,
    pace,
    onLearned: (spaceId, version) => learned.refresh(spaceId, version),
  })
  const texts = new TextCache({ queries, budgetBytes: config.indexBudgetBytes / 2 })
  const payloads = new PayloadCache({
    queries,
    budgetBytes: config.cacheBudgetBytes / 2,
    events: {
      lookedUp: (hits, misses) => {
        if (hits > 0) metrics.payloadCacheLookups.inc({ result: 'hit' }, hits)
        if (misses > 0) metrics.payloadCacheLookups.inc({ result: 'miss' }, misses)
      },
      evicted: () => metrics.payloadCacheEvictions.inc(),
      warmed: (count) => metrics.prefetchedPayloads.inc(count),
      warmedUsed: (count) => metrics.prefetchedPayloadsUsed.inc(count),
    },
  })
  const spaces = new SpaceCache({
    queries,
    onChange: (index, idx) => payloads.evict(index, idx),
    onCommit: (spaceId, version, { stored = [], removed = [] }) => {
      learned.forget(spaceId, removed)
      texts.committed(spaceId, version, { stored: stored.filter(hasText), removed })
    },
    onRemoved: (spaceId, removed) => learned.forget(spaceId, removed),
    onDrop: (spaceId) => {
      texts.drop(spaceId)
      learned.drop(spaceId)
      learning.forget(spaceId)
    },
    onReadAnew: (spaceId) => learned.drop(spaceId),
    onRelease: (index) => payloads.release(index),
    budgetBytes: config.indexBudgetBytes,
    snapshots: shardsPersist ? snapshotsIn(config.dataDir) : undefined,
    clock,
    log,
  })
  const prefetcher = new Prefetcher(
    { spaces, learned, payloads, clock },
    {
      isBusy: () => pool.queued > 0,
      onWishes: (taken, dropped) => {
        if (taken > 0) metrics.prefetchWishes.inc({ result: 'taken' }, taken)
        if (dropped > 0) metrics.prefetchWishes.inc({ result: 'dropped' }, dropped)
      },
    },
  )
  const earlySearches = new EarlySearches(pool, spaces)
  const { concurrency } = config.passwords
  const hashThreads = new HashThreads(concurrency)
  const accesses = new AccessLog(queries, clock, pace)
  const keyUse = new LastUse((uses) => recordKeyUse(queries, uses), clock, pace)
  const sessionUse = new LastUse((uses) => touchSessions(queries, uses), clock, pace)
  const usage = { queries, clock, log: new UsageLog(queries, clock, pace) }
  registerQueueMetrics(metrics.registry, queue)
  registerOutboxBacklog(metrics.registry, queries)
  const onAttempt = registerWebhookMetrics(metrics.registry, { queries, clock })
  registerGauges(metrics, {
    queuedTasks: () => pool.queued,
    cachedEmbeddings: () => pool.cachedEmbeddings,
    cachedPayloads: () => payloads.size,
    residentTexts: () => texts.bytes,
    residentSpaces: () => ({ count: spaces.count, bytes: spaces.bytes }),
  })
  return {
    config,
    version: packageVersion(),
    log,
    clock,
    database,
    queue,
    metrics,
    memory: {
      queries,
      compute: pool,
      spaces,
      earlySearches,
      payloads,
      prefetcher,
      accesses,
      learning,
      learned,
      texts,
      pathwayCosts: new PathwayCosts(),
      clock,
    },
    authentication: new AuthBatcher(queries, knownKeys),
    knownSessions,
    idempotency: new IdempotencyClaims(queries, log),
    keyUse,
    sessionUse,
    accessTokens,
    accounts: {
      queries,
      patientQueries,
      clock,
      secrets,
      accessTokens,
      passwords: new Passwords({ concurrency, cost: passwordCost, derive: hashThreads.derive }),
      throttle: new Throttle(
        patientQueries,
        makeRules({ login: config.loginLimits, registrationsPerHour: config.registrationsPerHour }),
      ),
      exchanges: new Exchanges(),
      settings: {
        publicBaseUrl: linkBaseOf(config),
        platformAdmins: new Set(config.platformAdmins),
        verifiedAdminsOnly: config.verifiedAdminsOnly,
        defaultPlan: config.defaultPlan,
        passwordBlocklist: config.passwords.blocklist,
        registrationsPerHour: config.registrationsPerHour,
      },
    },
    webhooks: { queries, secrets, clock, gate: new AddressGate(config.webhookAllowCidrs) },
    onAttempt,
    usage,
    earlyWork: new EarlyWork(pool, earlySearches),
    admission: new Admission(),
    pool,
    acceleration: new Acceleration(pool),
    pace,
    leaving: false,
    draining: false,
    close: async () => {
      pace.hurry()
      await Promise.all([pool.close(), hashThreads.close()])
      await Promise.allSettled([
        accesses.flush().then(() => learning.flush()),
        keyUse.flush(true),
        sessionUse.flush(true),
        usage.log.flush(),
        spaces.save(),
      ])
      await queue.close()
      await database.close()
    },
  }
}

async function openDatabase(config: Config, log: Log): Promise<Database> {
  const { url, poolSize, migrate } = config.database
  if (url === undefined) return openDataDirectory(config.dataDir)
  if (migrate) {
    const applied = await requireUsable(migratePostgres(url))
    if (applied.length > 0) log.info({ applied }, 'database migrated')
  } else {
    await requireMigrated(url)
  }
  return openPostgres(url, poolSize, log)
}

/** When one of the two fails, the other is closed before the failure is told. */
async function bothOrNeither<A extends { close(): Promise<void> }, B extends { close(): Promise<void> }>(
  first: Promise<A>,
  second: Promise<B>,
): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second])
  if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value, b.value]
  if (a.status === 'fulfilled') await a.value.close()
  if (b.status === 'fulfilled') await b.value.close()
  throw a.status === 'rejected' ? a.reason : (b as PromiseRejectedResult).reason
}
