import type { Requester, Urgency } from '@memory/memory/compute'
import { ApiError } from '@memory/shared/catalogue/errors'

/** A light job holds a thread for about 30 ms at most. A heavy one takes longer, or no client waits for it. */
export type Weight = 'light' | 'heavy'

/** Whether a job is a search or a store, and how long it holds a thread. */
export interface Priority {
  urgency: Urgency
  weight: Weight
}

/** A kind of work in which one call can do several waiting jobs of an organization. */
export interface Shareable<Item, Result> {
  /** Whether one call of `work` may do both jobs. */
  joins(first: Item, other: Item): boolean
  /** The most jobs that one call of `work` does, the first included. */
  most(first: Item): number
  /** Calls of `work` with the same object here run one at a time. Undefined: no such limit. */
  only?(first: Item): object | undefined
  /** Gives one outcome per item, in the order of `items`. When it throws, all jobs fail. */
  work(items: readonly Item[]): Promise<PromiseSettledResult<Result>[]>
}

/** A job and who wants it done. */
export interface PoolRequest<Item> {
  requester: Requester
  item: Item
}

/** Returned by a turn of a job that needs a further turn. */
export const again = Symbol('again')

interface Job extends PoolRequest<unknown> {
  priority: Priority
  kind: Shareable<unknown, unknown>
  /** Passes the outcome of a turn to whoever waits for the job. */
  complete(outcome: PromiseSettledResult<unknown>): void
  refuse(error: unknown): void
  /** Stops listening for the client hanging up. */
  forget(): void
}

/** Waiting jobs of a lane: those of one end user to whom callers are bound, or those of all unbound callers together. */
type Lane = Record<Urgency, Job[]>

/** Waiting jobs of an organization. */
interface Tenant {
  waiting: number
  /** In the order of their turns. The key is the end user's name; undefined for unbound callers. */
  lanes: Map<string | undefined, Lane>
}

interface FairQueueOptions {
  /** Turns that run at the same time. */
  concurrency: number
  /** Jobs of one organization that may wait. No single lane may fill this, see `mostOf`. */
  waitingPerTenant: number
  /** Jobs of all organizations together that may wait. */
  waitingInAll: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

/** For this long after its last light job an organization counts as active, and a thread is kept free for it. */
export const activeMs = 30_000
/** While no heavy job runs, this many light turns at most go before a waiting heavy one. */
const lightTurnsMost = 8
/** The share of the room left by an organization's other lanes that one lane may fill: an end user's, the unbound callers'. */
const shareOfSubject = 1 / 2
const shareOfUnbound = 4 / 5

/**
 * Hands out the threads in turns.
 *
 * - Organizations take turns round robin, so one with many jobs delays each other one by a single turn at most.
 * - Within an organization its lanes (see `Lane`) take turns in the same way, and no lane may fill the waiting room.
 * - Within a lane, searches come before stores.
 * - A turn is one job, or one step of a long one, together with waiting jobs of the same lane that can share the work.
 * - Light jobs come before heavy ones of any organization, but only `lightTurnsMost` times in a row.
 * - While several organizations are active, neither one organization nor the heavy jobs may take all threads: one stays
 *   free for the next light job of somebody else. An organization that is alone may take them all.
 * - A job whose client has hung up is dropped.
 */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>
  // In the order of their turns: an organization that had a turn moves to the end.
  readonly #tenants: Record<Weight, Map<string, Tenant>> = { light: new Map(), heavy: new Map() }
  // The `only` of turns that are running: no other turn with the same one may start.
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

  /** The number of waiting jobs. */
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
   * Runs `work` when its turn comes. Each time that it returns `again`, runs it once more in a later turn, as a heavy job
   * that goes before all waiting heavy jobs of its lane and urgency.
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
   * Runs searches when their turns come, as many in one turn as `kind` allows: these, and others that are waiting then.
   * @returns a promise per job, in the order of `jobs`, each of which rejects as `run` does
   */
  runTogether<Item, Result>(
    jobs: readonly PoolRequest<Item>[],
    kind: Shareable<Item, Result>,
  ): Promise<Result>[] {
    const done = jobs.map((job) => this.#enqueue(job, { urgency: 'search', weight: 'light' }, kind))
    this.#next()
    return done
  }

  /** Takes no more jobs, lets those it has finish for `graceMs`, and refuses the rest. */
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
      // It has just had its turn, so the next ones are for other lanes and organizations.
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

  /** Removes the jobs of the next turn from what waits; none when no waiting job may run now. */
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

  /** Removes and returns the first job that may run now and those that share its turn. */
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

/** Remembers just enough of when organizations were active to say for each whether any other one was. */
class Activity {
  #latest: { tenant: string; at: number } | undefined
  /** When an organization other than the latest was active last. */
  #otherAt = Number.NEGATIVE_INFINITY

  record(tenant: string, at: number): void {
    if (this.#latest !== undefined && this.#latest.tenant !== tenant) this.#otherAt = this.#latest.at
    this.#latest = { tenant, at }
  }

  /** Whether an organization other than this one has been active since the time `since`. */
  hasOther(tenant: string, since: number): boolean {
    if (this.#latest === undefined) return false
    return (this.#latest.tenant === tenant ? this.#otherAt : this.#latest.at) >= since
  }
}

const countOf = (lane: Lane | undefined): number =>
  lane === undefined ? 0 : lane.search.length + lane.store.length

/**
 * A lane may have fewer waiting jobs than this: a share of the room `left` by the organization's other lanes, so that each
 * further lane still finds room, though less and less. While any room is left, every lane may have one waiting job.
 */
const mostOf = (subject: Requester['subject'], left: number): number =>
  left * (subject === undefined ? shareOfUnbound : shareOfSubject)

/** Moves an entry to the end of the order of turns. */
function putLast<Key, Value>(order: Map<Key, Value>, key: Key, value: Value): void {
  order.delete(key)
  order.set(key, value)
}

const onlyOf = ({ kind, item }: Job): object | undefined => kind.only?.(item)

/** Removes from `waiting` the job at `from` and later ones that may be done together with it. */
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

/** Runs a turn. @returns a function that passes the outcomes on to the jobs; it never rejects */
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
