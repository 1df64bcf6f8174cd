import { deriveSync, type PasswordCost } from '@memory/identity/accounts/password-hash'

/** A password to hash, as it travels to the thread. */
export interface HashTask {
  password: string
  salt: Uint8Array
  cost: PasswordCost
}

export default function derive({ password, salt, cost }: HashTask): Uint8Array {
  return deriveSync(password, salt, cost)
}
