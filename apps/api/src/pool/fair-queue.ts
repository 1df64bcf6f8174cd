import { ApiError } from '@memory/shared/catalogue/errors'
import type { Urgency } from '@memory/shared/catalogue/operation'
import type { Requester } from '@memory/shared/memory/compute'

/** Work that is done for several jobs of an organization at a time. */
export interface Shareable<Item, Result> {
  /** Whether one call of `work` may do both. */
  joins(first: Item, other: Item): boolean
  /** Most jobs that one call of `work` does together with the first, that one included. */
  most(first: Item): number
  /** What only one call of `work` at a time may be about; undefined: any number. */
  only?(first: Item): object | undefined
  /** One outcome an item, in their order. When it throws, all have failed. */
  work(items: readonly Item[]): Promise<PromiseSettledResult<Result>[]>
}

/** A job and who wants it done. */
export interface Asked<Item> {
  requester: Requester
  item: Item
}

interface Job extends Asked<unknown> {
  kind: Shareable<unknown, unknown>
  settle(outcome: PromiseSettledResult<unknown>): void
  refuse(error: unknown): void
  /** Ends the watch for a client that hangs up. */
  forget(): void
}

interface Lanes {
  search: Job[]
  store: Job[]
}

export interface FairQueueOptions {
  /** Turns that run at a time. */
  concurrency: number
  /** Jobs that may wait, of one organization and of all. */
  waitingPerTenant: number
  waitingInAll: number
}

/**
 * Hands out the threads: organizations in turn, so that one that asks for much delays the others by one turn each, and
 * an organization's searches before its stores. A turn is one job, with those that wait and may be done together with
 * it. A job whose client has hung up is dropped.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  // In the order of their turns; an organization that had its turn goes to the end.
  readonly #tenants = new Map<string, Lanes>()
  // What the turns that run alone may be about.
  readonly #held = new Set<object>()
  #waiting = 0
  #running = 0
  #closed = false
  #idle = Promise.withResolvers<void>()

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Jobs that wait. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs `work` when its turn comes.
   * @throws ApiError unavailable when too much waits or the process ends, abandoned when the client hung up
   */
  run<T>(requester: Requester, urgency: Urgency, work: () => Promise<T>): Promise<T> {
    const alone: Shareable<undefined, T> = {
      joins: () => false,
      most: () => 1,
      work: async () => [{ status: 'fulfilled', value: await work() }],
    }
    const done = this.#enqueue({ requester, item: undefined }, urgency, alone)
    this.#next()
    return done
  }

  /**
   * Runs jobs when their turns come, as many in one as `kind` lets: those given here, earlier and later ones that wait.
   * @returns a promise a job, in their order, each of which fails as with `run`
   */
  runTogether<Item, Result>(
    jobs: readonly Asked<Item>[],
    urgency: Urgency,
    kind: Shareable<Item, Result>,
  ): Promise<Result>[] {
    const done = jobs.map((job) => this.#enqueue(job, urgency, kind))
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
    this.#held.clear()
    for (let jobs = this.#take(); jobs.length > 0; jobs = this.#take()) {
      for (const job of jobs) job.refuse(new ApiError('unavailable', { retryAfterS: 1 }))
    }
  }

  #enqueue<Item, Result>(
    { requester, item }: Asked<Item>,
    urgency: Urgency,
    kind: Shareable<Item, Result>,
  ): Promise<Result> {
    if (requester.signal?.aborted) return Promise.reject(new ApiError('abandoned'))
    if (this.#closed || !this.#hasRoom(requester)) {
      return Promise.reject(new ApiError('unavailable', { retryAfterS: 1 }))
    }
    return new Promise<Result>((resolve, reject) => {
      const onAbort = () => {
        if (this.#remove(job)) reject(new ApiError('abandoned'))
      }
      const job: Job = {
        requester,
        item,
        kind: kind as Shareable<unknown, unknown>,
        settle: (outcome) =>
          outcome.status === 'fulfilled' ? resolve(outcome.value as Result) : reject(outcome.reason),
        refuse: reject,
        forget: () => requester.signal?.removeEventListener('abort', onAbort),
      }
      requester.signal?.addEventListener('abort', onAbort, { once: true })
      this.#lanesOf(requester)[urgency].push(job)
      this.#waiting++
    })
  }

  #hasRoom({ organizationId }: Requester): boolean {
    const lanes = this.#tenants.get(organizationId)
    const own = lanes === undefined ? 0 : lanes.search.length + lanes.store.length
    return own < this.#options.waitingPerTenant && this.#waiting < this.#options.waitingInAll
  }

  #lanesOf({ organizationId }: Requester): Lanes {
    let lanes = this.#tenants.get(organizationId)
    if (lanes === undefined) {
      lanes = { search: [], store: [] }
      this.#tenants.set(organizationId, lanes)
    }
    return lanes
  }

  #next(): void {
    while (this.#running < this.#options.concurrency) {
      const jobs = this.#take()
      if (jobs.length === 0) return
      const only = onlyOf(jobs[0] as Job)
      this.#running++
      if (only !== undefined) this.#held.add(only)
      void runAll(jobs).then(() => {
        this.#running--
        if (only !== undefined) this.#held.delete(only)
        this.#next()
        if (this.#closed && this.#waiting + this.#running === 0) this.#idle.resolve()
      })
    }
  }

  /** The jobs of the next turn, which wait no more; none when nothing waits that may run now. */
  #take(): Job[] {
    for (const [tenant, lanes] of this.#tenants) {
      const search = this.#takeOf(lanes.search)
      const jobs = search.length > 0 ? search : this.#takeOf(lanes.store)
      const isEmpty = lanes.search.length + lanes.store.length === 0
      if (jobs.length > 0 || isEmpty) this.#tenants.delete(tenant)
      if (jobs.length === 0) continue
      if (!isEmpty) this.#tenants.set(tenant, lanes)
      for (const job of jobs) job.forget()
      this.#waiting -= jobs.length
      return jobs
    }
    return []
  }

  /** The first job of a lane that may run now, and those that may be done together with it. */
  #takeOf(lane: Job[]): Job[] {
    const at = lane.findIndex((job) => !this.#held.has(onlyOf(job) ?? job))
    return at === -1 ? [] : takeTogether(lane, at)
  }

  #remove(job: Job): boolean {
    const lanes = this.#tenants.get(job.requester.organizationId)
    for (const lane of lanes === undefined ? [] : [lanes.search, lanes.store]) {
      const at = lane.indexOf(job)
      if (at === -1) continue
      lane.splice(at, 1)
      this.#waiting--
      return true
    }
    return false
  }
}

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

async function runAll(jobs: readonly Job[]): Promise<void> {
  const { kind } = jobs[0] as Job
  try {
    const outcomes = await kind.work(jobs.map(({ item }) => item))
    for (const [i, job] of jobs.entries()) job.settle(outcomes[i] as PromiseSettledResult<unknown>)
  } catch (error) {
    for (const job of jobs) job.refuse(error)
  }
}
