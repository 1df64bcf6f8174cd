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

/** What waits of one lane of an organization: of an end user whom callers are bound to, or of all who are not bound. */
type Lane = Record<Urgency, Job[]>

/** What waits of an organization. */
interface Tenant {
  waiting: number
  /** In the order of their turns, by the end user's name; undefined for callers who are not bound. */
  lanes: Map<string | undefined, Lane>
}

export interface FairQueueOptions {
  /** Turns that run at a time. */
  concurrency: number
  /** Jobs that may wait, of one organization (of which no lane has all, see `mostOf`) and of all. */
  waitingPerTenant: number
  waitingInAll: number
  /** Milliseconds that never go back. */
  now?: () => number
}

/** An organization that asked for a light job is reckoned with for so long. */
export const activeMs = 30_000
/** Light turns that pass over a heavy job while no other such runs. */
const lightTurnsMost = 8
/** Of the room that an organization's other lanes leave, what one lane may fill: an end user's, and that of all others. */
const shareOfSubject = 1 / 2
const shareOfUnbound = 4 / 5

/**
 * Hands out the threads. Organizations have their turns, so that one that asks for much delays the others by one turn
 * each. An organization's turns go round its lanes in the same way: an end user who asks for much delays the others by
 * one turn each, and leaves them room to wait. A lane's searches come before its stores. A turn is one job, or one step of
 * it, with those of its lane that wait and may be done together with it. Heavy jobs come after light ones, whoever's they
 * are, though not for ever.
 *
 * While others are active, no organization has all threads, nor have heavy jobs: what somebody else then asks for finds
 * one that is free. Who is alone has them all. A job whose client has hung up is dropped.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>
  // In the order of their turns; an organization that had its turn goes to the end.
  readonly #tenants: Record<Weight, Map<string, Tenant>> = { light: new Map(), heavy: new Map() }
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
   * what its lane has asked for later.
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
    const left = Object.values(this.#tenants)
      .flatMap((tenants) => [...tenants.values()])
      .flatMap(({ lanes }) => [...lanes.values()])
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
    const { organizationId, subject } = job.requester
    const tenants = this.#tenants[job.priority.weight]
    const tenant = tenants.get(organizationId) ?? { waiting: 0, lanes: new Map() }
    const lane = tenant.lanes.get(subject?.name) ?? { search: [], store: [] }
    if (place === 'last') {
      lane[job.priority.urgency].push(job)
      tenant.lanes.set(subject?.name, lane)
      tenants.set(organizationId, tenant)
    } else {
      lane[job.priority.urgency].unshift(job)
      // It has just had its turn.
      putLast(tenant.lanes, subject?.name, lane)
      putLast(tenants, organizationId, tenant)
    }
    tenant.waiting++
    this.#waiting++
  }

  #hasRoom({ organizationId, subject }: Requester): boolean {
    const { waitingPerTenant, waitingInAll } = this.#options
    if (this.#waiting >= waitingInAll) return false
    const light = this.#tenants.light.get(organizationId)
    const heavy = this.#tenants.heavy.get(organizationId)
    const own = countOf(light?.lanes.get(subject?.name)) + countOf(heavy?.lanes.get(subject?.name))
    const others = (light?.waiting ?? 0) + (heavy?.waiting ?? 0) - own
    return own < mostOf(subject, waitingPerTenant - others)
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
    for (const [id, tenant] of tenants) {
      if (!this.#mayRun(id, weight)) continue
      const jobs = this.#takeOfTenant(tenant)
      if (jobs.length === 0) continue
      tenants.delete(id)
      if (tenant.waiting > 0) tenants.set(id, tenant)
      for (const job of jobs) job.forget()
      this.#waiting -= jobs.length
      return jobs
    }
    return []
  }

  #takeOfTenant(tenant: Tenant): Job[] {
    for (const [name, lane] of tenant.lanes) {
      const search = this.#takeOf(lane.search)
      const jobs = search.length > 0 ? search : this.#takeOf(lane.store)
      if (jobs.length === 0) continue
      tenant.lanes.delete(name)
      if (countOf(lane) > 0) tenant.lanes.set(name, lane)
      tenant.waiting -= jobs.length
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

  /** The first of these that may run now, and those that may be done together with it. */
  #takeOf(waiting: Job[]): Job[] {
    const at = waiting.findIndex((job) => !this.#exclusive.has(onlyOf(job) ?? job))
    return at === -1 ? [] : takeTogether(waiting, at)
  }

  #remove(job: Job): boolean {
    const tenants = this.#tenants[job.priority.weight]
    const { organizationId, subject } = job.requester
    const tenant = tenants.get(organizationId)
    const lane = tenant?.lanes.get(subject?.name)
    const at = lane?.[job.priority.urgency].indexOf(job) ?? -1
    if (tenant === undefined || lane === undefined || at === -1) return false
    lane[job.priority.urgency].splice(at, 1)
    if (countOf(lane) === 0) tenant.lanes.delete(subject?.name)
    if (--tenant.waiting === 0) tenants.delete(organizationId)
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

const countOf = (lane: Lane | undefined): number =>
  lane === undefined ? 0 : lane.search.length + lane.store.length

/**
 * How many jobs of a lane may wait: a part of what the organization's other lanes leave, so that each further lane finds
 * room, though ever less. While anything is left, a lane of which nothing waits may have one job wait.
 */
const mostOf = (subject: Requester['subject'], left: number): number =>
  left * (subject === undefined ? shareOfUnbound : shareOfSubject)

/** Has its next turn after all others. */
function putLast<Key, Value>(order: Map<Key, Value>, key: Key, value: Value): void {
  order.delete(key)
  order.set(key, value)
}

const onlyOf = ({ kind, item }: Job): object | undefined => kind.only?.(item)

/** Takes a job of a list and later ones that may be done together with it. */
function takeTogether(waiting: Job[], from: number): Job[] {
  const [first] = waiting.splice(from, 1) as [Job]
  const { kind, item } = first
  const taken = [first]
  const most = kind.most(item)
  for (let at = from; at < waiting.length && taken.length < most; ) {
    const job = waiting[at] as Job
    if (job.kind === kind && kind.joins(item, job.item)) taken.push(...waiting.splice(at, 1))
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
