import { readFileSync } from 'node:fs'
import { ValidationError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { mailboxOf } from '@memory/shared/catalogue/mailbox'

/** Stands in an answer for the password, which no answer repeats. */
const redacted = '[redacted]'

/**
 * Refuses a password that an account may not have. Its least length is the schema's to check.
 * @param password normalised
 * @param email of the account
 * @param blocklist whether common passwords are refused
 * @param loc where the request has it
 * @throws ValidationError
 */
export function checkPassword(
  password: string,
  email: string,
  blocklist: boolean,
  loc: (string | number)[],
): void {
  const reason = passwordFault(password, email, blocklist)
  if (reason !== undefined) throw ValidationError.rule(loc, reason, redacted)
}

function passwordFault(password: string, email: string, blocklist: boolean): string | undefined {
  if (Buffer.byteLength(password) > limits.passwordBytes) {
    return `the password must not be longer than ${limits.passwordBytes} bytes`
  }
  if (mailboxOf(password) === mailboxOf(email)) return 'the password must not be the email address'
  if (blocklist && isCommon(password)) return 'the password is one of the most used; choose another'
  return undefined
}

let common: ReadonlySet<string> | undefined

/** Whether a password, in whatever letter case, is among those that are tried first. */
function isCommon(password: string): boolean {
  common ??= new Set(readFileSync(new URL('common-passwords/list.txt', import.meta.url), 'utf8').split('\n'))
  return common.has(password.toLowerCase())
}
