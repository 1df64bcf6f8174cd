import { argon2, argon2Sync } from 'node:crypto'
import { promisify } from 'node:util'

/** The cost parameters of an argon2id hash. */
export interface PasswordCost {
  memoryKiB: number
  /** Passes over the memory. */
  passes: number
  /** Lanes of the memory that can be computed in parallel. */
  lanes: number
}

/** An argon2id hash (RFC 9106, version 19) with its parameters. */
export interface PasswordHash {
  cost: PasswordCost
  salt: Uint8Array
  hash: Uint8Array
}

/** Derives an argon2id hash. */
export type Derive = (password: string, salt: Uint8Array, cost: PasswordCost) => Promise<Uint8Array>

export const hashBytes = 32

/**
 * Derives an argon2id hash in the calling thread, which may have a low priority. The package `argon2` can't do that, since it
 * hashes only on Node's own threads, where it takes 18.3 ms for a hash of the standard cost and Node 20.5 ms. Tests compare
 * the hashes with the package's.
 */
export function deriveSync(password: string, salt: Uint8Array, cost: PasswordCost): Uint8Array {
  return argon2Sync('argon2id', argumentsOf(password, salt, cost))
}

/** Derives an argon2id hash on one of Node's own threads. */
export const derive: Derive = (password, salt, cost) =>
  argon2Async('argon2id', argumentsOf(password, salt, cost))

const argon2Async = promisify(argon2)

const argumentsOf = (message: string, nonce: Uint8Array, { memoryKiB, passes, lanes }: PasswordCost) => ({
  message,
  nonce,
  parallelism: lanes,
  tagLength: hashBytes,
  memory: memoryKiB,
  passes,
})

const form = /^\$argon2id\$v=19\$([mtp]=\d+,[mtp]=\d+,[mtp]=\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A hash as a PHC string, the form in which it is stored. */
export function formatHash({ cost, salt, hash }: PasswordHash): string {
  const { memoryKiB, passes, lanes } = cost
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${base64(salt)}$${base64(hash)}`
}

/** Reads what `formatHash` writes, in any order of m, t and p. @throws for another string */
export function parseHash(text: string): PasswordHash {
  const [, parameters = '', salt, hash] = form.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A password hash is not an argon2id one.')
  const given = new Map(parameters.split(',').map((each) => [each[0], Number(each.slice(2))]))
  const [memoryKiB = 0, passes = 0, lanes = 0] = ['m', 't', 'p'].map((name) => given.get(name))
  return {
    cost: { memoryKiB, passes, lanes },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

/** Base64 without padding, as in PHC strings. */
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
