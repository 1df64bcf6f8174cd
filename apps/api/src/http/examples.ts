import type { ErrorCode } from '@memory/shared/catalogue/errors'

/**
 * Requests that can be sent as they are, one for each operation, in an order in which all of them can be sent to a new
 * service: what the reference page begins with, and what a test executes. Nothing else says what an example is.
 */
export interface RequestExample {
  /** Path parameters, by name. */
  params?: Record<string, Value>
  /** Query parameters, by name. */
  query?: Record<string, string | number | boolean>
  body?: Value
  /** Operations whose examples are sent once more before this one: sign-ins, after what ends a session. */
  after?: readonly string[]
  /** The error that the example is answered with, and until when. */
  refused?: { code: ErrorCode; until: string }
}

/** JSON, in which a part may be of an earlier answer. */
export type Value =
  | Given
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value }

/** A value that the service gives out in an answer. */
export class Given {
  /** What it looks like. */
  readonly sample: string | number
  /** The operations whose answers have it, each with the JSON pointer to it. */
  readonly sources: Readonly<Record<string, string>>

  constructor(sample: string | number, sources: Readonly<Record<string, string>>) {
    this.sample = sample
    this.sources = sources
  }
}

const uuid = '9a740b44-4680-4f1d-b986-26ec865b0107'
const mailed = 'RXH_wKkdkKA3R-sYLIiG-TqO_nYcRrTRj8bHAMnV0ek'

const pattern = new Given('pat_01kagw5zdpk2r4f9m0x7y3v8qe', { storeText: '/pattern_id' })
const organization = new Given(uuid, { register: '/organization_id' })
const user = new Given(uuid, { register: '/user_id' })
const key = new Given(uuid, { createApiKey: '/id' })
const keyOfOrganization = new Given(uuid, { createOrganizationApiKey: '/id' })
const otherSession = new Given(uuid, { listSessions: '/1/id' })
const dataExport = new Given(uuid, { requestExport: '/export_id' })
const notification = new Given('notif_91167c9d4b834b2d804c86c0fa20deae', { listNotifications: '/data/0/id' })
const webhook = new Given(uuid, { createWebhook: '/id' })
const delivery = new Given(uuid, { testWebhook: '/id' })
const refreshToken = new Given(`rt_${mailed}`, { register: '/refresh_token', login: '/refresh_token' })

const text = 'Ada moved to Lisbon in May.'
const query = 'Where does Ada live?'
const metadata = { role: 'user', source: 'chat' }
const embedding = [0.1, -0.2, 0.3]
const vector = { key: embedding, value: [1, 0.5, 0.25], metadata }
const email = 'ada@example.com'
const password = 'an analytical engine'
const code = '123456'
/** A dry run, so that nothing is lost by trying it. */
const wouldForget = { query: 'Where Ada lives', threshold: 0.85, dry_run: true }

const sinceLastOwner = { code: 'last_owner', until: 'there is another owner' } as const
const forAdmins = { code: 'platform_admin_required', until: 'a platform admin sends it' } as const

/** Nobody's name: nothing is lost by trying to erase it. */
const endUser = 'user-4711'
const untilStored = { code: 'subject_not_found', until: 'something is stored of them' } as const

export const examples: Readonly<Record<string, RequestExample>> = {
  storeText: { body: { text, metadata } },
  batchStoreTexts: {
    body: {
      items: [
        { text: 'Ada is allergic to peanuts.', metadata },
        { text: 'The train to Porto leaves at noon.', metadata: { role: 'user', source: 'mail' } },
      ],
    },
  },
  retrieveTexts: { body: { query, top_k: 5, filter: { role: 'user', source: ['chat', 'mail'] } } },
  explainText: { body: { query } },
  recallTexts: { body: { query, top_k: 5 } },
  readContext: { body: { query, token_budget: 1_000 } },
  predictTexts: { body: { query: 'When does the train to Porto leave?', top_k: 5 } },
  giveFeedback: { body: { pattern_id: pattern, useful: true, query } },
  readBrain: {},
  compareTexts: { body: { text_a: text, text_b: 'Ada lives in Portugal.' } },
  embedText: { body: { text } },
  createEmbeddings: { body: { input: [text, 'Ada lives in Portugal.'], model: 'memory' } },
  textStatistics: {},
  forgetTexts: { body: wouldForget },
  forgetTextsByPost: { body: wouldForget },
  listImportant: {},
  listPatterns: { query: { limit: 50 } },
  searchPatterns: { body: { filter: { user: 'ada' }, order: '-created_at', limit: 50 } },
  spaceMap: { query: { limit: 5_000 } },
  countPatterns: { body: { filter: { $created_at: { $gte: '2026-01-01' } } } },
  getPattern: { params: { pattern_id: pattern } },
  changePattern: {
    params: { pattern_id: pattern },
    body: { text: 'Ada moved to Lisbon in June.', metadata },
  },
  getPatterns: { body: { pattern_ids: [pattern] } },
  listVersions: { params: { pattern_id: pattern } },
  revertPattern: { params: { pattern_id: pattern }, body: { version: 1 } },
  redactVersion: { params: { pattern_id: pattern, version: 1 } },
  sleep: { body: { batch_size: 5 } },
  listRuns: { query: { limit: 50 } },
  listConflicts: { query: { limit: 50 } },
  resolveConflict: {
    params: { conflict_id: 'cfl_01kagw5zdpk2r4f9m0x7y3v8qe' },
    body: { resolution: 'supersede' },
    refused: { code: 'conflict_not_found', until: 'sleep has found one' },
  },
  reopenConflict: {
    params: { conflict_id: 'cfl_01kagw5zdpk2r4f9m0x7y3v8qe' },
    refused: { code: 'conflict_not_found', until: 'sleep has found one' },
  },
  explore: { body: { batch_size: 5 } },
  exploreSuggestions: {},
  consolidationCandidates: { query: { min_priority: 0.5 } },
  detectSpurious: {},
  classifyBelief: { body: { query: 'Ada relocated to Lisbon in May.' } },
  decideRouting: { body: { query } },
  evaluateEfe: { body: { query, pathways: ['exact', 'energy', 'attention'] } },
  warmPrefetch: { body: { context_keys: [embedding], depth: 1 } },
  invalidatePrefetch: {},
  warmCluster: { body: { embedding } },
  invalidateCluster: {},
  regime: {},
  regimeHistory: { query: { last_n: 50 } },
  injectAnomaly: { body: { magnitude: 3 } },
  modulationState: {},
  modulationHistory: { query: { window: 100 } },
  calibrateModulation: { body: { reason: 'manual_reset' } },
  retrieveTiered: { body: { query, top_k: 5 } },
  tierDistribution: {},
  tierStatistics: {},
  storeVector: { body: vector },
  batchStoreVectors: { body: { patterns: [vector, { key: [0.3, 0.1, -0.2], value: [0, 1] }] } },
  queryVectors: { body: { embedding, top_k: 1 } },
  batchRetrieveVectors: { body: { queries: [{ embedding, top_k: 1 }] } },
  retrieveVectors: { body: { embedding, top_k: 5 } },
  querySemantic: { body: { embedding, top_k: 5 } },
  composeVectors: { body: { keys: [embedding, [0.3, 0.1, -0.2]], weights: [2, 1] } },
  composeFractional: { body: { key_a: [1, 0], key_b: [0, 1], alpha: 0.5 } },
  changeVector: { body: { key: embedding, new_value: [1, 0.5, 0.75], metadata } },
  getVector: { params: { pattern_idx: new Given(0, { listPatterns: '/patterns/0/pattern_idx' }) } },
  deleteVectors: { body: embedding },
  accelerationStatus: {},
  runAccelerationBenchmark: { body: { operations: ['cosine', 'einsum', 'hdc_bind'], n_iterations: 100 } },
  listSubjects: { query: { limit: 50 } },
  issueSubjectToken: { body: { subject: endUser, shared: true, ttl_s: 900 } },
  getSubject: { params: { subject: endUser }, refused: untilStored },
  exportSubject: { params: { subject: endUser }, refused: untilStored },
  eraseSubject: { params: { subject: endUser }, refused: untilStored },
  listReceipts: { query: { limit: 50 } },
  verifyReceipt: { body: { receipt: 'of an answer to forget' } },
  deletePatterns: { body: { pattern_ids: [pattern], dry_run: true } },
  deletePattern: { params: { pattern_id: pattern } },
  emptySpace: { query: { confirm: 'all' } },

  register: {
    body: { email, password, full_name: 'Ada Lovelace', organization_name: 'Analytical Engines' },
  },
  verifyEmail: {
    body: { token: `verify_${mailed}` },
    refused: { code: 'invalid_token', until: 'the token is that of a mail' },
  },
  resendVerification: { body: { email } },
  login: { body: { email, password } },
  refresh: { body: { refresh_token: refreshToken } },
  forgotPassword: { body: { email } },
  resetPassword: {
    body: { token: `reset_${mailed}`, new_password: 'a difference engine' },
    refused: { code: 'invalid_token', until: 'the token is that of a mail' },
  },
  enableMfa: {},
  setUpMfa: {},
  verifyMfa: { body: { code }, refused: { code: 'invalid_mfa_code', until: 'the code is that of the app' } },
  mfaLogin: {
    body: { code, token: `mfa_${mailed}` },
    refused: { code: 'invalid_token', until: 'the token is that of a sign-in with a second factor' },
  },
  disableMfa: { body: { code }, refused: { code: 'mfa_not_enabled', until: 'there is a second factor' } },
  getProfile: {},
  changeProfile: { body: { full_name: 'Ada Lovelace' } },
  requestExport: {},
  getExport: { params: { export_id: dataExport } },
  downloadExport: { params: { export_id: dataExport } },
  listSessions: { after: ['login'] },
  revokeSession: { params: { session_id: otherSession } },
  readAuditLog: { query: { page: 1, limit: 50 } },
  listApiKeys: {},
  createApiKey: { body: { name: 'chatbot', environment: 'live', scopes: ['memory:read', 'memory:write'] } },
  changeApiKey: { params: { key_id: key }, body: { name: 'reader', scopes: ['memory:read'] } },
  revokeApiKey: { params: { key_id: key } },
  listOrganizationApiKeys: { params: { org_id: organization } },
  createOrganizationApiKey: {
    params: { org_id: organization },
    body: { name: 'chatbot', environment: 'live', scopes: ['memory:read', 'memory:write'] },
  },
  changeOrganizationApiKey: {
    params: { org_id: organization, key_id: keyOfOrganization },
    body: { name: 'reader', scopes: ['memory:read'] },
  },
  revokeOrganizationApiKey: { params: { org_id: organization, key_id: keyOfOrganization } },
  listOrganizations: {},
  getOrganization: { params: { org_id: organization } },
  changeOrganization: { params: { org_id: organization }, body: { name: 'Analytical Engines' } },
  listMembers: { params: { org_id: organization } },
  changeMember: {
    params: { org_id: organization, user_id: user },
    body: { role: 'admin' },
    refused: sinceLastOwner,
  },
  removeMember: { params: { org_id: organization, user_id: user }, refused: sinceLastOwner },
  listInvitations: { params: { org_id: organization } },
  invite: {
    params: { org_id: organization },
    body: { email: 'ben@example.com', role: 'member' },
    refused: { code: 'plan_exceeded', until: 'the plan allows a second member' },
  },
  withdrawInvitation: {
    params: { org_id: organization, invitation_id: new Given(uuid, { invite: '/id' }) },
    refused: { code: 'invitation_not_found', until: 'somebody is invited' },
  },
  acceptInvitation: {
    body: { token: `inv_${mailed}` },
    refused: { code: 'invitation_not_found', until: 'the token is that of a mail' },
  },
  summarizeUsage: {},
  readUsageHistory: { query: { period: '30d', granularity: 'daily' } },
  readLatencies: { query: { period: '24h' } },
  breakDownUsage: { query: { by: 'key', since: '2026-11-22T00:00:00Z', limit: 20 } },
  readOrganizationUsage: { params: { org_id: organization } },
  changePlan: { params: { org_id: organization }, body: { plan: 'starter' }, refused: forAdmins },
  listPlans: { refused: forAdmins },
  listAllOrganizations: { query: { search: 'Ada', limit: 20 }, refused: forAdmins },
  listAllUsers: { query: { status: 'active', limit: 20 }, refused: forAdmins },
  getAnyUser: { params: { user_id: user }, refused: forAdmins },
  suspendUser: { params: { user_id: user }, body: { reason: 'Asked for by the user' }, refused: forAdmins },
  activateUser: { params: { user_id: user }, refused: forAdmins },
  readTotalUsage: { query: { days: 7 }, refused: forAdmins },
  restoreAccount: { params: { user_id: user }, refused: forAdmins },
  listQueues: { refused: forAdmins },
  listJobs: { params: { queue: 'chores' }, query: { state: 'failed', limit: 20 }, refused: forAdmins },
  retryJob: { params: { queue: 'chores', job_id: uuid }, refused: forAdmins },
  removeJob: { params: { queue: 'chores', job_id: uuid }, refused: forAdmins },
  listBackups: { query: { limit: 20 }, refused: forAdmins },
  listAllReceipts: { query: { limit: 20 }, refused: forAdmins },
  readHealth: { refused: forAdmins },
  receiveBillingEvent: {
    body: {
      type: 'subscription.updated',
      timestamp: '2026-11-22T14:00:00Z',
      data: { organization_id: organization, plan: 'starter' },
    },
    refused: { code: 'not_found', until: 'a payment provider is set up, which signs its events' },
  },
  listNotifications: { query: { unread_only: false, page: 1, per_page: 20 } },
  streamNotifications: { query: { max_seconds: 1 } },
  readNotification: { params: { notification_id: notification } },
  readAllNotifications: {},
  deleteNotification: { params: { notification_id: notification } },
  deleteReadNotifications: {},
  createWebhook: {
    body: {
      url: 'https://hooks.example.com/memory',
      event_types: ['memory.pattern_limit_warning', 'account.key_expiring'],
      description: 'alerts',
    },
  },
  listWebhooks: {},
  getWebhook: { params: { webhook_id: webhook } },
  changeWebhook: { params: { webhook_id: webhook }, body: { description: 'alerts by chat' } },
  rotateWebhookSecret: { params: { webhook_id: webhook } },
  testWebhook: { params: { webhook_id: webhook } },
  listWebhookDeliveries: { params: { webhook_id: webhook }, query: { limit: 50 } },
  getWebhookDelivery: { params: { webhook_id: webhook, delivery_id: delivery } },
  redeliverWebhook: { params: { webhook_id: webhook, delivery_id: delivery } },
  deleteWebhook: { params: { webhook_id: webhook } },
  listSigningKeys: {},
  liveness: {},
  readiness: {},

  logout: {},
  logoutAll: { after: ['login'] },
  changePassword: {
    body: { current_password: password, new_password: 'a difference engine' },
    after: ['login'],
  },
  deleteAccount: {},
}

/** A value with what stands for parts of earlier answers in their place. */
export function resolve(value: Value, stand: (given: Given) => unknown): unknown {
  if (value instanceof Given) return stand(value)
  if (Array.isArray(value)) return value.map((each) => resolve(each, stand))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, stand)]))
}
