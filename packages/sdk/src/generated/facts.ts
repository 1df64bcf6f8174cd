// Written by packages/sdk/scripts/generate.ts from the service's operations.

export const version = "0.5.0"

/** Characters that a text to store, and a query, may have. */
export const textCharsMax = 10000
export const queryCharsMax = 5000

/** Characters that an Idempotency-Key may have. */
export const idempotencyKeyMax = 255

/** Items that a page of a list, and of the versions of a pattern, may have. */
export const listMax = 200
export const versionsMax = 50

/** Fields that items of a batch of texts, and of vectors, may have. */
export const storeFields = {
  text: [
  "text",
  "metadata",
  "expires_at",
  "occurred_at",
  "external_id",
  "subject",
  "protected",
  "valid_from",
  "valid_to",
  "supersedes"
],
  vector: [
  "key",
  "value",
  "metadata",
  "source_dim",
  "expires_at",
  "occurred_at",
  "external_id",
  "subject",
  "protected",
  "valid_from",
  "valid_to",
  "supersedes"
],
} as const

/** Categories of which a memory is protected unless somebody says otherwise. */
export const protectedCategories: ReadonlySet<string> = new Set([
  "identity",
  "health",
  "religion",
  "politics",
  "sexuality",
  "ethnicity",
  "biometric"
])

/** Posts that change nothing. */
export const readingPosts: ReadonlySet<string> = new Set([
  "POST /v1/memory/text/retrieve",
  "POST /v1/memory/text/explain",
  "POST /v1/memory/text/recall",
  "POST /v1/memory/context",
  "POST /v1/memory/text/predict",
  "POST /v1/memory/text/similarity",
  "POST /v1/memory/text/embed",
  "POST /v1/embeddings",
  "POST /v1/memory/patterns/search",
  "POST /v1/memory/patterns/count",
  "POST /v1/memory/patterns/get",
  "POST /v1/memory/belief/classify",
  "POST /v1/memory/routing/decide",
  "POST /v1/memory/efe/evaluate",
  "POST /v1/memory/receipts/verify",
  "POST /v1/memory/subject-tokens",
  "POST /v1/memory/tiered/retrieve",
  "POST /v1/memory/query",
  "POST /v1/memory/batch/retrieve",
  "POST /v1/memory/retrieve",
  "POST /v1/memory/query/semantic",
  "POST /v1/memory/compose",
  "POST /v1/memory/compose/fractional"
])

/** What an Idempotency-Key makes repeatable. */
export const keyedRoutes: ReadonlySet<string> = new Set([
  "POST /v1/memory/text/store",
  "POST /v1/memory/text/batch-store",
  "DELETE /v1/memory/text/forget",
  "POST /v1/memory/text/forget",
  "DELETE /v1/memory/subjects/{subject}",
  "POST /v1/memory/store",
  "POST /v1/memory/batch/store"
])

/** What answers a list, and no object. */
export const listRoutes: ReadonlySet<string> = new Set([
  "GET /v1/security/sessions",
  "GET /v1/api-keys",
  "GET /v1/organizations/{org_id}/api-keys"
])

/** Where an operation takes whose memory is meant: in its path, query or body, or in each item of a list of its body. */
export const subjectPlaces: Readonly<Record<string, string>> = {
  "POST /v1/memory/text/store": "body",
  "POST /v1/memory/text/batch-store": "items",
  "POST /v1/memory/text/retrieve": "body",
  "POST /v1/memory/text/explain": "body",
  "POST /v1/memory/text/recall": "body",
  "POST /v1/memory/context": "body",
  "POST /v1/memory/text/predict": "body",
  "DELETE /v1/memory/text/forget": "body",
  "POST /v1/memory/text/forget": "body",
  "GET /v1/memory/patterns": "query",
  "POST /v1/memory/patterns/search": "body",
  "GET /v1/memory/map": "query",
  "POST /v1/memory/patterns/count": "body",
  "POST /v1/memory/patterns/delete": "body",
  "GET /v1/memory/conflicts": "query",
  "GET /v1/memory/subjects/{subject}": "path",
  "GET /v1/memory/subjects/{subject}/export": "path",
  "DELETE /v1/memory/subjects/{subject}": "path",
  "POST /v1/memory/subject-tokens": "body",
  "POST /v1/memory/tiered/retrieve": "body",
  "POST /v1/memory/store": "body",
  "POST /v1/memory/batch/store": "patterns",
  "POST /v1/memory/query": "body",
  "POST /v1/memory/batch/retrieve": "queries",
  "POST /v1/memory/retrieve": "body",
  "POST /v1/memory/query/semantic": "body"
}

/** Operations that work on nothing that is stored. */
export const storelessRoutes: ReadonlySet<string> = new Set([
  "POST /v1/memory/text/similarity",
  "POST /v1/memory/text/embed",
  "POST /v1/embeddings",
  "POST /v1/memory/compose"
])

/** Events that an organization is told of, and its webhooks with it. */
export const notifiedEvents = [
  "memory.regime_changed",
  "memory.consolidation_completed",
  "memory.pattern_limit_warning",
  "memory.pattern_limit_reached",
  "billing.payment_failed",
  "account.key_expiring",
  "organization.member_joined",
  "account.export_ready"
] as const

/** What the audit log records. */
export const auditActions = [
  "register",
  "login",
  "login_failed",
  "logout",
  "logout_all",
  "token_refresh_reuse",
  "password_changed",
  "password_reset_requested",
  "password_reset",
  "email_verified",
  "mfa_enabled",
  "mfa_disabled",
  "mfa_recovery_used",
  "key_created",
  "key_updated",
  "key_revoked",
  "session_revoked",
  "client_authorized",
  "member_invited",
  "invitation_withdrawn",
  "member_joined",
  "member_removed",
  "role_changed",
  "organization_updated",
  "plan_changed",
  "webhook_created",
  "webhook_updated",
  "webhook_deleted",
  "webhook_disabled",
  "secret_rotated",
  "export_requested",
  "account_deleted",
  "account_restored",
  "account_suspended",
  "account_activated",
  "job_retried",
  "job_removed",
  "memory_forgotten",
  "anomaly_injected"
] as const

/** What errors say, by what they are called: the answer has the text alone. */
export const errorDetails = {
  "malformed_request": "Malformed HTTP request",
  "repeated_header": "Authorization, Content-Type, Host, Idempotency-Key, Last-Event-ID, X-API-Key, X-Memory-Actor, X-Memory-Environment and X-Organization-Id may be sent once",
  "expectation_failed": "Expectation Failed",
  "malformed_content_type": "Content-Type must be application/json",
  "malformed_json": "Invalid JSON body",
  "not_authenticated": "Not authenticated",
  "invalid_api_key": "Invalid API key",
  "token_expired": "Token expired",
  "token_revoked": "Token revoked",
  "invalid_token": "Invalid token",
  "invalid_login": "Invalid email or password",
  "invalid_signature": "Invalid signature",
  "invalid_mfa_code": "Invalid MFA code",
  "user_token_required": "This endpoint requires a user access token",
  "organization_admin_required": "Organization admin required",
  "organization_owner_required": "Organization owner required",
  "platform_admin_required": "Platform admin required",
  "wrong_password": "Current password is incorrect",
  "account_deleted": "Account scheduled for deletion; contact support",
  "account_suspended": "Account suspended",
  "invitation_of_another": "The invitation is for another email address",
  "plan_exceeded": "The plan allows no more",
  "subject_bound": "This endpoint is not open to keys and tokens that are bound to a subject",
  "other_subject": "The key or token is bound to another subject",
  "foreign_origin": "Host or Origin is none of this service",
  "insufficient_scope": "Insufficient scope",
  "foreign_page": "The request comes from no page of this service",
  "not_found": "Not Found",
  "pattern_not_found": "Pattern not found",
  "subject_not_found": "Subject not found",
  "version_not_found": "Version not found",
  "conflict_not_found": "Conflict not found",
  "organization_not_found": "Organization not found",
  "user_not_found": "User not found",
  "member_not_found": "Member not found",
  "invitation_not_found": "Invitation not found",
  "api_key_not_found": "API key not found",
  "session_not_found": "Session not found",
  "export_not_found": "Export not found",
  "notification_not_found": "Notification not found",
  "webhook_not_found": "Webhook not found",
  "delivery_not_found": "Delivery not found",
  "job_not_found": "Job not found",
  "method_not_allowed": "Method Not Allowed",
  "request_too_slow": "Request not received in time",
  "idempotent_twin_running": "A request with this Idempotency-Key is still running",
  "benchmark_running": "Benchmark already running",
  "consolidation_running": "Consolidation already running",
  "text_pattern": "Text patterns are updated through PATCH /v1/memory/patterns/{pattern_id}",
  "key_of_several_texts": "Several different texts have this key: delete them by their pattern_id",
  "external_id_exists": "external_id exists",
  "pattern_of_other_kind": "The external_id is that of a pattern of the other kind: texts replace texts, vectors vectors",
  "current_version": "The current version is not redacted: change or delete the pattern",
  "conflict_resolved": "Another resolution of the conflict is there already",
  "already_superseded": "The pattern is superseded by another one",
  "email_taken": "Email already registered",
  "refresh_in_progress": "Refresh already in progress",
  "mfa_enabled": "MFA is already enabled",
  "mfa_not_enabled": "MFA is not enabled",
  "mfa_not_enrolling": "MFA enrolment has not been started",
  "last_owner": "The last owner can neither leave nor be demoted",
  "already_member": "Already a member of this organization",
  "account_is_deleted": "The account is deleted: restore it first",
  "own_account": "Another platform admin has to do that with your own account",
  "account_not_deleted": "The account is not scheduled for deletion",
  "job_not_failed": "The job has not failed",
  "export_running": "An export is already being prepared",
  "export_not_ready": "The export is not ready yet",
  "webhooks_full": "An organization has at most 20 webhooks",
  "webhook_disabled": "The webhook is disabled",
  "version_mismatch": "The pattern has another version",
  "body_too_large": "Request body too large",
  "headers_too_large": "Request headers too large",
  "too_many_requests": "Too many requests at once",
  "streams_full": "Too many streams are open",
  "too_many_attempts": "Too many attempts",
  "query_limit_reached": "Daily query limit reached",
  "pattern_limit_reached": "Pattern storage limit reached",
  "abandoned": "Client closed the request",
  "internal": "Internal server error",
  "unavailable": "Service unavailable",
  "queue_redis_away": "The job queue does not answer: see whether the Redis that REDIS_URL names runs and can be reached",
  "queue_database_away": "The job queue does not answer; it is in the database, of which /readyz tells",
  "subject_full": "Pattern storage limit of the subject reached"
} as const

/** Values that operations take and answer with, in the order in which they are told. */
export const userStatuses = [
  "active",
  "suspended",
  "deleted"
] as const
export const queueNames = [
  "spaces",
  "tiers",
  "chores"
] as const
export const jobStates = [
  "waiting",
  "active",
  "delayed",
  "completed",
  "failed"
] as const
export const deliveryStatuses = [
  "pending",
  "delivered",
  "failed"
] as const
export const conflictKinds = [
  "near_duplicate",
  "possible_contradiction",
  "superseded_candidate"
] as const
export const conflictStatuses = [
  "open",
  "kept",
  "superseded",
  "dismissed"
] as const
export const runKinds = [
  "sleep",
  "exploration"
] as const
export const usageDivisions = [
  "operation",
  "key",
  "subject"
] as const
export const usagePeriods = [
  "7d",
  "30d",
  "90d",
  "365d"
] as const
export const latencyPeriods = [
  "1h",
  "6h",
  "24h",
  "7d"
] as const

/** What benchmarks of the native kernels time. */
export const benchmarkedKernels = [
  "cosine",
  "einsum",
  "hdc_bind",
  "top_k",
  "hopfield",
  "quantized_top_k",
  "slerp"
] as const

/** What one request of a batch may hold. */
export const batchLimits: Readonly<Record<string, { items: number; bytes: number }>> = {
  "POST /v1/memory/text/batch-store": {
    "items": 50,
    "bytes": 8388608
  },
  "POST /v1/memory/batch/store": {
    "items": 5000,
    "bytes": 67108864
  },
  "POST /v1/memory/batch/retrieve": {
    "items": 1000,
    "bytes": 67108864
  },
  "POST /v1/memory/text/embed": {
    "items": 256,
    "bytes": 8388608
  },
  "POST /v1/embeddings": {
    "items": 256,
    "bytes": 8388608
  }
}
