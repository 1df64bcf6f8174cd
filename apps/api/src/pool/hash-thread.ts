import { argon2Sync } from 'node:crypto'
import { hashBytes, type PasswordCost } from '@memory/identity/accounts/password-hash'

/** A password to hash, as it travels to the thread. */
export interface HashTask {
  password: string
  salt: Uint8Array
  cost: PasswordCost
}

export default function derive({ password, salt, cost }: HashTask): Uint8Array {
  const { memoryKiB: memory, passes, lanes: parallelism } = cost
  return argon2Sync('argon2id', {
    message: password,
    nonce: salt,
    parallelism,
    tagLength: hashBytes,
    memory,
    passes,
  })
}
