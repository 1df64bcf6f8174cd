import type { ColumnType, Generated } from 'kysely'
import type { PlanName } from '../../catalogue/plans.ts'

type Time = ColumnType<Date, Date | string | undefined, Date | string>
type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
type Json<T = unknown> = ColumnType<T, string, string>

export type Environment = 'live' | 'test'

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
    created_at: Time
  }
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
  }
  patterns: {
    space_id: string
    idx: number
    id: string
    text: string | null
    metadata: Json<Record<string, unknown> | null>
    key: string
    value: string | null
    source_dim: number | null
    key_hash: Generated<Uint8Array>
    text_hash: Uint8Array | null
    model: string | null
    category: string | null
    protected: Generated<boolean>
    strength: Generated<number>
    tier: Generated<'hot' | 'warm' | 'cold'>
    version: number
    expires_at: NullableTime
    occurred_at: Time
    created_at: Time
    bytes: Generated<number>
  }
  pattern_accesses: {
    space_id: string
    idx: number
    access_count: number
    last_accessed: Time
    access_score: number
    scored_at: Time
  }
  tier_counters: {
    space_id: string
    hot_hits: Generated<number>
    warm_hits: Generated<number>
    cold_hits: Generated<number>
    promotions: Generated<number>
    demotions: Generated<number>
  }
  pattern_tombstones: { space_id: string; version: number; idx: number; deleted_at: Time }
  outbox: {
    organization_id: string
    id: Generated<number>
    type: string
    payload: Json
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
    created_at: Time
  }
}
