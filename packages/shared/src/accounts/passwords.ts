import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { ApiError } from '../catalogue/errors.ts'

/** What one hash costs. */
export interface PasswordCost {
  memoryKiB: number
  /** Times that the memory is gone over. */
  passes: number
  /** Independent parts of the memory. */
  lanes: number
}

/** What OWASP recommends for argon2id: 25 ms of processor time and 19 MiB a hash. */
export const standardCost: PasswordCost = { memoryKiB: 19_456, passes: 2, lanes: 1 }

/** Hashes that may wait for each that runs: about two seconds' worth. */
const waitingPerSlot = 64
/** Processor time of a hash, in seconds, to estimate how long the queue is. */
const secondsPerHash = 0.03
const saltBytes = 16
const hashBytes = 32

/** What a password's check says. */
export interface Verified {
  valid: boolean
  /** The hash cost less than hashes do now: the password should be hashed anew while it is known. */
  outdated: boolean
}

/**
 * Hashes passwords with argon2id, a few at once: each takes a processor core and its memory whole. Further ones wait
 * in a queue that has an end.
 */
export class Passwords {
  readonly #concurrency: number
  readonly #cost: PasswordCost
  readonly #waiting: (() => void)[] = []
  /** Nobody's password has this hash, and trying one takes as long as with anybody's. */
  readonly #decoy: string
  #running = 0

  constructor(concurrency: number, cost: PasswordCost = standardCost) {
    this.#concurrency = concurrency
    this.#cost = cost
    const { memoryKiB, passes, lanes } = cost
    const [salt, hash] = [saltBytes, hashBytes].map((bytes) =>
      randomBytes(bytes).toString('base64').replaceAll('=', ''),
    )
    this.#decoy = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${salt}$${hash}`
  }

  /** Hashes that run now. */
  get running(): number {
    return this.#running
  }

  /** Hashes that wait for others to end. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** @returns the hash in PHC form. @throws ApiError unavailable when too many wait already */
  hash(password: string): Promise<string> {
    const { memoryKiB, passes, lanes } = this.#cost
    return this.#inTurn(() =>
      argon2.hash(password, {
        type: argon2.argon2id,
        memoryCost: memoryKiB,
        timeCost: passes,
        parallelism: lanes,
        hashLength: hashBytes,
        salt: randomBytes(saltBytes),
      }),
    )
  }

  /**
   * Whether a password has a hash, byte for byte.
   * @param hash undefined for nobody's: never valid, and known no sooner
   * @throws ApiError unavailable when too many wait already
   */
  async verify(hash: string | undefined, password: string): Promise<Verified> {
    const matches = await this.#inTurn(() => argon2.verify(hash ?? this.#decoy, password))
    const valid = matches && hash !== undefined
    return { valid, outdated: valid && this.#isOutdated(hash) }
  }

  #isOutdated(hash: string): boolean {
    const [, kind, version, parameters = ''] = hash.split('$')
    // The library writes m, p, t; others m, t, p.
    const cost = new Map(parameters.split(',').map((each) => each.split('=') as [string, string]))
    const { memoryKiB, passes, lanes } = this.#cost
    return !(
      kind === 'argon2id' &&
      version === 'v=19' &&
      Number(cost.get('m')) >= memoryKiB &&
      Number(cost.get('t')) >= passes &&
      Number(cost.get('p')) >= lanes
    )
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#concurrency) this.#running++
    else await this.#wait()
    try {
      return await work()
    } finally {
      // Whoever waits takes over the place as it is, so that nobody slips in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  #wait(): Promise<void> {
    const waiting = this.#waiting.length
    if (waiting >= waitingPerSlot * this.#concurrency) {
      const retryAfterS = Math.ceil((waiting * secondsPerHash) / this.#concurrency)
      throw new ApiError('unavailable', { retryAfterS, cause: new Error('Too many passwords to check.') })
    }
    return new Promise((resume) => this.#waiting.push(resume))
  }
}
