import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { kernels } from '@memory/engine/kernels/kernels'
import { hasOrganization } from '@memory/identity/accounts/operator-lists'
import { type Bootstrapped, bootstrap } from '@memory/identity/keys/bootstrap'
import { cutStoredTexts } from '@memory/memory/texts/cut-stored-texts'
import { EmbeddingAnew } from '@memory/memory/texts/embed-anew'
import { writeUses } from '@memory/memory/write-uses'
import { observeWork } from '@memory/shared/ops/metrics'
import { systemClock } from '@memory/shared/platform/clock'
import { type Config, isLocalStart, readConfig } from '@memory/shared/platform/config'
import { addressOf, drain, listen, reachable, requirePorts } from '@memory/shared/platform/http-server'
import { mendJsonParse } from '@memory/shared/platform/json-parse'
import { createLog } from '@memory/shared/platform/log'
import { every } from '@memory/shared/platform/periodic'
import { failStart, isHelpAsked, onStopSignal, refuseArguments } from '@memory/shared/platform/process'
import { resealEveryMs, resealSecrets } from '@memory/shared/platform/reseal'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { startWorker } from '@memory/worker/worker'
import { createApp } from './app.ts'
import { type Context, createContext } from './context.ts'
import { createApiServer } from './http/server.ts'
import { createOpsServer } from './ops/listener.ts'
import { welcome } from './welcome.ts'

/** At a stop, requests that are still being answered have this long; those left are then answered with 503. */
const drainMs = 15_000
/** A large space that was just loaded, or has grown, is searched more slowly until its index is arranged. */
const arrangeEveryMs = 10_000
/** Each run cuts a few stored texts into passages. */
const cutEveryMs = 1_000
/** After a change of the encoder, texts are embedded anew; clients refused meanwhile are told to retry after two seconds. */
const embedAnewEveryMs = 1_000
/** Well below the time that a person reads an answer before asking the next question. */
const prefetchEveryMs = 200
/** The next start reads from the database only what changed since the last snapshot. */
const snapshotEveryMs = 5 * 60_000
/** Spaces of which much changed since their last snapshot are saved sooner than at `snapshotEveryMs`. */
const growthEveryMs = 30_000
/** Short enough for the embedded database's log to stay small: storing 100,000 vectors of 384 wrote 225 MB in a minute. */
const upkeepEveryMs = 2_000

async function main(): Promise<void> {
  if (isHelpAsked()) {
    process.stdout.write(settingsHelp('npm start', 'Starts the Memory Service.'))
    return
  }
  refuseArguments()
  mendJsonParse()
  const config = readConfig(process.env)
  const context = await createContext(config, createLog, systemClock, {
    before: () => requireBothPorts(config.http),
  })
  try {
    await serve(context)
  } catch (error) {
    // Tells the warm-up, which may still be running, to stop without logging errors.
    context.draining = true
    await context.close()
    throw error
  }
}

/** Fails early when a port is taken: listening comes last, after migrations are applied and a first key is written. */
function requireBothPorts({ port, host, opsPort, opsHost }: Config['http']): Promise<void> {
  const operators = opsPort === undefined ? [] : [{ port: opsPort, host: opsHost, setting: 'OPS_PORT' }]
  return requirePorts([{ port, host, setting: 'PORT' }, ...operators])
}

async function serve(context: Context): Promise<void> {
  const { config, log, database } = context
  const bootstrapped = config.bootstrap ? await bootstrapLocal(context) : undefined
  // Queried before listening: a query that fails after that must not end a process that already serves.
  const needsOrganization = bootstrapped === undefined && !(await hasOrganization(database.queries))
  const server = createApiServer(createApp(context))
  // Last before listening: from here on, processes with another encoder are not ready, and requests come to this one.
  const embeddingAnew = await beginEmbeddingAnew(context)
  void warmUp(context)
  const api = await listen(server, config.http.port, config.http.host, 'PORT')
  const ops = await serveOperators(context)
  // With one database process only, that process does the background work too.
  const worker =
    database.kind === 'embedded'
      ? await startWorker({ ...context, ...observeWork(context.metrics) })
      : undefined
  const isLeaving = () => context.leaving || context.draining
  const periodic = [
    every(1_000, 'writing uses', () => writeUses(context.memory), log),
    every(1_000, 'writing key use', () => context.callers.keyUse.flush(), log),
    every(1_000, 'writing session use', () => context.callers.sessionUse.flush(), log),
    every(1_000, 'writing usage', () => context.usage.log.flush(), log),
    every(prefetchEveryMs, 'prefetching', () => context.memory.prefetcher.flush(), log),
    every(arrangeEveryMs, 'arranging the index', () => arrange(context), log),
    every(cutEveryMs, 'cutting stored texts', () => cutStored(context), log),
    every(
      embedAnewEveryMs,
      'embedding texts anew',
      () => embeddingAnew.run(isLeaving, () => context.pool.queued > 0),
      log,
    ),
    every(resealEveryMs, 'sealing secrets anew', () => reseal(context), log),
    every(snapshotEveryMs, 'saving snapshots', () => context.memory.spaces.saveDue(), log),
    every(snapshotEveryMs, 'checking saved metadata', () => context.memory.metadata.checkSnapshots(), log),
    every(growthEveryMs, 'saving what has grown', () => context.memory.spaces.saveGrown(), log),
    every(upkeepEveryMs, "the database's upkeep", () => keepDatabase(context), log),
  ]
  onStopSignal(log, async (signal) => {
    context.leaving = true
    // Load balancers need time to turn away; SIGINT comes from somebody at the keyboard who should not wait for that.
    if (signal !== 'SIGINT') await wait(config.http.drainMs)
    context.draining = true
    // Ends the notification streams, which would otherwise stay open for as long as their clients listen.
    await context.feed.close()
    await Promise.all([drain(api, drainMs), ops?.close()])
    context.lowPriority.hurry()
    context.memory.spaces.stopArranging()
    context.memory.texts.stopArranging()
    await Promise.all([worker?.stop(), ...periodic.map((work) => work.stop())])
    await context.close()
  })
  const { host, port } = addressOf(api)
  const startMs = Math.round(process.uptime() * 1_000)
  log.info({ port, startMs, database: database.kind, kernels: kernels.name }, 'ready')
  const local = `http://${reachable(host)}:${port}`
  welcome({
    url: config.http.publicBaseUrl ?? local,
    bootstrapped,
    consoleLink: consoleLinkOf(context, local),
    needsOrganization,
    needsWorker: worker === undefined,
  })
  reseal(context).catch((error) => log.warn({ err: error }, 'secrets not sealed anew'))
}

async function bootstrapLocal({ config, log, database }: Context): Promise<Bootstrapped> {
  const bootstrapped = await bootstrap(database.queries, config.dataDir)
  if ('refusal' in bootstrapped)
    log.warn({ reason: bootstrapped.refusal }, 'no API key for the local organization')
  return bootstrapped
}

function beginEmbeddingAnew({ database, memory, lowPriority }: Context): Promise<EmbeddingAnew> {
  // The process of an embedded database is alone, so under a fixed name it resumes what the previous one began.
  const name = database.kind === 'embedded' ? 'the only one' : randomUUID()
  return EmbeddingAnew.begin({ ...memory, lowPriority }, name)
}

/**
 * A link that signs in to the console, for a service on somebody's own machine only: elsewhere, whoever reads the output
 * need not be who started the service.
 */
function consoleLinkOf({ config, accounts }: Context, url: string): string | undefined {
  return isLocalStart(config) ? `${url}/console/link#token=${accounts.consoleLinks.make()}` : undefined
}

/** Cuts long texts that were stored before texts had passages, while no request waits for a pool thread. */
function cutStored(context: Context): Promise<void> {
  return cutStoredTexts(context.memory, () => context.pool.queued > 0 || context.leaving || context.draining)
}

async function arrange({ memory }: Context): Promise<void> {
  await memory.spaces.arrange()
  await memory.texts.arrange()
}

/** The upkeep that a database server does by itself. What was done is logged, since requests waited for it meanwhile. */
async function keepDatabase({ database, log }: Context): Promise<void> {
  const started = performance.now()
  const done = (await database.upkeep?.keep(started)) ?? []
  if (done.length > 0) log.debug({ done, ms: Math.round(performance.now() - started) }, 'database kept')
}

/** Seals stored secrets under the new master key after a change of it; otherwise does nothing. */
function reseal({ database, accounts, log }: Context): Promise<void> {
  return resealSecrets(database.queries, accounts.secrets, log)
}

/**
 * Start-up work that no request waits for: checks and loads the snapshots (deleting from them what was forgotten while the
 * process was not running), loads saved metadata, then measures the kernels. One step after the other, so that nothing
 * disturbs the measurement. Errors are only logged, and not even that once the process is ending.
 */
async function warmUp(context: Context): Promise<void> {
  const { acceleration, log } = context
  const { spaces, metadata } = context.memory
  const isEnding = () => context.draining
  const attempt = async (work: () => Promise<void>, failure: string) => {
    try {
      if (!isEnding()) await work()
    } catch (error) {
      if (!isEnding()) log.error({ err: error }, failure)
    }
  }
  await attempt(
    async () => spaces.loadSaved(await spaces.checkSnapshots(), isEnding),
    'snapshots not checked and loaded',
  )
  await attempt(() => metadata.loadSaved(context.clock.now(), isEnding), 'saved metadata not loaded')
  await attempt(() => acceleration.measureAtStart(), 'acceleration not measured')
}

/** The operators' listener. Its address and a token made at each start are written to the data directory, for the CLI. */
async function serveOperators(context: Context): Promise<{ close(): Promise<void> } | undefined> {
  const { http, dataDir } = context.config
  if (http.opsPort === undefined) return undefined
  const token = randomBytes(32).toString('base64url')
  const server = await listen(createOpsServer(context, token), http.opsPort, http.opsHost, 'OPS_PORT')
  const file = join(dataDir, 'operator.json')
  const { host, port } = addressOf(server)
  const contents = JSON.stringify({ url: `http://${reachable(host)}:${port}`, token })
  writeFileSync(file, contents, { mode: 0o600 })
  return {
    close: async () => {
      // With PostgreSQL, several processes may share a data directory: the file may be another's by now.
      if (existsSync(file) && readFileSync(file, 'utf8') === contents) rmSync(file)
      await drain(server, drainMs)
    },
  }
}

main().catch(failStart)
