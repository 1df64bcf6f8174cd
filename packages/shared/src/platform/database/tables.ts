import type { ColumnType, Generated } from 'kysely'
import type { UsageClass } from '../../catalogue/operation.ts'
import type { PlanName } from '../../catalogue/plans.ts'
import type { Role } from '../../catalogue/roles.ts'
import type { Scope } from '../../catalogue/scopes.ts'

type Time = ColumnType<Date, Date | string | undefined, Date | string>
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type Json<T = unknown> = ColumnType<T, string, string>

export type Environment = 'live' | 'test'

/** How a revision of a pattern came about. */
export type Change = 'created' | 'updated' | 'superseded' | 'reverted' | 'merged'

/** The public members of an RSA key (RFC 7517). */
export interface PublicJwk {
  kty: 'RSA'
  kid: string
  use: 'sig'
  alg: 'RS256'
  n: string
  e: string
}

/** The program that a session is of, and what its user lets it do. */
export interface ClientOfSession {
  id: string
  name: string
  organization_id: string
  environment: Environment
  scopes: Scope[]
  redirect_uri: string
  code_challenge: string
}

/** The tables of the schema `app`, as `migrations/` makes them. */
export interface Tables {
  plans: {
    name: PlanName
    patterns: number
    queries_per_day: number
    api_keys: number
    members: number
  }
  organizations: {
    id: Generated<string>
    name: string
    plan: PlanName
    created_at: Time
    deleted_at: NullableTime
    billed_at: NullableTime
    subject_patterns: number | null
    subject_queries_per_day: number | null
  }
  spaces: {
    id: Generated<string>
    organization_id: string
    environment: Environment
    version: Generated<number>
    history_floor: Generated<number>
    next_idx: Generated<number>
    patterns_used: Generated<number>
    text_patterns: Generated<number>
    storage_bytes: Generated<number>
    next_entry: NullableTime
    engine_version: Generated<number>
    created_at: Time
    text_model: Generated<string | null>
    embedder: string | null
    embedder_until: NullableTime
  }
  encoder: { one: Generated<boolean>; model: string }
  query_counts: { space_id: string; day: ColumnType<Date, string, string>; used: number }
  api_keys: {
    organization_id: string
    id: Generated<string>
    name: string
    environment: Environment
    key_prefix: string
    last_four: string
    key_hash: Uint8Array
    scopes: string[] | null
    created_at: Time
    last_used_at: NullableTime
    expires_at: NullableTime
    revoked_at: NullableTime
    subject: string | null
    subject_shared: Generated<boolean>
    expiry_told_at: NullableTime
    created_by: string | null
  }
  notifications: {
    organization_id: string
    id: Generated<string>
    n: Generated<number>
    type: string
    environment: Environment | null
    data: Json
    created_at: Time
    read_at: NullableTime
  }
  webhooks: {
    organization_id: string
    id: Generated<string>
    url: string
    event_types: string[] | null
    description: string | null
    status: Generated<'active' | 'disabled'>
    created_at: Time
  }
  webhook_secrets: {
    organization_id: string
    webhook_id: string
    id: Generated<string>
    secret: Uint8Array
    created_at: Time
    expires_at: NullableTime
  }
  webhook_deliveries: {
    organization_id: string
    webhook_id: string
    id: Generated<string>
    n: Generated<number>
    event_id: string
    event_type: string
    body: string
    status: Generated<'pending' | 'delivered' | 'failed'>
    attempts: Generated<number>
    response_status: number | null
    response_body: string | null
    duration_ms: number | null
    next_attempt_at: NullableTime
    created_at: Time
  }
  webhook_attempts: {
    organization_id: string
    webhook_id: string
    delivery_id: string
    n: Generated<number>
    attempted_at: Time
    duration_ms: number
    response_status: number | null
    response_body: string | null
    failure: string | null
  }
  users: {
    id: Generated<string>
    email: string
    full_name: string | null
    avatar_url: string | null
    password_hash: string
    email_verified_at: NullableTime
    status: Generated<'active' | 'suspended' | 'deleted'>
    is_platform_admin: Generated<boolean>
    registered_locally: Generated<boolean>
    created_at: Time
    last_login_at: Time
    deleted_at: NullableTime
  }
  memberships: { organization_id: string; user_id: string; role: Role; joined_at: Time }
  invitations: {
    organization_id: string
    id: Generated<string>
    email: string
    role: Role
    token_hash: Uint8Array
    invited_by: string
    created_at: Time
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
  master_keys: { version: string; proof: Uint8Array; created_at: Time }
  signing_keys: {
    kid: string
    public_key: Json<PublicJwk>
    private_key: Uint8Array
    created_at: Time
    signs_from: Time
    signs_until: NullableTime
    retired_at: NullableTime
  }
  receipt_keys: {
    kid: string
    public_key: Json<PublicJwk>
    private_key: Uint8Array | null
    created_at: Time
  }
  receipts: {
    id: string
    n: Generated<number>
    organization_id: string
    space_id: string | null
    receipt: string
    created_at: Time
  }
  subject_queries: {
    space_id: string
    subject: string
    day: ColumnType<Date, string, string>
    of_day: number
    of_month: number
  }
  erasures_under_way: { organization_id: string; begun_at: Time; counts: Json<Record<string, number>> }
  sessions: {
    user_id: string
    id: Generated<string>
    ip_address: string | null
    user_agent: string | null
    created_at: Time
    last_active_at: Time
    expires_at: ColumnType<Date, Date | string, Date | string>
    revoked_at: NullableTime
    client: ColumnType<ClientOfSession | null, string | null, string | null>
    code_hash: Uint8Array | null
    code_used_at: NullableTime
  }
  refresh_tokens: {
    user_id: string
    token_hash: Uint8Array
    session_id: string
    created_at: Time
    expires_at: ColumnType<Date, Date | string, Date | string>
    spent_at: NullableTime
    settled_at: NullableTime
  }
  email_tokens: {
    user_id: string
    purpose: 'verify-email' | 'reset-password'
    token_hash: Uint8Array
    created_at: Time
    expires_at: ColumnType<Date, Date | string, Date | string>
  }
  mfa_factors: {
    user_id: string
    secret: Uint8Array
    created_at: Time
    confirmed_at: NullableTime
    login_step: Generated<number>
  }
  mfa_recovery_codes: { user_id: string; code_hash: Uint8Array; used_at: NullableTime }
  mfa_challenges: {
    user_id: string
    id: Generated<string>
    token_hash: Uint8Array
    created_at: Time
    expires_at: ColumnType<Date, Date | string, Date | string>
    failures: Generated<number>
    used_at: NullableTime
  }
  audit_log: {
    id: Generated<number>
    at: Time
    action: string
    success: boolean
    organization_id: string | null
    user_id: string | null
    actor: 'user' | 'key' | 'system'
    actor_id: string | null
    actor_email: string | null
    session_id: string | null
    ip: string | null
    user_agent: string | null
    request_id: string | null
    target: string | null
    details: ColumnType<Record<string, unknown> | null, string | null, string | null>
  }
  mails: {
    id: Generated<string>
    user_id: string | null
    organization_id: string | null
    recipient: string
    template: string
    parameters: Uint8Array
    created_at: Time
    refusals: Generated<number>
  }
  attempts: { bucket: Uint8Array; count: number; ends_at: Time }
  exports: {
    user_id: string
    id: Generated<string>
    status: Generated<'pending' | 'ready' | 'failed'>
    bytes: Generated<number>
    build: Generated<number>
    begun_at: NullableTime
    begun_build: number | null
    active_at: NullableTime
    failures: Generated<number>
    created_at: Time
    ready_at: NullableTime
    expires_at: NullableTime
  }
  export_parts: { user_id: string; export_id: string; part: number; data: Uint8Array }
  billing_events: { webhook_id: string; received_at: Time }
  patterns: {
    space_id: string
    idx: number
    id: string
    text: string | null
    metadata: Json<Record<string, unknown> | null>
    key: string
    value: string | null
    source_dim: number | null
    key_hash: Uint8Array
    text_hash: Uint8Array | null
    model: string | null
    category: string | null
    protected: Generated<boolean>
    asked_protected: boolean | null
    tier: Generated<'hot' | 'warm' | 'cold'>
    version: number
    expires_at: NullableTime
    occurred_at: Time
    created_at: Time
    bytes: Generated<number>
    external_id: string | null
    subject: string | null
    revision: Generated<number>
    updated_at: NullableTime
    changed_by: string | null
    change: Change | null
    valid_from: NullableTime
    valid_to: NullableTime
    supersedes: string | null
    superseded_by: string | null
    enters_at: NullableTime
    use_step: number | null
  }
  pattern_versions: {
    space_id: string
    idx: number
    revision: number
    text: string | null
    metadata: Json<Record<string, unknown> | null>
    category: string | null
    key: string | null
    value: string | null
    source_dim: number | null
    model: string | null
    subject: string | null
    external_id: string | null
    occurred_at: NullableTime
    expires_at: NullableTime
    valid_from: NullableTime
    valid_to: NullableTime
    superseded_by: string | null
    changed_at: Time
    changed_by: string | null
    change: Change
    replaced_at: Time
    redacted_at: NullableTime
  }
  passages: {
    space_id: string
    idx: number
    n: number
    first_character: number
    end_character: number
    key: string
  }
  pattern_accesses: {
    space_id: string
    idx: number
    access_count: number
    last_accessed: NullableTime
    access_score: number
    scored_at: Time
    strength: Generated<number>
    weakened_at: NullableTime
    engine_version: Generated<number>
  }
  uncounted_accesses: { space_id: string; id: Generated<number>; at: Time; idx: number[]; counts: number[] }
  space_states: { space_id: string; state: Json }
  signal_history: { space_id: string; n: number; records: Json }
  store_times: { space_id: string; first_idx: number; stored_at: Time }
  associations: {
    space_id: string
    a: number
    b: number
    weight: number
    at: Time
    engine_version: number
  }
  transitions: {
    space_id: string
    source: number
    target: number
    count: number
    at: Time
    engine_version: number
  }
  actor_traces: { space_id: string; actor: Uint8Array; trace: Json; patterns: number[]; at: Time }
  consolidations: {
    space_id: string
    holder: string | null
    held_until: NullableTime
    next_idx: Generated<number>
    explored: Generated<number>
    compared_version: Generated<number>
    compared_idx: Generated<number>
  }
  space_runs: {
    space_id: string
    id: string
    kind: 'sleep' | 'exploration'
    cause: 'asked' | 'scheduled'
    began_at: Time
    ended_at: NullableTime
    counts: Json
    error: string | null
  }
  space_schedules: {
    space_id: string
    task: 'sleep' | 'explore' | 'migrate_tiers'
    active_at: Time
    waiting_since: NullableTime
    done_at: NullableTime
    begun_at: NullableTime
    next_idx: Generated<number>
    consolidated: Generated<number>
    due_at: NullableTime
  }
  pair_trials: {
    space_id: string
    a: number
    b: number
    valid: number
    invalid: number
    coherence: number
    priority: number
    tried_at: Time
    consolidated_at: NullableTime
  }
  compositions: { space_id: string; a: number; b: number; key: string; strength: number; created_at: Time }
  conflicts: {
    space_id: string
    a: number
    b: number
    id: string
    kind: 'near_duplicate' | 'possible_contradiction' | 'superseded_candidate'
    reason: string | null
    similarity: number
    status: Generated<'open' | 'kept' | 'superseded' | 'dismissed'>
    found_at: Time
    resolved_at: NullableTime
    resolved_by: string | null
    winner: number | null
  }
  tier_counters: {
    space_id: string
    hot_hits: Generated<number>
    warm_hits: Generated<number>
    cold_hits: Generated<number>
    promotions: Generated<number>
    demotions: Generated<number>
  }
  usage_calls: {
    space_id: string
    at: Time
    caller: string
    stores: number
    retrieves: number
    recalls: number
    explains: number
    consolidations: number
    other: number
    queries: number
  }
  usage_latencies: {
    space_id: string
    at: Time
    operation: UsageClass
    bins: number[]
    counts: number[]
  }
  usage_snapshots: { space_id: string; at: Time; patterns: number; storage_bytes: number }
  pattern_tombstones: { space_id: string; version: number; idx: number; deleted_at: Time }
  outbox: {
    organization_id: string | null
    id: Generated<number>
    type: string
    payload: Json
    event_id: Generated<string>
    attempts: Generated<number>
    available_at: Time
    created_at: Time
  }
  idempotency_keys: {
    space_id: string
    route: string
    key: string
    body_hash: Uint8Array
    status: number | null
    response: string | null
    claimed_until: Time
    claim: string | null
    created_at: Time
  }
}
