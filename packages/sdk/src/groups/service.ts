import type { Calls } from '../calls.ts'
import type { CallOptions, GivenOf } from '../operations.ts'
import { byCursor } from '../pages.ts'

/** For those who run the service. */
export const adminOf = ({ plain, query, body }: Calls) => {
  const organizations = query('GET /v1/admin/organizations')
  const users = query('GET /v1/admin/users')
  const backups = query('GET /v1/admin/backups')
  const receipts = query('GET /v1/admin/receipts')
  const jobs = query('GET /v1/admin/queues/{queue}/jobs')
  return {
    /** The plans and what they allow. */
    plans: plain('GET /v1/admin/plans'),
    /** A page of all organizations, newest first. */
    organizations,
    /** Every organization, newest first. */
    allOrganizations: (given?: GivenOf<'GET /v1/admin/organizations'>, options?: CallOptions) =>
      byCursor(organizations, (answer) => answer.organizations, given, options),
    /** A page of all users, newest first. */
    users,
    /** Every user, newest first. */
    allUsers: (given?: GivenOf<'GET /v1/admin/users'>, options?: CallOptions) =>
      byCursor(users, (answer) => answer.users, given, options),
    getUser: plain('GET /v1/admin/users/{user_id}'),
    /** Shuts a user out until the account is activated; the reason stands in the audit log. */
    suspendUser: body('POST /v1/admin/users/{user_id}/suspend'),
    activateUser: plain('POST /v1/admin/users/{user_id}/activate'),
    /** What all organizations hold and ask, by day. */
    usage: query('GET /v1/admin/usage'),
    changePlan: body('PUT /v1/admin/organizations/{org_id}/plan'),
    /** Brings back an account that is scheduled for deletion. */
    restoreUser: plain('POST /v1/admin/users/{user_id}/restore'),
    /** What the process that answers is, stands on and has measured. */
    health: plain('GET /v1/admin/health'),
    /** A page of the backups on the service's disk. */
    backups,
    /** Every backup on the service's disk. */
    allBackups: (given?: GivenOf<'GET /v1/admin/backups'>, options?: CallOptions) =>
      byCursor(backups, (answer) => answer.backups, given, options),
    /** A page of the receipts of what was erased of all organizations, newest first. */
    receipts,
    /** Every receipt of what was erased of all organizations, newest first. */
    allReceipts: (given?: GivenOf<'GET /v1/admin/receipts'>, options?: CallOptions) =>
      byCursor(receipts, (answer) => answer.receipts, given, options),
    /** The queues of background work, with how many jobs they have. */
    queues: plain('GET /v1/admin/queues'),
    /** A page of the jobs of a queue in a state. */
    jobs,
    /** Every job of a queue in a state; they move on meanwhile. */
    allJobs: (queue: string, given?: GivenOf<'GET /v1/admin/queues/{queue}/jobs'>, options?: CallOptions) =>
      byCursor(
        (page, more) => jobs(queue, page, more),
        (answer) => answer.jobs,
        given,
        options,
      ),
    /** Does a failed job once more. */
    retryJob: plain('POST /v1/admin/queues/{queue}/jobs/{job_id}/retry'),
    /** Removes a failed job. */
    removeJob: plain('DELETE /v1/admin/queues/{queue}/jobs/{job_id}'),
    /** For payment providers; `options.headers` are those of `signWebhook` over the event's JSON. */
    receiveBillingEvent: body('POST /v1/billing/webhook'),
  }
}

/** The service itself. */
export const serviceOf = ({ plain }: Calls) => ({
  /** Whether the process lives. */
  health: plain('GET /healthz'),
  /** Whether it can answer. */
  ready: plain('GET /readyz'),
  /** Public keys that access tokens are verified with. */
  signingKeys: plain('GET /.well-known/jwks.json'),
})
