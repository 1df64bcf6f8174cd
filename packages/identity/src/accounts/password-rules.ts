import { readFileSync } from 'node:fs'
import { ValidationError } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { mailboxOf } from '@memory/shared/catalogue/mailbox'

/** Shown in errors in place of the password. */
const redacted = '[redacted]'

/**
 * Refuses a password that is too long, equal to the email address, or too common. The schema checks the minimum length.
 * @param password normalised
 * @param email the account's address
 * @param blocklist whether common passwords are refused
 * @param loc the place of the password in the request
 * @throws ValidationError when the password is refused
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

/** Whether a password, in any letter case, is on the list of common ones. */
function isCommon(password: string): boolean {
  common ??= new Set(readFileSync(new URL('common-passwords/list.txt', import.meta.url), 'utf8').split('\n'))
  return common.has(password.toLowerCase())
}
