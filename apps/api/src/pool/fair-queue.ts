import type { Requester, Urgency } from '@memory/memory/compute'
import { ApiError } from '@memory/shared/catalogue/errors'

/** A light job holds a thread for up to some 30 ms, a heavy one for longer, or it is nothing that somebody waits for. */
export type Weight = 'light' | 'heavy'

/** Whether a job is a search or a store, and how long it holds a thread. */
export interface Priority {
  urgency: Urgency
  weight: Weight
}

/** Searches that are done for several jobs of an organization at a time. */
export interface Shareable<Item, Result> {
  /** Whether one call of `work` may do both. */
  joins(first: Item, other: Item): boolean
  /** Most jobs that one call of `work` does together with the first, that one included. */
  most(first: Item): number
  /** What only one call of `work` at a time may be about; undefined: any number of calls. */
  only?(first: Item): object | undefined
  /** One outcome an item, in their order. When it throws, all have failed. */
  work(items: readonly Item[]): Promise<PromiseSettledResult<Result>[]>
}

/** A job and who wants it done. */
export interface PoolRequest<Item> {
  requester: Requester
  item: Item
}

/** What a turn of a job comes to that takes another one. */
export const again = Symbol('again')

interface Job extends PoolRequest<unknown> {
  priority: Priority
  kind: Shareable<unknown, unknown>
  /** Passes on what its turn came to. */
  complete(outcome: PromiseSettledResult<unknown>): void
  refuse(error: unknown): void
  /** Ends the watch for a client that hangs up. */
  forget(): void
}

type Lanes = Record<Urgency, Job[]>

export interface FairQueueOptions {
  /** Turns that run at a time. */
  concurrency: number
  /** Jobs that may wait, of one organization and of all. */
  waitingPerTenant: number
  waitingInAll: number
  /** Milliseconds that never go back. */
  now?: () => number
}

/** An organization that asked for a light job is reckoned with for so long. */
export const activeMs = 30_000
/** Light turns that pass over a heavy job while no other such runs. */
const lightTurnsMost = 8

/**
 * Hands out the threads. Organizations have their turns, so that one that asks for much delays the others by one turn
 * each, and an organization's searches come before its stores. A turn is one job, or one step of it, with those that
 * wait and may be done together with it. Heavy jobs come after light ones, whoever's they are, though not for ever.
 *
 * While others are active, no organization has all threads, nor have heavy jobs: what somebody else then asks for finds
 * one that is free. Who is alone has them all. A job whose client has hung up is dropped.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>
  // In the order of their turns; an organization that had its turn goes to the end.
  readonly #tenants: Record<Weight, Map<string, Lanes>> = { light: new Map(), heavy: new Map() }
  // What the turns that run alone may be about.
  readonly #exclusive = new Set<object>()
  readonly #runningOf = new Map<string, number>()
  readonly #activity = new Activity()
  #waiting = 0
  #running = 0
  #heavyRunning = 0
  #lightTurns = 0
  #closed = false
  #ended = false
  #idle = Promise.withResolvers<void>()

  constructor(options: FairQueueOptions) {
    this.#options = { now: () => performance.now(), ...options }
  }

  /** Jobs that wait. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs `work` when its turn comes.
   * @throws ApiError unavailable when too much waits or the process ends, abandoned when the client hung up
   */
  run<T>(requester: Requester, priority: Priority, work: () => Promise<T>): Promise<T> {
    return this.runInTurns(requester, priority, work)
  }

  /**
   * Runs `work` when its turn comes, and when it says `again`, once more in a later turn, as a heavy job that goes before
   * what its organization has asked for later.
   * @throws as `run`
   */
  runInTurns<T>(requester: Requester, priority: Priority, work: () => Promise<T | typeof again>): Promise<T> {
    const alone: Shareable<undefined, T | typeof again> = {
      joins: () => false,
      most: () => 1,
      work: async () => [{ status: 'fulfilled', value: await work() }],
    }
    const done = this.#enqueue({ requester, item: undefined }, priority, alone)
    this.#next()
    return done as Promise<T>
  }

  /**
   * Runs searches when their turns come, as many in one as `kind` lets: those given here, earlier and later ones that
   * wait.
   * @returns a promise a job, in their order, each of which fails as with `run`
   */
  runTogether<Item, Result>(
    jobs: readonly PoolRequest<Item>[],
    kind: Shareable<Item, Result>,
  ): Promise<Result>[] {
    const done = jobs.map((job) => this.#enqueue(job, { urgency: 'search', weight: 'light' }, kind))
    this.#next()
    return done
  }

  /** Takes no more jobs, lets those it has finish for a while, and refuses the rest. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    if (this.#waiting + this.#running > 0) {
      const timer = setTimeout(() => this.#idle.resolve(), graceMs)
      await this.#idle.promise
      clearTimeout(timer)
    }
    this.#ended = true
    const left = Object.values(this.#tenants).flatMap((tenants) => [...tenants.values()])
    for (const tenants of Object.values(this.#tenants)) tenants.clear()
    this.#waiting = 0
    for (const job of left.flatMap(({ search, store }) => [...search, ...store])) {
      job.forget()
      job.refuse(new ApiError('unavailable', { retryAfterS: 1 }))
    }
  }

  #enqueue<Item, Result>(
    { requester, item }: PoolRequest<Item>,
    priority: Priority,
    kind: Shareable<Item, Result>,
  ): Promise<Result> {
    if (requester.signal?.aborted) return Promise.reject(new ApiError('abandoned'))
    if (this.#closed || !this.#hasRoom(requester)) {
      return Promise.reject(new ApiError('unavailable', { retryAfterS: 1 }))
    }
    if (priority.weight === 'light') this.#activity.record(requester.organizationId, this.#options.now())
    return new Promise<Result>((resolve, reject) => {
      const onAbort = () => {
        if (this.#remove(job)) reject(new ApiError('abandoned'))
      }
      const job: Job = {
        requester,
        item,
        priority,
        kind: kind as Shareable<unknown, unknown>,
        complete: (outcome) => {
          if (outcome.status === 'rejected') reject(outcome.reason)
          else if (outcome.value === again) this.#enqueueAgain(job, onAbort)
          else resolve(outcome.value as Result)
        },
        refuse: reject,
        forget: () => requester.signal?.removeEventListener('abort', onAbort),
      }
      this.#wait(job, onAbort, 'last')
    })
  }

  #enqueueAgain(job: Job, onAbort: () => void): void {
    if (job.requester.signal?.aborted) job.refuse(new ApiError('abandoned'))
    else if (this.#ended) job.refuse(new ApiError('unavailable', { retryAfterS: 1 }))
    else {
      job.priority = { ...job.priority, weight: 'heavy' }
      this.#wait(job, onAbort, 'first')
    }
  }

  #wait(job: Job, onAbort: () => void, place: 'first' | 'last'): void {
    job.requester.signal?.addEventListener('abort', onAbort, { once: true })
    const lanes = this.#lanesOf(job)
    const lane = lanes[job.priority.urgency]
    if (place === 'last') lane.push(job)
    else {
      lane.unshift(job)
      // It has just had its turn.
      const tenants = this.#tenants[job.priority.weight]
      tenants.delete(job.requester.organizationId)
      tenants.set(job.requester.organizationId, lanes)
    }
    this.#waiting++
  }

  #hasRoom({ organizationId }: Requester): boolean {
    const own = Object.values(this.#tenants).reduce(
      (sum, tenants) => sum + countOf(tenants.get(organizationId)),
      0,
    )
    return own < this.#options.waitingPerTenant && this.#waiting < this.#options.waitingInAll
  }

  #lanesOf({ requester: { organizationId }, priority }: Job): Lanes {
    const tenants = this.#tenants[priority.weight]
    let lanes = tenants.get(organizationId)
    if (lanes === undefined) {
      lanes = { search: [], store: [] }
      tenants.set(organizationId, lanes)
    }
    return lanes
  }

  #next(): void {
    while (this.#running < this.#options.concurrency) {
      const jobs = this.#take()
      const [first] = jobs
      if (first === undefined) return
      const only = onlyOf(first)
      this.#count(first, 1)
      if (only !== undefined) this.#exclusive.add(only)
      const { weight } = first.priority
      void runAll(jobs).then((complete) => {
        this.#count(first, -1, weight)
        if (only !== undefined) this.#exclusive.delete(only)
        complete()
        this.#next()
        if (this.#closed && this.#waiting + this.#running === 0) this.#idle.resolve()
      })
    }
  }

  /** Counts a turn that begins or ends. */
  #count({ requester: { organizationId }, priority }: Job, by: 1 | -1, weight = priority.weight): void {
    this.#running += by
    if (weight === 'heavy') this.#heavyRunning += by
    const own = (this.#runningOf.get(organizationId) ?? 0) + by
    if (own === 0) this.#runningOf.delete(organizationId)
    else this.#runningOf.set(organizationId, own)
  }

  /** The jobs of the next turn, which wait no more; none when nothing waits that may run now. */
  #take(): Job[] {
    const isHeavyDue = this.#heavyRunning === 0 && this.#lightTurns >= lightTurnsMost
    for (const weight of isHeavyDue ? (['heavy', 'light'] as const) : (['light', 'heavy'] as const)) {
      const jobs = this.#takeOfWeight(weight)
      if (jobs.length === 0) continue
      this.#lightTurns = weight === 'light' && this.#tenants.heavy.size > 0 ? this.#lightTurns + 1 : 0
      return jobs
    }
    return []
  }

  #takeOfWeight(weight: Weight): Job[] {
    const tenants = this.#tenants[weight]
    for (const [tenant, lanes] of tenants) {
      if (!this.#mayRun(tenant, weight)) continue
      const search = this.#takeOf(lanes.search)
      const jobs = search.length > 0 ? search : this.#takeOf(lanes.store)
      const isEmpty = countOf(lanes) === 0
      if (jobs.length > 0 || isEmpty) tenants.delete(tenant)
      if (jobs.length === 0) continue
      if (!isEmpty) tenants.set(tenant, lanes)
      for (const job of jobs) job.forget()
      this.#waiting -= jobs.length
      return jobs
    }
    return []
  }

  #mayRun(tenant: string, weight: Weight): boolean {
    const { concurrency, now } = this.#options
    const isAlone = !this.#activity.hasOther(tenant, now() - activeMs)
    const most = isAlone ? concurrency : Math.max(1, concurrency - 1)
    return (this.#runningOf.get(tenant) ?? 0) < most && (weight === 'light' || this.#heavyRunning < most)
  }

  /** The first job of a lane that may run now, and those that may be done together with it. */
  #takeOf(lane: Job[]): Job[] {
    const at = lane.findIndex((job) => !this.#exclusive.has(onlyOf(job) ?? job))
    return at === -1 ? [] : takeTogether(lane, at)
  }

  #remove(job: Job): boolean {
    const tenants = this.#tenants[job.priority.weight]
    const { organizationId } = job.requester
    const lanes = tenants.get(organizationId)
    const lane = lanes?.[job.priority.urgency] ?? []
    const at = lane.indexOf(job)
    if (at === -1) return false
    lane.splice(at, 1)
    if (countOf(lanes) === 0) tenants.delete(organizationId)
    this.#waiting--
    return true
  }
}

/** When organizations were active last: as much of it as answers for each whether another one was. */
class Activity {
  #latest: { tenant: string; at: number } | undefined
  /** Of all but the latest. */
  #otherAt = Number.NEGATIVE_INFINITY

  record(tenant: string, at: number): void {
    if (this.#latest !== undefined && this.#latest.tenant !== tenant) this.#otherAt = this.#latest.at
    this.#latest = { tenant, at }
  }

  /** Whether an organization but this one was active since a moment. */
  hasOther(tenant: string, since: number): boolean {
    if (this.#latest === undefined) return false
    return (this.#latest.tenant === tenant ? this.#otherAt : this.#latest.at) >= since
  }
}

const countOf = (lanes: Lanes | undefined): number =>
  lanes === undefined ? 0 : lanes.search.length + lanes.store.length

const onlyOf = ({ kind, item }: Job): object | undefined => kind.only?.(item)

/** Takes a job of a lane and later ones that may be done together with it. */
function takeTogether(lane: Job[], from: number): Job[] {
  const [first] = lane.splice(from, 1) as [Job]
  const { kind, item } = first
  const taken = [first]
  const most = kind.most(item)
  for (let at = from; at < lane.length && taken.length < most; ) {
    const job = lane[at] as Job
    if (job.kind === kind && kind.joins(item, job.item)) taken.push(...lane.splice(at, 1))
    else at++
  }
  return taken
}

/** @returns passes on to the jobs what they came to */
async function runAll(jobs: readonly Job[]): Promise<() => void> {
  const { kind } = jobs[0] as Job
  try {
    const outcomes = await kind.work(jobs.map(({ item }) => item))
    return () => {
      for (const [i, job] of jobs.entries()) job.complete(outcomes[i] as PromiseSettledResult<unknown>)
    }
  } catch (error) {
    return () => {
      for (const job of jobs) job.refuse(error)
    }
  }
}
