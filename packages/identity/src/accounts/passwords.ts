import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '@memory/shared/catalogue/errors'
import { normalizePassword } from '@memory/shared/catalogue/normalize-password'
import { Semaphore, type SemaphoreOptions } from '@memory/shared/platform/semaphore'
import { type Derive, formatHash, hashBytes, type PasswordCost, parseHash } from './password-hash.ts'

/** What OWASP recommends for argon2id: 25 ms of processor time and 19 MiB a hash. */
export const standardCost: PasswordCost = { memoryKiB: 19_456, passes: 2, lanes: 1 }

/** Hashes that may wait for each that runs: about two seconds' worth. */
const waitingPerSlot = 64
/** Processor time of a hash, in seconds, to estimate how long the queue is. */
const secondsPerHash = 0.03
const saltBytes = 16

/** What a password's check says. */
export interface Verified {
  valid: boolean
  /**
   * The hash cost less than hashes do now, or is that of the password before it was normalised: the password should be
   * hashed anew while it is known.
   */
  outdated: boolean
}

export interface PasswordsOptions {
  /** Hashes at once. */
  concurrency: number
  cost?: PasswordCost | undefined
  /** On Node's own threads unless said. */
  derive?: Derive | undefined
}

/**
 * Hashes passwords with argon2id, a few at once: each takes a processor core and its memory whole. Further ones wait
 * in a queue that has an end.
 */
export class Passwords {
  readonly #cost: PasswordCost
  readonly #derive: Derive
  readonly #hashes: Semaphore
  readonly #attempts: Semaphore
  /** Nobody's password has this hash, and trying one takes as long as with anybody's. */
  readonly #decoy: string

  constructor({ concurrency, cost = standardCost, derive = deriveHere }: PasswordsOptions) {
    this.#cost = cost
    this.#derive = derive
    const waiting = waitingPerSlot * concurrency
    this.#hashes = new Semaphore(bounded(concurrency, waiting, 'passwords'))
    this.#attempts = new Semaphore(bounded(2 * concurrency, waiting, 'sign-ins'))
    this.#decoy = formatHash({ cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) })
  }

  /** Hashes that run now. */
  get running(): number {
    return this.#hashes.running
  }

  /** Hashes that wait for others to end. */
  get waiting(): number {
    return this.#hashes.waiting
  }

  /**
   * Runs what will hash a password, from its first question to the database on: twice as many at once as hashes, so
   * that the database is asked while others hash, and others' requests are not held up by a crowd that would wait for
   * its hashes anyway.
   * @throws ApiError unavailable when too many wait already
   */
  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.#attempts.run(work)
  }

  /** @returns the normalised password's hash in PHC form. @throws ApiError unavailable when too many wait already */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes)
    const normalised = normalizePassword(password)
    const hash = await this.#hashes.run(() => this.#derive(normalised, salt, this.#cost))
    return formatHash({ cost: this.#cost, salt, hash })
  }

  /**
   * Whether a password has a hash: normalised, or as it was sent, because hashes used to be made of that. The second is
   * tried where it differs, whosever password it is.
   * @param text undefined for nobody's: never valid, and known no sooner
   * @throws ApiError unavailable when too many wait already
   */
  async verify(text: string | undefined, password: string): Promise<Verified> {
    const { cost, salt, hash } = parseHash(text ?? this.#decoy)
    const isHash = async (form: string): Promise<boolean> => {
      const derived = await this.#hashes.run(() => this.#derive(form, salt, cost))
      return text !== undefined && derived.length === hash.length && timingSafeEqual(derived, hash)
    }
    const normalised = normalizePassword(password)
    if (await isHash(normalised)) return { valid: true, outdated: this.#isOutdated(cost) }
    const valid = normalised !== password && (await isHash(password))
    return { valid, outdated: valid }
  }

  #isOutdated({ memoryKiB, passes, lanes }: PasswordCost): boolean {
    const now = this.#cost
    return memoryKiB < now.memoryKiB || passes < now.passes || lanes < now.lanes
  }
}

/** At most `slots` hashes at once and `most` that wait; who is refused may come again when these will have been made. */
function bounded(slots: number, most: number, of: string): SemaphoreOptions {
  const refusal = (waiting: number) =>
    new ApiError('unavailable', {
      retryAfterS: Math.max(1, Math.ceil((waiting * secondsPerHash) / slots)),
      cause: new Error(`Too many ${of} wait.`),
    })
  return { slots, limit: { waiting: most, refusal } }
}

const argon2Async = promisify(argon2)

const deriveHere: Derive = (password, salt, { memoryKiB, passes, lanes }) =>
  argon2Async('argon2id', {
    message: password,
    nonce: salt,
    parallelism: lanes,
    tagLength: hashBytes,
    memory: memoryKiB,
    passes,
  })
