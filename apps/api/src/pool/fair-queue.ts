import { ApiError } from '@memory/shared/catalogue/errors'
import type { Urgency } from '@memory/shared/catalogue/operation'
import type { Requester } from '@memory/shared/memory/compute'

interface Job {
  requester: Requester
  start(): Promise<void>
  refuse(error: unknown): void
  /** Ends the watch for a client that hangs up. */
  forget(): void
}

interface Lanes {
  search: Job[]
  store: Job[]
}

export interface FairQueueOptions {
  /** Jobs that run at a time. */
  concurrency: number
  /** Jobs that may wait, of one organization and of all. */
  waitingPerTenant: number
  waitingInAll: number
}

/**
 * Hands out the threads: organizations in turn, so that one that asks for much delays the others by one job each, and
 * an organization's searches before its stores. A job whose client has hung up is dropped.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  // In the order of their turns; an organization that had its turn goes to the end.
  readonly #tenants = new Map<string, Lanes>()
  #waiting = 0
  #running = 0
  #closed = false
  #idle = Promise.withResolvers<void>()

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs `work` when its turn comes.
   * @throws ApiError unavailable when too much waits or the process ends, abandoned when the client hung up
   */
  run<T>(requester: Requester, urgency: Urgency, work: () => Promise<T>): Promise<T> {
    if (requester.signal?.aborted) return Promise.reject(new ApiError('abandoned'))
    if (this.#closed || !this.#hasRoom(requester)) {
      return Promise.reject(new ApiError('unavailable', { retryAfterS: 1 }))
    }
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        if (this.#remove(job)) reject(new ApiError('abandoned'))
      }
      const job: Job = {
        requester,
        start: () => work().then(resolve, reject),
        refuse: reject,
        forget: () => requester.signal?.removeEventListener('abort', onAbort),
      }
      requester.signal?.addEventListener('abort', onAbort, { once: true })
      this.#lanesOf(requester)[urgency].push(job)
      this.#waiting++
      this.#next()
    })
  }

  /** Takes no more jobs, lets those it has finish for a while, and refuses the rest. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true
    if (this.#waiting + this.#running > 0) {
      const timer = setTimeout(() => this.#idle.resolve(), graceMs)
      await this.#idle.promise
      clearTimeout(timer)
    }
    for (const job of this.#takeAll()) job.refuse(new ApiError('unavailable', { retryAfterS: 1 }))
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
      const job = this.#take()
      if (job === undefined) return
      this.#running++
      job.start().finally(() => {
        this.#running--
        this.#next()
        if (this.#closed && this.#waiting + this.#running === 0) this.#idle.resolve()
      })
    }
  }

  #take(): Job | undefined {
    for (const [tenant, lanes] of this.#tenants) {
      const job = lanes.search.shift() ?? lanes.store.shift()
      this.#tenants.delete(tenant)
      if (lanes.search.length + lanes.store.length > 0) this.#tenants.set(tenant, lanes)
      if (job === undefined) continue
      job.forget()
      this.#waiting--
      return job
    }
    return undefined
  }

  #takeAll(): Job[] {
    const jobs: Job[] = []
    for (let job = this.#take(); job !== undefined; job = this.#take()) jobs.push(job)
    return jobs
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
