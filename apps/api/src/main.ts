import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { kernels } from '@memory/engine/kernels/kernels'
import { hasOrganization } from '@memory/identity/accounts/operator-lists'
import { bootstrap } from '@memory/identity/keys/bootstrap'
import { cutStoredTexts } from '@memory/memory/texts/cut-stored-texts'
import { EmbeddingAnew } from '@memory/memory/texts/embed-anew'
import { observeWork } from '@memory/shared/ops/metrics'
import { systemClock } from '@memory/shared/platform/clock'
import { type Config, isLocalStart, readConfig } from '@memory/shared/platform/config'
import { addressOf, drain, listen, reachable, requirePorts } from '@memory/shared/platform/http-server'
import { createLog } from '@memory/shared/platform/log'
import { every } from '@memory/shared/platform/periodic'
import { failStart, isHelpAsked, onStopSignal, refuseArguments } from '@memory/shared/platform/process'
import { resealSecrets } from '@memory/shared/platform/reseal'
import { settingsHelp } from '@memory/shared/platform/settings-help'
import { startWorker } from '@memory/worker/worker'
import { createApp } from './app.ts'
import { type Context, createContext } from './context.ts'
import { createApiServer } from './http/server.ts'
import { createOpsServer } from './ops/listener.ts'
import { welcome } from './welcome.ts'

/** Requests in hand when the process refuses further ones have this long; then they are answered with 503. */
const drainMs = 15_000
/** Until it is arranged, a large space that was loaded or has grown is searched more slowly. */
const arrangeEveryMs = 10_000
/** A few texts each time. */
const cutEveryMs = 1_000
/** After a change of the encoder: whoever is refused until then tries again after two seconds. */
const embedAnewEveryMs = 1_000
/** A person reads for longer than this before asking on. */
const prefetchEveryMs = 200
/** While the master key is being changed, processes that are not restarted yet seal under the old one. */
const resealEveryMs = 10 * 60_000
/** A start reads what changed since the last snapshot from the database. */
const snapshotEveryMs = 5 * 60_000
/** What many stores within that time have added is saved before. */
const growthEveryMs = 30_000
/** In that time stores write a small part of the log that may gather: 100,000 x 384 wrote 225 MB in a minute. */
const upkeepEveryMs = 2_000

async function main(): Promise<void> {
  if (isHelpAsked()) {
    process.stdout.write(settingsHelp('npm start', 'Starts the Memory Service.'))
    return
  }
  refuseArguments()
  const config = readConfig(process.env)
  const context = await createContext(config, createLog, systemClock, {
    before: () => requireBothPorts(config.http),
  })
  try {
    await serve(context)
  } catch (error) {
    // What was begun ahead of requests ends with the process, and says nothing of it.
    context.draining = true
    await context.close()
    throw error
  }
}

/** Both are listened on at the end of a start: by then a database would be migrated, and a first key written. */
function requireBothPorts({ port, host, opsPort, opsHost }: Config['http']): Promise<void> {
  const operators = opsPort === undefined ? [] : [{ port: opsPort, host: opsHost, setting: 'OPS_PORT' }]
  return requirePorts([{ port, host, setting: 'PORT' }, ...operators])
}

async function serve(context: Context): Promise<void> {
  const { config, log, database, lowPriority } = context
  // One that has the database for itself goes on with what its forerunner has begun.
  const name = database.kind === 'embedded' ? 'the only one' : randomUUID()
  const embeddingAnew = await EmbeddingAnew.begin({ ...context.memory, lowPriority }, name)
  const bootstrapped = config.bootstrap ? await bootstrap(database.queries, config.dataDir) : undefined
  // Asked before it listens: a database that goes away once the process is ready must not end it.
  const needsOrganization = bootstrapped === undefined && !(await hasOrganization(database.queries))
  void warmUp(context)
  const api = await listen(createApiServer(createApp(context)), config.http.port, config.http.host, 'PORT')
  const ops = await serveOperators(context)
  // With one database process only, that process does the background work too.
  const worker =
    database.kind === 'embedded'
      ? await startWorker({ ...context, ...observeWork(context.metrics) })
      : undefined
  const isLeaving = () => context.leaving || context.draining
  const buffers = [
    every(1_000, 'writing uses', () => writeUses(context), log),
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
    every(snapshotEveryMs, 'saving snapshots', () => context.memory.spaces.save(), log),
    every(growthEveryMs, 'saving what has grown', () => context.memory.spaces.saveGrown(), log),
    every(upkeepEveryMs, "the database's upkeep", () => keepDatabase(context), log),
  ]
  onStopSignal(log, async (signal) => {
    context.leaving = true
    // At SIGINT somebody waits for it at the keyboard.
    if (signal !== 'SIGINT') await wait(config.http.drainMs)
    context.draining = true
    // They would go on for as long as their clients listen.
    await context.feed.close()
    await Promise.all([drain(api, drainMs), ops?.close()])
    context.lowPriority.hurry()
    context.memory.spaces.stopArranging()
    context.memory.texts.stopArranging()
    await Promise.all([worker?.stop(), ...buffers.map((buffer) => buffer.stop())])
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

/** Beside others, or for others, nobody is told who started it by where its output goes. */
function consoleLinkOf({ config, accounts }: Context, url: string): string | undefined {
  return isLocalStart(config) ? `${url}/console/link#token=${accounts.consoleLinks.make()}` : undefined
}

/** Accesses first: strengths are beside them. */
async function writeUses({ memory }: Context): Promise<void> {
  await memory.accesses.keep()
  await memory.learning.flush()
}

/** Of what was stored before long texts had passages, while nothing waits for a thread. */
function cutStored(context: Context): Promise<void> {
  return cutStoredTexts(context.memory, () => context.pool.queued > 0 || context.leaving || context.draining)
}

async function arrange({ memory }: Context): Promise<void> {
  await memory.spaces.arrange()
  await memory.texts.arrange()
}

/** What a database server does by itself; what the embedded one did is logged, since requests waited for it. */
async function keepDatabase({ database, log }: Context): Promise<void> {
  const started = performance.now()
  const done = (await database.upkeep?.keep(started)) ?? []
  if (done.length > 0) log.debug({ done, ms: Math.round(performance.now() - started) }, 'database kept')
}

/** After a change of the master key; otherwise there is nothing to do. */
function reseal({ database, accounts, log }: Context): Promise<void> {
  return resealSecrets(database.queries, accounts.secrets, log)
}

/**
 * What no request waits for, one after the other, so that the kernels are measured alone: the spaces in files, in which
 * nothing must stay that was forgotten while the process was not running, and what the kernels gain. What goes wrong is
 * only logged, unless it is that the process ends meanwhile.
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
  await attempt(() => metadata.loadSaved(isEnding), 'saved metadata not loaded')
  await attempt(() => acceleration.measureAtStart(), 'acceleration not measured')
}

/** The operators' listener. Its address and a token of this start lie in the data directory, for the commands. */
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
      // Beside one PostgreSQL several processes may have the same data directory.
      if (existsSync(file) && readFileSync(file, 'utf8') === contents) rmSync(file)
      await drain(server, drainMs)
    },
  }
}

main().catch(failStart)
