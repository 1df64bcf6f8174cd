import type { Calls } from '../calls.ts'

/** For those who run the service. */
export const adminOf = ({ plain, body }: Calls) => ({
  changePlan: body('PUT /v1/admin/organizations/{org_id}/plan'),
  /** Brings back an account that is scheduled for deletion. */
  restoreUser: plain('POST /v1/admin/users/{user_id}/restore'),
  /** For payment providers; `options.headers` are those of `signWebhook` over the event's JSON. */
  receiveBillingEvent: body('POST /v1/billing/webhook'),
})

/** The service itself. */
export const serviceOf = ({ plain }: Calls) => ({
  /** Whether the process lives. */
  health: plain('GET /healthz'),
  /** Whether it can answer. */
  ready: plain('GET /readyz'),
  /** Public keys that access tokens are verified with. */
  signingKeys: plain('GET /.well-known/jwks.json'),
})
