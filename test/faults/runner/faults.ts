import { until } from '../../support/until.ts'
import type { Api, Cluster, Worker } from './cluster.ts'
import type { Load } from './load.ts'
import { killRelayInHand } from './relay-kill.ts'
import type { Results } from './results.ts'
import type { Tally } from './tally.ts'
import type { Tenant } from './tenant.ts'

/** What a fault works on. */
export interface Stage {
  cluster: Cluster
  load: Load
  tally: Tally
  tenants: readonly Tenant[]
  results: Results
  random: () => number
}

/** Time that a busy machine may take beyond what is required of the service. */
const slackS = 3
/** Writes that must be acknowledged while a fault lasts that writes don't depend on. */
const writesInOutage = 60

const pick = <T>(from: readonly T[], random: () => number): T => from[Math.floor(random() * from.length)] as T

async function killApi({ cluster, random }: Stage): Promise<void> {
  const api = pick(cluster.apis, random)
  await api.kill()
  await api.start()
}

async function killWorker({ cluster, random }: Stage): Promise<void> {
  const worker = pick(cluster.workers, random)
  await worker.kill()
  await worker.start()
}

/** Kills every API process, one of which consolidates a space just then. */
async function killInSleep({ cluster, load, tenants, random, results }: Stage): Promise<void> {
  const tenant = pick(tenants, random)
  const began = performance.now()
  const asleep = tenant.send({ method: 'POST', path: '/v1/memory/sleep', body: { batch_size: 20 } })
  await load.more(1)
  const killedMs = performance.now() - began
  await Promise.all(cluster.apis.map((api) => api.kill()))
  await Promise.all(cluster.apis.map((api) => api.start()))
  const outcome = await asleep
  if (outcome.kind === 'unanswered') results.add('asleep when killed', killedMs)
  const isExpected = outcome.kind === 'unanswered' || [200, 409, 503].includes(outcome.status)
  results.require(isExpected, `sleep gave ${JSON.stringify(outcome)}`)
}

/** F4: 503 with Retry-After within 2 s, the processes live, and serve 5 s after the return. */
async function killPostgres({ cluster, tally, results }: Stage): Promise<void> {
  const postgres = cluster.postgres as NonNullable<Cluster['postgres']>
  postgres.kill()
  await Promise.all(cluster.apis.map((api) => until(() => isRefusing(api, results), 'readiness 503', 30_000)))
  const began = performance.now()
  await postgres.restart()
  results.add('postgres restart', performance.now() - began)
  const slowest = (tally.windows.get('kill -9 PostgreSQL')?.slowestErrorMs ?? 0) / 1_000
  results.require(slowest <= 2 + slackS, `a 503 took ${slowest.toFixed(1)} s without PostgreSQL`)
  const back = performance.now()
  await Promise.all(
    cluster.apis.map((api) =>
      until(async () => (await api.readiness())?.status === 200, 'to serve again', 60_000),
    ),
  )
  const seconds = (performance.now() - back) / 1_000
  results.add('served after postgres', seconds * 1_000)
  results.require(seconds <= 5 + slackS, `served ${seconds.toFixed(1)} s after PostgreSQL was back`)
}

async function isRefusing(api: Api, results: Results): Promise<boolean> {
  const began = performance.now()
  const answer = await api.readiness()
  const seconds = (performance.now() - began) / 1_000
  results.add('answer without postgres', seconds * 1_000)
  results.require(answer !== undefined, 'an API process is gone with PostgreSQL')
  results.require(seconds <= 2 + slackS, `readiness took ${seconds.toFixed(1)} s without PostgreSQL`)
  return answer?.status === 503
}

/** F5: reads and writes succeed, readiness says degraded. */
async function killRedis({ cluster, load, tally, results }: Stage): Promise<void> {
  const before = tally.faulty
  await cluster.redis?.kill()
  await everyReadiness(cluster, 'degraded')
  await load.more(writesInOutage)
  const failed = tally.faulty - before
  results.require(failed === 0, `${failed} requests failed while Redis was down`)
  const began = performance.now()
  await cluster.redis?.restart()
  await everyReadiness(cluster, 'ready')
  results.add('ready after redis', performance.now() - began)
}

async function flushRedis({ cluster, load }: Stage): Promise<void> {
  await cluster.redis?.flush()
  await load.more(writesInOutage)
}

function everyReadiness({ apis }: Cluster, status: string): Promise<unknown> {
  const is = async (api: Api) => (await api.readiness())?.body.status === status
  return Promise.all(apis.map((api) => until(() => is(api), `readiness ${status}`, 60_000)))
}

/** F7: one instance after the other ends in order and starts again; no request fails. */
async function rollingRestart({ cluster, load, tally, results }: Stage): Promise<void> {
  const before = tally.faulty
  for (const api of cluster.apis) {
    const { code, seconds } = await api.end()
    results.add('SIGTERM to exit', seconds * 1_000)
    results.require(code === 0 && seconds < 30, `SIGTERM: exit ${code} after ${seconds.toFixed(1)} s`)
    await api.start()
    await load.more(20)
  }
  const failed = tally.faulty - before
  results.require(failed === 0, `${failed} requests failed during a rolling restart`)
}

/** F1, F2: the worker is killed five times with the same events in hand. */
async function killRelay(stage: Stage): Promise<void> {
  await Promise.all(stage.cluster.workers.map((worker) => worker.kill()))
  await killRelayInHand(stage.cluster, stage.cluster.workers[0] as Worker, stage.load)
  await Promise.all(stage.cluster.workers.map((worker) => worker.start()))
}

/** Every kind of fault, by its name in the report. */
export const faults = {
  'kill -9 API': killApi,
  'kill -9 worker': killWorker,
  'kill -9 API in sleep': killInSleep,
  'kill -9 PostgreSQL': killPostgres,
  'kill -9 Redis': killRedis,
  FLUSHALL: flushRedis,
  'rolling restart': rollingRestart,
  'kill -9 relay five times': killRelay,
} as const satisfies Record<string, (stage: Stage) => Promise<void>>

export type FaultName = keyof typeof faults
