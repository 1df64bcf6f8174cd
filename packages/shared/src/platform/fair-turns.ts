import { ApiError } from '../catalogue/errors.ts'
import { laneNow, requireAwaited, signalNow } from './asker.ts'

/** Ends a turn; calling it again does nothing. */
export type Leave = () => void

interface Lane {
  name: string
  waiting: Waiting[]
  running: number
  /** What its turns have taken, ms, beside those of the lanes that had turns at the same time. */
  usedMs: number
}

interface Waiting {
  grant(leave: Leave): void
  /** Ends what watches over the wait. */
  forget(): void
}

export interface FairTurnsOptions {
  /** Milliseconds from some moment on; the process's own clock unless said. */
  now?: () => number
  /** Turns at a time. */
  slots: number
  /** Of them one lane's; all without it. */
  slotsPerLane?: number
  /** What may wait, of one lane and of all; any number without it. */
  waitingPerLane?: number
  waitingInAll?: number
  /** After that long in the queue a turn is refused; without it whoever waits does so for as long as it takes. */
  waitMaxMs?: number
  /**
   * Whoever has had a turn often wants the next as soon as it knows what came of this one, such as a request with several
   * statements: another lane's comes a turn of the event loop later.
   */
  letsContinue?: boolean
}

/**
 * Turns at something that only few can have at a time, such as the sessions of a database. Whoever has had the least of
 * it comes first: the lane (see `Asker`) whose turns have taken less time than the others' since they all want one. So a
 * flood of requests of one organization, or of long ones, delays another's by the turn that is under way.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions
  /** Those that wait or run. */
  readonly #lanes = new Map<string, Lane>()
  #running = 0
  #waiting = 0
  /** Where lanes start that had no turns for a while. */
  #floorMs = 0
  #isNextSoon = false

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Waits for a turn.
   * @returns what ends it
   * @throws ApiError abandoned when nobody waits for the answer any more; too_many_requests and unavailable when too
   * many wait of the lane or of all, unavailable after too long a wait
   */
  enter(): Leave | Promise<Leave> {
    const signal = signalNow()
    requireAwaited(signal)
    const lane = this.#laneOf(laneNow())
    const { slots, slotsPerLane = slots, waitMaxMs } = this.#options
    // Those of the same lane that wait came before; others may have to wait for a turn of their own lane.
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

  /** A lane that wants nothing now is forgotten with what it had. */
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

  /** @param ended the lane that has just had a turn, which may want another as soon as its promises have settled */
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

  /** Of the lanes that wait and may have a turn, the one that has had the least; among equals the one here for longest. */
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
