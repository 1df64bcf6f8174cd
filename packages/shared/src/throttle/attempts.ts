import { mailboxOf } from '../catalogue/mailbox.ts'
import { sourceOf } from './address.ts'
import type { RuleName } from './rules.ts'
import type { Attempt } from './throttle.ts'

/** The limits for which a login attempt counts. */
export interface LoginAttempts {
  /** For one email from one address; cleared when a login succeeds. */
  pair: Attempt
  /** For one email, from any address. */
  ofMailbox: Attempt
  all: readonly Attempt[]
}

/**
 * The limits for somebody who presents a password or a code for an account.
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

/** The limits for requests for mails by somebody who is not signed in. @param ip null when it is not known */
export function mailRequestAttempts(ip: string | null): Attempt[] {
  return fromAddress('mailRequestAddress', ip)
}

/**
 * The limits for making the service read a program's document, which anybody can do. Not even this machine is exempt, since each
 * time the service sends a request to a URL of their choice.
 * @param ip null when it is not known
 */
export function clientDocumentAttempts(ip: string | null): Attempt[] {
  return [{ rule: 'clientDocument', of: [sourceOf(ip) ?? 'loopback'] }]
}

function fromAddress(rule: RuleName, ip: string | null): Attempt[] {
  const source = sourceOf(ip)
  return source === undefined ? [] : [{ rule, of: [source] }]
}
