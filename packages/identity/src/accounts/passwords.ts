import { randomBytes } from 'node:crypto'
import { ApiError } from '@memory/shared/catalogue/errors'
import { normalizePassword } from '@memory/shared/catalogue/normalize-password'
import { isSameSecret } from '@memory/shared/platform/same-secret'
import { Semaphore, type SemaphoreOptions } from '@memory/shared/platform/semaphore'
import {
  type Derive,
  derive as deriveHash,
  formatHash,
  hashBytes,
  type PasswordCost,
  parseHash,
} from './password-hash.ts'

/** The parameters that OWASP recommends for argon2id: each hash takes about 25 ms of processor time and 19 MiB. */
export const standardCost: PasswordCost = { memoryKiB: 19_456, passes: 2, lanes: 1 }

/** How many hashes may wait per hash that can run at a time: about two seconds' work. */
const waitingPerSlot = 64
/** The assumed time of a hash, in seconds, to estimate how long the queue takes. */
const secondsPerHash = 0.03
const saltBytes = 16

/** The result of checking a password. */
export interface Verified {
  valid: boolean
  /**
   * Whether the password should be hashed again, now that it is known: its stored hash has a lower cost than the current one, or
   * was made of the password before normalisation.
   */
  outdated: boolean
}

export interface PasswordsOptions {
  /** Hashes that run at the same time. */
  concurrency: number
  cost?: PasswordCost | undefined
  /** How a hash is derived; by default on Node's own threads. */
  derive?: Derive | undefined
}

/**
 * Hashes passwords with argon2id, only a few at a time, since each occupies a processor core and much memory. Others wait in a
 * bounded queue.
 */
export class Passwords {
  readonly #cost: PasswordCost
  readonly #derive: Derive
  readonly #hashes: Semaphore
  readonly #attempts: Semaphore
  /** A hash that no password has. It is checked when there is no account, so that this takes as long as a real check. */
  readonly #decoy: string

  constructor({ concurrency, cost = standardCost, derive = deriveHash }: PasswordsOptions) {
    this.#cost = cost
    this.#derive = derive
    const waiting = waitingPerSlot * concurrency
    this.#hashes = new Semaphore(bounded(concurrency, waiting, 'passwords'))
    this.#attempts = new Semaphore(bounded(2 * concurrency, waiting, 'sign-ins'))
    this.#decoy = formatHash({ cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) })
  }

  /** The number of hashes that are running. */
  get running(): number {
    return this.#hashes.running
  }

  /** The number of hashes that are waiting. */
  get waiting(): number {
    return this.#hashes.waiting
  }

  /**
   * Runs a whole sign-in, including its database queries. Twice as many run at a time as hashes: enough to use the database while
   * others hash, but not so many that a crowd of sign-ins, which would only wait for their hashes, slows the database for
   * everybody.
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
   * Checks a password against a hash: first normalised, then, if different, as it was sent, of which old hashes were made.
   * @param text the stored hash; undefined when there is no account: then the result is false, after the same time
   * @throws ApiError unavailable when too many wait already
   */
  async verify(text: string | undefined, password: string): Promise<Verified> {
    const { cost, salt, hash } = parseHash(text ?? this.#decoy)
    const isHash = async (form: string): Promise<boolean> => {
      const derived = await this.#hashes.run(() => this.#derive(form, salt, cost))
      return text !== undefined && isSameSecret(derived, hash)
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

/** Options for `slots` at a time and at most `most` waiting. A refusal says to retry when those waiting should be done. */
function bounded(slots: number, most: number, of: string): SemaphoreOptions {
  const refusal = (waiting: number) =>
    new ApiError('unavailable', {
      retryAfterS: Math.max(1, Math.ceil((waiting * secondsPerHash) / slots)),
      cause: new Error(`Too many ${of} wait.`),
    })
  return { slots, limit: { waiting: most, refusal } }
}
