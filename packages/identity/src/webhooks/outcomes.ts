import { TargetRefused } from './address-gate.ts'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** Why an attempt has no answer, as far as the owners of the webhook may know. */
export const failures = [
  'timeout',
  'not_resolved',
  'not_allowed',
  'not_connected',
  'certificate_refused',
  'connection_broken',
] as const
export type Failure = (typeof failures)[number]

const notConnected = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/
/** Codes of OpenSSL and of Node for a peer whose identity does not hold, or with whom no encryption comes about. */
const notTrusted = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH/

/** Reads what an attempt ended with. @param isLate whether it had the time that it may take */
export function failureOf(error: unknown, isLate: boolean): Failure {
  if (error instanceof TargetRefused) {
    return error.refusal === 'does not resolve' ? 'not_resolved' : 'not_allowed'
  }
  if (isLate) return 'timeout'
  const code = String((error as { code?: unknown }).code ?? '')
  if (notConnected.test(code)) return 'not_connected'
  return notTrusted.test(code) ? 'certificate_refused' : 'connection_broken'
}
