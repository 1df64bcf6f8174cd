import { mailboxOf } from '../catalogue/mailbox.ts'
import { sourceOf } from './address.ts'
import type { RuleName } from './rules.ts'
import type { Attempt } from './throttle.ts'

/** What a login attempt is taken from. */
export interface LoginAttempts {
  /** Forgotten when a login succeeds. */
  pair: Attempt
  /** From anywhere. */
  ofMailbox: Attempt
  all: readonly Attempt[]
}

/**
 * A password, or a code in its place, that somebody presents for an account.
 * @param ip null when it is not known
 */
export function loginAttempts(email: string, ip: string | null): LoginAttempts {
  const source = sourceOf(ip)
  const mailbox = mailboxOf(email)
  const pair: Attempt = { rule: 'loginPair', of: [mailbox, source ?? 'loopback'] }
  const address: Attempt[] = source === undefined ? [] : [{ rule: 'loginAddress', of: [source] }]
  const ofMailbox: Attempt = { rule: 'loginEmail', of: [mailbox] }
  return { pair, ofMailbox, all: [pair, ...address, ofMailbox] }
}

/** @param ip null when it is not known */
export function registrationAttempts(ip: string | null): Attempt[] {
  return fromAddress('registrationAddress', ip)
}

/** A request for a mail by somebody who is not signed in. @param ip null when it is not known */
export function mailRequestAttempts(ip: string | null): Attempt[] {
  return fromAddress('mailRequestAddress', ip)
}

/**
 * A document that anybody has the service read. Nobody is exempt: what is read goes out to an address of their choice.
 * @param ip null when it is not known
 */
export function clientDocumentAttempts(ip: string | null): Attempt[] {
  return [{ rule: 'clientDocument', of: [sourceOf(ip) ?? 'loopback'] }]
}

function fromAddress(rule: RuleName, ip: string | null): Attempt[] {
  const source = sourceOf(ip)
  return source === undefined ? [] : [{ rule, of: [source] }]
}
