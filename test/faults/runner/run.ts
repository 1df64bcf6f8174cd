import { randomFrom } from '../../engine/naive.ts'
import { Receiver } from '../../webhooks/receiver.ts'
import { Balancer } from './balancer.ts'
import { billingSecret, type Cluster } from './cluster.ts'
import { awaitEffects, awaitSchedules, type Effects } from './effects.ts'
import { type FaultName, faults, type Stage } from './faults.ts'
import { Load } from './load.ts'
import type { Differences } from './model.ts'
import { Results } from './results.ts'
import { recount, settle } from './settle.ts'
import { Tally } from './tally.ts'
import { Tenant } from './tenant.ts'
import { Writer } from './writer.ts'

export interface RunOptions {
  /** Decides the writers' operations and the order of the faults. */
  seed: number
  /** Acknowledged writes to reach at least. */
  writes: number
  /** How often each fault comes. */
  plan: Partial<Record<FaultName, number>>
  tenants: number
  say: (line: string) => void
}

export interface RunReport {
  seed: number
  seconds: number
  tally: Tally
  differences: Differences
  effects: Effects
  results: Results
}

/** Faults between two comparisons of all that is stored. */
const faultsPerCheck = 6
const writersPerTenant = 2

/** Runs faults under load on a started cluster, and compares what is stored with what was acknowledged. Stops its APIs. */
export async function runFaults(cluster: Cluster, options: RunOptions): Promise<RunReport> {
  const { seed, writes, say } = options
  const began = performance.now()
  const receiver = await Receiver.start()
  const balancer = new Balancer(cluster.apis.map(({ url }) => url))
  let abandon = () => {}
  try {
    const random = randomFrom(seed)
    const stage = await prepare(cluster, balancer, receiver, options, random)
    const { load, tally, tenants, results, writers } = stage
    abandon = () => load.abandon()
    const differences: Differences = { lost: 0, duplicated: 0, foreign: 0, halves: 0, details: [] }
    const check = async () => {
      await load.halt()
      const found = await settle(tenants, writers)
      for (const key of ['lost', 'duplicated', 'foreign', 'halves'] as const) differences[key] += found[key]
      differences.details.push(...found.details)
      say(`${tally.acknowledged} writes acknowledged; ${found.details.length} differences`)
    }
    const sequence = shuffled(options.plan, random)
    const each = Math.floor(writes / (sequence.length + 1))
    load.go()
    for (const [n, name] of sequence.entries()) {
      await load.more(Math.max(1, each * (n + 1) - tally.acknowledged))
      say(`${n + 1} of ${sequence.length}: ${name}`)
      tally.fault = name
      await faults[name](stage)
      tally.fault = 'none'
      if ((n + 1) % faultsPerCheck !== 0) continue
      await check()
      load.go()
    }
    await load.more(Math.max(1, writes - tally.acknowledged))
    await load.halt()
    const ended = performance.now()
    await check()
    const effects = await awaitEffects(tenants, receiver, ended)
    await awaitSchedules(cluster, results)
    for (const api of cluster.apis) for (const ms of api.starts) results.add('API start to ready', ms)
    for (const worker of cluster.workers)
      for (const ms of worker.starts) results.add('worker start to ready', ms)
    for (const api of cluster.apis)
      results.require((await api.end()).code === 0, 'an API process did not end in order')
    results.broken.push(...(await recount(cluster, tenants)).map((each) => `counters of ${each}`))
    results.broken.push(...tally.wrong)
    return { seed, seconds: (performance.now() - began) / 1_000, tally, differences, effects, results }
  } finally {
    // After an error nobody else ends the writers, who would keep this process for ever.
    abandon()
    await balancer.close()
    await receiver.stop()
  }
}

async function prepare(
  cluster: Cluster,
  balancer: Balancer,
  receiver: Receiver,
  { tenants: count }: RunOptions,
  random: () => number,
) {
  const tally = new Tally()
  const tenants: Tenant[] = []
  for (let n = 0; n < count; n++) tenants.push(await Tenant.register(`t${n}`, balancer, receiver.url))
  const writers = tenants.flatMap((tenant) =>
    Array.from({ length: writersPerTenant }, (_, n) => {
      const own = randomFrom(Math.floor(random() * 2 ** 31))
      return new Writer(`${tenant.name}w${n}`, tenant, own, tally, billingSecret)
    }),
  )
  const stage: Stage = {
    cluster,
    load: new Load(writers, tally),
    tally,
    tenants,
    results: new Results(),
    random,
  }
  return { ...stage, writers }
}

function shuffled(plan: RunOptions['plan'], random: () => number): FaultName[] {
  return Object.entries(plan)
    .flatMap(([name, times]) =>
      Array.from({ length: times }, () => ({ name: name as FaultName, at: random() })),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}

/** Whether everything that the service promises held. */
export function held({ differences, effects, results }: RunReport): boolean {
  const { lost, duplicated, foreign, halves } = differences
  return (
    lost + duplicated + foreign + halves + effects.missing + effects.duplicated + results.broken.length === 0
  )
}
