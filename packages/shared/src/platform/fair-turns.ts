import { ApiError } from '../catalogue/errors.ts'
import { laneNow, requireAwaited, signalNow } from './asker.ts'

/** Ends a turn. Calling it again does nothing. */
export type Leave = () => void

interface Lane {
  name: string
  waiting: Waiting[]
  running: number
  /** The time that its turns have taken, in ms. A new lane starts at `#floorMs`, so values are only good for comparing. */
  usedMs: number
}

interface Waiting {
  grant(leave: Leave): void
  /** Stops the timer and the listener that could end the wait. */
  forget(): void
}

export interface FairTurnsOptions {
  /** A monotonic clock, in ms; `performance.now` by default. */
  now?: () => number
  /** Turns that run at the same time. */
  slots: number
  /** Turns of one lane that run at the same time; by default `slots`. */
  slotsPerLane?: number
  /** How many of one lane may wait; by default any number. */
  waitingPerLane?: number
  /** How many of all lanes together may wait; by default any number. */
  waitingInAll?: number
  /** How long one may wait before it is refused; by default for ever. */
  waitMaxMs?: number
  /**
   * Whether a lane may take the next turn right after its own: another lane's turn is granted only in the next turn of the
   * event loop. For requests with several statements, each of which needs the result of the one before.
   */
  letsContinue?: boolean
}

/**
 * Gives out turns at something scarce, such as the sessions of a database. The next turn goes to the lane (see `Asker`) whose
 * turns have taken the least time so far. So however many or long the requests of one organization are, another's waits
 * only for turns that are already running.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  /** Lanes that have a running or waiting turn. */
  readonly #lanes = new Map<string, Lane>()
  #running = 0
  #waiting = 0
  /** The `usedMs` of new lanes: level with the others, so that a lane gains nothing by pausing. */
  #floorMs = 0
  /** Whether the next turn is put off until the next turn of the event loop (see `letsContinue`). */
  #isNextSoon = false

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Waits for a turn for the current asker.
   * @returns a function that ends the turn
   * @throws ApiError abandoned when the client has hung up; too_many_requests when too many of the lane wait; unavailable
   *   when too many wait in all, or after `waitMaxMs`
   */
  enter(): Leave | Promise<Leave> {
    const signal = signalNow()
    requireAwaited(signal)
    const lane = this.#laneOf(laneNow())
    const { slots, slotsPerLane = slots, waitMaxMs } = this.#options
    // Those waiting in this lane come first. Those waiting in other lanes may be held up only by `slotsPerLane`.
    const isFree = lane.waiting.length === 0 && lane.running < slotsPerLane && this.#running < slots
    if (isFree && !this.#isNextSoon) return this.#begin(lane)
    this.#requireRoom(lane)
    return new Promise((resolve, reject) => {
      const refuse = (error: ApiError) => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        this.#waiting--
        waiting.forget()
        this.#drop(lane)
        reject(error)
      }
      const onAbort = () => refuse(new ApiError('abandoned'))
      const timer = waitMaxMs === undefined ? undefined : setTimeout(() => refuse(tooLate()), waitMaxMs)
      const waiting: Waiting = {
        grant: resolve,
        forget: () => {
          signal?.removeEventListener('abort', onAbort)
          clearTimeout(timer)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      lane.waiting.push(waiting)
      this.#waiting++
      this.#next()
    })
  }

  #requireRoom(lane: Lane): void {
    const { waitingPerLane = Number.POSITIVE_INFINITY, waitingInAll = Number.POSITIVE_INFINITY } =
      this.#options
    const isLaneFull = lane.waiting.length >= waitingPerLane
    if (!isLaneFull && this.#waiting < waitingInAll) return
    this.#drop(lane)
    throw new ApiError(isLaneFull ? 'too_many_requests' : 'unavailable', { retryAfterS: 1 })
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (lane === undefined) {
      lane = { name, waiting: [], running: 0, usedMs: this.#floorMs }
      this.#lanes.set(name, lane)
    }
    return lane
  }

  /** Forgets a lane that neither runs nor waits, and the time that it has used. */
  #drop(lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.name)
  }

  #begin(lane: Lane): Leave {
    this.#running++
    lane.running++
    this.#floorMs = Math.max(this.#floorMs, lane.usedMs)
    const { now = () => performance.now() } = this.#options
    const began = now()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      lane.usedMs += now() - began
      lane.running--
      this.#running--
      this.#drop(lane)
      this.#next(lane)
    }
  }

  /** Grants free turns. @param ended the lane whose turn has just ended, if one has (see `letsContinue`) */
  #next(ended?: Lane): void {
    while (this.#waiting > 0 && this.#running < this.#options.slots) {
      if (this.#isNextSoon) return
      const lane = this.#least()
      if (lane === undefined) return
      if (this.#options.letsContinue && ended !== undefined && ended !== lane) {
        this.#isNextSoon = true
        setImmediate(() => {
          this.#isNextSoon = false
          this.#next()
        })
        return
      }
      const waiting = lane.waiting.shift() as Waiting
      this.#waiting--
      waiting.forget()
      waiting.grant(this.#begin(lane))
    }
  }

  /** The lane that has used the least time, of those that wait and may have a turn; among equals the one that came first. */
  #least(): Lane | undefined {
    const { slots, slotsPerLane = slots } = this.#options
    let least: Lane | undefined
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length === 0 || lane.running >= slotsPerLane) continue
      if (least === undefined || lane.usedMs < least.usedMs) least = lane
    }
    return least
  }
}

const tooLate = () =>
  new ApiError('unavailable', {
    retryAfterS: 2,
    cause: new Error('timeout exceeded when waiting for a turn'),
  })
