/** An operation as the specification has it. */
export interface Contracted {
  method: string
  path: string
  status: number
  /** Fields of the body, or of the query, as paths: `items.text`. */
  takes: string[]
  /** Fields of the answer, as paths; `*` stands for the keys of a map. */
  answers: string[]
}

const user =
  'id email full_name email_verified mfa_enabled status created_at last_login_at avatar_url is_platform_admin'
const key = 'id name key_prefix environment scopes last_used_at expires_at created_at'
const newKey = 'id name key key_prefix environment scopes created_at message'
const tokens = 'access_token refresh_token token_type expires_in'
const found = 'results(text metadata similarity pattern_id) latency_ms'
const efe = '(efe epistemic_value pragmatic_value)'
const page = 'pagination(page per_page total total_pages)'

/** Every operation of the specification: what it takes, and what it answers. A 200 unless a status is said. */
const contract = `
POST /v1/auth/register 201 | email password full_name name organization_name | user_id email access_token refresh_token message
POST /v1/auth/verify-email | token | message
POST /v1/auth/resend-verification | email | message
POST /v1/auth/login | email password mfa_code recovery_code | ${tokens} mfa_required
POST /v1/auth/refresh | refresh_token | ${tokens} mfa_required
POST /v1/auth/logout | | message
POST /v1/auth/logout-all | | message
POST /v1/auth/forgot-password | email | message
POST /v1/auth/reset-password | token new_password | message
POST /v1/auth/mfa/enable | | message
POST /v1/auth/mfa/setup | | secret otpauth_uri message
POST /v1/auth/mfa/verify | code | message recovery_codes
POST /v1/auth/mfa/login | code token | ${tokens}
POST /v1/auth/mfa/disable | code | message
GET /.well-known/jwks.json | | keys(kty kid use alg n e)
GET /v1/users/me | | ${user}
PATCH /v1/users/me | full_name | ${user}
DELETE /v1/users/me | | message
PUT /v1/users/me/password | current_password new_password | message
GET /v1/api-keys | | ${key}
POST /v1/api-keys | name environment scopes expires_at | ${newKey}
PATCH /v1/api-keys/{key_id} | name scopes expires_at | ${key}
DELETE /v1/api-keys/{key_id} | | message
GET /v1/organizations/{org_id}/api-keys | | ${key}
POST /v1/organizations/{org_id}/api-keys | name environment scopes expires_at | ${newKey}
PATCH /v1/organizations/{org_id}/api-keys/{key_id} | name scopes expires_at | ${key}
DELETE /v1/organizations/{org_id}/api-keys/{key_id} | | message
POST /v1/memory/text/store | text metadata | success pattern_id embedding_dim patterns_used patterns_limit
POST /v1/memory/text/batch-store | items(text metadata) | stored failed pattern_ids latency_ms
POST /v1/memory/text/retrieve | query top_k | ${found}
POST /v1/memory/text/recall | query top_k | ${found} info
POST /v1/memory/text/similarity | text_a text_b | similarity embedding_dim
POST /v1/memory/text/predict | query top_k | predictions(text pattern_id strength)
POST /v1/memory/text/explain | query lang | explanation method confidence
DELETE /v1/memory/text/forget | query category threshold | forgotten pattern_ids
GET /v1/memory/text/stats | | total_patterns embedding_dim storage_bytes
GET /v1/memory/text/important | | important(pattern_id text category protected)
POST /v1/memory/text/embed | text | embedding dim
POST /v1/memory/store | key value metadata source_dim | success pattern_id patterns_used patterns_limit
POST /v1/memory/query | embedding top_k return_native_dim | results(value confidence pathway) latency_ms
POST /v1/memory/retrieve | embedding top_k | results(confidence metadata was_reranked semantic_score) info(boosted n_candidates original_top_score boosted_top_score) latency_ms
POST /v1/memory/compose | keys texts weights | result confidence
POST /v1/memory/compose/fractional | key_a key_b text_a text_b pattern_a_id pattern_b_id alpha | result confidence info(geodesic_distance blend_type alpha_used)
PUT /v1/memory/pattern | key new_value metadata | message
DELETE /v1/memory/pattern | | message
GET /v1/memory/pattern/{pattern_idx} | | key value metadata
POST /v1/memory/query/semantic | embedding top_k | ?
POST /v1/memory/batch/store | patterns(key value metadata) | stored failed
POST /v1/memory/batch/retrieve | queries(embedding top_k) | results(value confidence pathway)
POST /v1/memory/sleep | batch_size | consolidated compositions_discovered patterns_strengthened patterns_weakened
GET /v1/memory/brain | | regime surprise head_weights temporal_predictions patterns_total consolidation_status
POST /v1/memory/explore | batch_size | explorations(information_gain composition_valid coherence consolidation_priority) total_explored
GET /v1/memory/explore/suggestions | | suggestions(pair_id expected_information_gain uncertainty)
GET /v1/memory/explore/consolidation-candidates | min_priority | candidates(pair_id priority times_validated)
POST /v1/memory/explore/detect-spurious | | spurious_pairs total_checked spurious_rate
POST /v1/memory/belief/classify | query | classification probabilities(exact_match composition novel) best_match_id confidence
POST /v1/memory/routing/decide | query context | pathway scores(exact energy attention) geometric_surprise confidence
POST /v1/memory/efe/evaluate | query pathways | evaluations(exact${efe} energy${efe} attention${efe}) recommended
GET /v1/memory/regime | | regime anomaly_active policy_overrides(force_exact bypass_consolidation learning_rate_multiplier) modulation_signal
GET /v1/memory/regime/history | last_n | history distribution transitions
POST /v1/memory/regime/inject-anomaly | magnitude | anomaly_triggered previous_regime new_regime burst_duration
GET /v1/memory/neuromodulation/state | | signal gate regime calibration(ema_mean ema_std last_calibrated)
GET /v1/memory/neuromodulation/history | window | signals gates timestamps
POST /v1/memory/neuromodulation/calibrate | reason | recalibrated previous_mean previous_std new_mean new_std reason
POST /v1/memory/tiered/retrieve | query top_k tier | results(text tier confidence last_accessed)
GET /v1/memory/tiered/distribution | | hot warm cold total
GET /v1/memory/tiered/stats | | hot_hit_rate warm_hit_rate cold_hit_rate promotions demotions total_accesses
POST /v1/memory/prefetch/warmup | context_keys depth | warmed_up patterns_prefetched cache_size
DELETE /v1/memory/prefetch/invalidate | | cleared previous_cache_size
POST /v1/memory/diagnostics/prefetch/warmup | embedding | patterns_prefetched cluster_size
POST /v1/memory/diagnostics/prefetch/invalidate | | ?
GET /v1/memory/acceleration/status | | rust_available operations_accelerated speedup_factors fallback_to_python
POST /v1/memory/acceleration/benchmark | operations n_iterations | results(*(rust_ms python_ms speedup)) n_iterations total_duration_ms
GET /v1/usage/summary | | period(start end) patterns(used limit percentage) api_calls(total stores retrieves recalls explains consolidations other) storage_mb rate_limit(current peak_usage)
GET /v1/usage/history | period granularity | period granularity data_points(date api_calls stores retrieves patterns_total storage_mb)
GET /v1/usage/latency | period operation | period operation percentiles(p50 p75 p90 p95 p99) by_operation total_requests
GET /v1/usage/organization/{org_id} | | org_id period totals(api_calls patterns storage_mb) by_key(key_id name api_calls percentage)
GET /v1/security/audit-log | page limit | entries(action actor_email ip user_agent details success timestamp) page limit has_more
GET /v1/security/sessions | | id device ip_address location last_active created_at is_current
DELETE /v1/security/sessions/{session_id} | | message
GET /v1/notifications | unread_only page per_page | data(id type title message read created_at action_url) unread_count ${page}
PATCH /v1/notifications/{notification_id}/read | | id read read_at
POST /v1/notifications/read-all | | marked_read read_at
DELETE /v1/notifications/{notification_id} | | deleted id
DELETE /v1/notifications/read | | deleted preserved_unread
`

/** The specification's operations, in its order. */
export const contracted: Contracted[] = contract
  .trim()
  .split('\n')
  .map((line) => {
    const [head = '', takes = '', answers = ''] = line.split('|')
    const [method = '', path = '', status = '200'] = head.trim().split(' ')
    return { method, path, status: Number(status), takes: pathsOf(takes), answers: pathsOf(answers) }
  })

/** `a b(c d)` as the paths `a`, `b`, `b.c`, `b.d`. */
function pathsOf(fields: string): string[] {
  const paths: string[] = []
  const parents: string[] = []
  for (const [token] of fields.matchAll(/[^\s()]+|[()]/g)) {
    if (token === '(') parents.push(paths.at(-1) as string)
    else if (token === ')') parents.pop()
    else paths.push(parents.length === 0 ? token : `${parents.at(-1)}.${token}`)
  }
  return paths
}
