# Written by packages/python/scripts/generate.ts from the service's own description.
"""The shapes of what the service is given and answers, by their names in its OpenAPI document."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from ._given import Nobody, Numbers

__all__ = [
    "AccelerationStatus",
    "AcceptInvitationResponse",
    "AdministeredOrganization",
    "AdministeredOrganizations",
    "AdministeredReceipt",
    "AdministeredReceipts",
    "AdministeredUser",
    "AdministeredUserDetails",
    "AdministeredUsers",
    "ApiKey",
    "AuditEntry",
    "AuditLog",
    "BackupFound",
    "BackupsFound",
    "BatchRetrieveVectorsQuery",
    "BatchRetrieveVectorsResponse",
    "BatchStoreTextsItem",
    "BatchStoreTextsResponse",
    "BatchStoreVectorsPattern",
    "BatchStoreVectorsResponse",
    "BeliefProbabilities",
    "BillingData",
    "BillingPlanData",
    "CalibrateModulationResponse",
    "Calibration",
    "ChangeOrganizationSubjectLimits",
    "ChangePlanLimits",
    "ChangePlanResponse",
    "ChangePlanSubjectLimits",
    "ClassifyBeliefResponse",
    "CompareTextsResponse",
    "ComposeFractionalInfo",
    "ComposeFractionalResponse",
    "ComposeVectorsResponse",
    "Conflict",
    "ConflictList",
    "ConflictingText",
    "ConsolidationCandidate",
    "ConsolidationCandidatesResponse",
    "ContextItem",
    "ContextLines",
    "ContextMessage",
    "CountPatternsResponse",
    "CreateEmbeddingsResponse",
    "CreatedApiKey",
    "DecideRoutingResponse",
    "DeletePatternsResponse",
    "DetectSpuriousResponse",
    "EfeEvaluations",
    "EmbedTextResponse",
    "Embedding",
    "EmbeddingsUsage",
    "EmptiedSpace",
    "ErasedSubject",
    "EvaluateEfeResponse",
    "ExplainTextResponse",
    "Exploration",
    "ExplorationCounts",
    "ExploreResponse",
    "ExploreSuggestion",
    "ExploreSuggestionsResponse",
    "Export",
    "ForgetTextsResponse",
    "GetPatternsResponse",
    "Health",
    "HealthCaches",
    "HealthCachesEmbeddings",
    "HealthCachesIndex",
    "HealthCachesLexical",
    "HealthCachesPayloads",
    "HealthDatabase",
    "HealthDisk",
    "HealthEncoder",
    "HealthMemory",
    "HealthRedis",
    "HealthThreads",
    "ImportantFact",
    "ImportantResponse",
    "InjectAnomalyResponse",
    "Invitation",
    "Job",
    "Jobs",
    "KeptText",
    "KeyUsage",
    "ListInvitationsResponse",
    "ListMembersResponse",
    "ListOrganizationsResponse",
    "ListedReceipt",
    "Liveness",
    "MapAssociations",
    "MapCluster",
    "Member",
    "Membership",
    "Message",
    "MfaLoginResponse",
    "ModulationHistoryResponse",
    "ModulationResponse",
    "Notification",
    "NotificationDeleted",
    "NotificationDetails",
    "NotificationRead",
    "Notifications",
    "NotificationsDeleted",
    "NotificationsPagination",
    "NotificationsRead",
    "OperationTiming",
    "Organization",
    "OrganizationLimits",
    "OrganizationSubjectLimits",
    "OrganizationUsage",
    "OrganizationUsageTotals",
    "PathwayEvaluation",
    "Pattern",
    "PatternHistory",
    "PatternList",
    "PatternVersion",
    "PaymentFailed",
    "Plan",
    "PlanLimits",
    "Plans",
    "PolicyOverrides",
    "PredictTextsResponse",
    "PrefetchInvalidated",
    "QueryVectorsResponse",
    "Queue",
    "QueueJobs",
    "Queues",
    "ReadBrainResponse",
    "ReadBrainTemporalPrediction",
    "ReadContextResponse",
    "Readiness",
    "RecallInfo",
    "RecallInfoHeadWeights",
    "RecallInfoTime",
    "RecallTextsResponse",
    "RecalledText",
    "RecalledTextPassage",
    "RecalledTextScores",
    "ReceiptClaims",
    "ReceiptList",
    "RegimeHistoryDistribution",
    "RegimeHistoryResponse",
    "RegimeResponse",
    "RegisterResponse",
    "RequestExportResponse",
    "RetrieveTextsResponse",
    "RetrieveTieredResponse",
    "RetrieveVectorsInfo",
    "RetrieveVectorsResponse",
    "RetrievedText",
    "RetrievedTextScores",
    "RetrievedVector",
    "RoutingScores",
    "Run",
    "RunBenchmarkResponse",
    "RunList",
    "Session",
    "SetUpMfaResponse",
    "SigningKey",
    "SigningKeys",
    "SleepCounts",
    "SleepResponse",
    "SpaceMapLength",
    "SpaceMapResponse",
    "StoreTextResponse",
    "StoreVectorResponse",
    "StoredSubject",
    "Subject",
    "SubjectList",
    "SubjectToken",
    "SubscriptionDeleted",
    "SubscriptionUpdated",
    "TextPrediction",
    "TextStatisticsResponse",
    "TierDistributionResponse",
    "TierStatisticsResponse",
    "TieredResult",
    "TokenResponse",
    "TotalUsage",
    "TotalUsageDay",
    "UsageBreakdown",
    "UsageHistory",
    "UsageLatency",
    "UsageLatencyByOperation",
    "UsageLatencyByOperationConsolidate",
    "UsageLatencyByOperationExplain",
    "UsageLatencyByOperationRecall",
    "UsageLatencyByOperationRetrieve",
    "UsageLatencyByOperationStore",
    "UsageLatencyPercentiles",
    "UsagePeriod",
    "UsagePoint",
    "UsageShare",
    "UsageSummary",
    "UsageSummaryApiCalls",
    "UsageSummaryPatterns",
    "UsageSummaryRateLimit",
    "User",
    "VectorPattern",
    "VectorResult",
    "VerifiedReceipt",
    "VerifyMfaResponse",
    "WarmClusterResponse",
    "WarmPrefetchResponse",
    "Webhook",
    "WebhookDeliveries",
    "WebhookDelivery",
    "WebhookDeliveryDetails",
    "WebhookDeliveryDetailsAttemptHistory",
    "WebhookWithSecret",
    "Webhooks",
]


class AccelerationStatus(TypedDict):
    rust_available: bool
    """Whether the native kernels are loaded."""
    operations_accelerated: list[Literal["cosine", "einsum", "hdc_bind", "top_k", "hopfield", "quantized_top_k", "slerp"]]
    """What the native kernels compute."""
    speedup_factors: dict[str, float]
    """JavaScript time / native time, measured on this machine after the start and by each benchmark."""
    fallback_to_python: bool
    """Whether the fallback, which is JavaScript, does the work."""


class AcceptInvitationResponse(TypedDict):
    organization_id: str
    role: Literal["owner", "admin", "member"]
    message: str


class AdministeredOrganization(TypedDict):
    id: str
    name: str
    plan: Literal["free", "starter", "pro", "scale", "enterprise"]
    members: int
    patterns: int
    storage_mb: float
    """Megabytes of 1,000,000 bytes."""
    created_at: str
    deleted_at: str | None


class AdministeredOrganizations(TypedDict):
    organizations: list[AdministeredOrganization]
    next_cursor: str | None


class AdministeredReceipt(TypedDict):
    receipt: str
    """JWS, typ `erasure-receipt+jwt`."""
    claims: ReceiptClaims
    organization_name: str | None
    """null where the organization is erased."""


class AdministeredReceipts(TypedDict):
    receipts: list[AdministeredReceipt]
    next_cursor: str | None


class AdministeredUser(TypedDict):
    id: str
    email: str
    full_name: str | None
    status: Literal["active", "suspended", "deleted"]
    email_verified: bool
    is_platform_admin: bool
    created_at: str
    last_login_at: str


class AdministeredUserDetails(TypedDict):
    id: str
    email: str
    full_name: str | None
    status: Literal["active", "suspended", "deleted"]
    email_verified: bool
    is_platform_admin: bool
    created_at: str
    last_login_at: str
    mfa_enabled: bool
    organizations: list[Membership]


class AdministeredUsers(TypedDict):
    users: list[AdministeredUser]
    next_cursor: str | None


class ApiKey(TypedDict):
    id: str
    name: str
    key_prefix: str
    """The first 16 characters of the key."""
    environment: Literal["live", "test"]
    scopes: list[Literal["memory:read", "memory:write", "usage:read", "notifications:read", "notifications:write", "webhooks:read", "webhooks:write", "ops:run"]] | None
    """null: full access."""
    subject: str | None
    """The end user whom the key is bound to; null for none."""
    shared: bool
    """Whether it also reads patterns of no subject."""
    last_used_at: str | None
    expires_at: str | None
    created_at: str


class _AuditEntryRequired(TypedDict):
    action: Literal["register", "login", "login_failed", "logout", "logout_all", "token_refresh_reuse", "password_changed", "password_reset_requested", "password_reset", "email_verified", "mfa_enabled", "mfa_disabled", "mfa_recovery_used", "key_created", "key_updated", "key_revoked", "session_revoked", "client_authorized", "member_invited", "invitation_withdrawn", "member_joined", "member_removed", "role_changed", "organization_updated", "plan_changed", "webhook_created", "webhook_updated", "webhook_deleted", "webhook_disabled", "secret_rotated", "export_requested", "account_deleted", "account_restored", "account_suspended", "account_activated", "job_retried", "job_removed", "memory_forgotten", "anomaly_injected"]
    actor_email: str
    """For an API key, of the user who made it. Empty for what the service or its operator did, and for users who
    were erased.
    """
    success: bool
    timestamp: str


class AuditEntry(_AuditEntryRequired, total=False):
    ip: str
    user_agent: str
    details: dict[str, Any]


class AuditLog(TypedDict):
    entries: list[AuditEntry]
    page: int
    limit: int
    has_more: bool


class BackupFound(TypedDict):
    name: str
    state: Literal["complete", "damaged", "unfinished"]
    """`complete`: every file is there, with its size. `npm run restore` compares their checksums before it
    restores them.
    """
    problem: str | None
    """What is wrong with one that is damaged."""
    created_at: str | None
    """null where its list can’t be read."""
    version: str | None
    """Of the release that made it."""
    database: Literal["embedded", "postgres"] | None
    """null where its list can’t be read."""
    migration: str | None
    """null where its list can’t be read."""
    bytes: int | None
    """null where its list can’t be read."""
    patterns: int | None
    """Rows of the table of patterns."""


class BackupsFound(TypedDict):
    folder: str
    folder_state: Literal["readable", "missing", "not_allowed", "not_a_folder", "failing"]
    """`missing`: nothing was backed up there yet. `not_allowed`: give the user that the service runs as the right
    to read it. `not_a_folder`: `MEMORY_BACKUP_DIR` names, or leads through, something else. `failing`: its disk
    or mount does not answer as it should. No backup is listed but where it is `readable`.
    """
    backups: list[BackupFound]
    next_cursor: str | None


class _BatchRetrieveVectorsQueryRequired(TypedDict):
    embedding: Sequence[float] | Numbers


class BatchRetrieveVectorsQuery(_BatchRetrieveVectorsQueryRequired, total=False):
    top_k: int
    filter: Mapping[str, Any]
    """What patterns must be: a value that a field equals, a list of which any, or `$eq $ne $gt $gte $lt $lte $in
    $nin $exists $contains $startsWith`; combined by `$and $or $not`. A field is a key of the metadata, dots
    walk into objects; or `$subject $external_id $category $tier $created_at $updated_at $occurred_at
    $expires_at $text`.
    """
    subject: str | Sequence[str] | Nobody
    """The end user whose patterns are meant, or several of them; null for patterns of none. Default: all."""
    after: str | datetime | None
    """Only what occurred (`occurred_at`) at this time or later."""
    before: str | datetime | None
    """Only what occurred (`occurred_at`) earlier than this time, which is not included."""


class BatchRetrieveVectorsResponse(TypedDict):
    results: list[list[VectorResult]]
    """One list a query, in order."""


class _BatchStoreTextsItemRequired(TypedDict):
    text: str


class BatchStoreTextsItem(_BatchStoreTextsItemRequired, total=False):
    metadata: Mapping[str, Any] | None
    """Any JSON object of up to 16 KiB and 8 levels."""
    expires_at: str | datetime | None
    """From this moment the pattern is in no answer; null never. Must be in the future."""
    occurred_at: str | datetime | None
    """When the fact was stated, for imports. Default: now."""
    external_id: str | None
    """Your own id for it, one of a kind in the space."""
    subject: str | Nobody
    """The end user whose it is; not `.` or `..`."""
    protected: bool | None
    """Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has;
    else, and where it is null, what its metadata and category say.
    """
    valid_from: str | datetime | None
    """From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is
    valid now, and what is yet to come from that time on.
    """
    valid_to: str | datetime | None
    """Until when it holds. Default: without end."""
    supersedes: str | None
    """The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this
    one’s `valid_from`, which must not be earlier than when that one was said to begin.
    """


class BatchStoreTextsResponse(TypedDict):
    stored: int
    failed: int
    pattern_ids: list[str]
    """Of those that are stored, in order."""
    created: list[bool | None]
    """Of each item, in order; null for one that failed."""
    latency_ms: float
    """Time spent in the service, in milliseconds."""


class _BatchStoreVectorsPatternRequired(TypedDict):
    key: Sequence[float] | Numbers
    """What the pattern is found by; kept as float32. It need not be unique."""
    value: Sequence[float] | Numbers
    """What is found, of any length; kept as float32."""


class BatchStoreVectorsPattern(_BatchStoreVectorsPatternRequired, total=False):
    metadata: Mapping[str, Any] | None
    """Any JSON object of up to 16 KiB and 8 levels."""
    source_dim: int | None
    """Dimension that key and value were projected down from, at least the key’s length. Queries of that length
    find the pattern too.
    """
    expires_at: str | datetime | None
    """From this moment the pattern is in no answer; null never. Must be in the future."""
    occurred_at: str | datetime | None
    """When the fact was stated, for imports. Default: now."""
    external_id: str | None
    """Your own id for it, one of a kind in the space."""
    subject: str | Nobody
    """The end user whose it is; not `.` or `..`."""
    protected: bool | None
    """Whether consolidation must leave it alone. Default: what was said of the pattern whose `external_id` it has;
    else, and where it is null, what its metadata and category say.
    """
    valid_from: str | datetime | None
    """From when on it holds. Default: `occurred_at`, but not after `valid_to`. Searches and lists show what is
    valid now, and what is yet to come from that time on.
    """
    valid_to: str | datetime | None
    """Until when it holds. Default: without end."""
    supersedes: str | None
    """The pattern that it takes the place of, `pattern_id` or `ext:` and an own id: that one is valid until this
    one’s `valid_from`, which must not be earlier than when that one was said to begin.
    """


class BatchStoreVectorsResponse(TypedDict):
    stored: int
    failed: int
    created: list[bool | None]
    """Of each item, in order; null for one that failed."""


class BeliefProbabilities(TypedDict):
    """Their sum is 1."""
    exact_match: float
    composition: float
    novel: float


class BillingData(TypedDict):
    organization_id: str


class BillingPlanData(TypedDict):
    organization_id: str
    plan: Literal["free", "starter", "pro", "scale", "enterprise"]


class CalibrateModulationResponse(TypedDict):
    recalibrated: bool
    previous_mean: float
    """Of the surprises of searches: 0 known, 1 entirely new."""
    previous_std: float
    new_mean: float
    """Of the surprises of searches: 0 known, 1 entirely new."""
    new_std: float
    reason: str


class Calibration(TypedDict):
    ema_mean: float
    """Of the surprises of searches: 0 known, 1 entirely new."""
    ema_std: float
    last_calibrated: str
    """When the statistics began anew: at first with the space."""


class ChangeOrganizationSubjectLimits(TypedDict, total=False):
    """What each subject may have and ask. What is absent stays; null ends a limit."""
    patterns: int | None
    queries_per_day: int | None


class ChangePlanLimits(TypedDict):
    patterns: int
    """-1 stands for unlimited."""
    queries_per_day: int
    """-1 stands for unlimited."""
    api_keys: int
    """-1 stands for unlimited."""
    members: int
    """-1 stands for unlimited."""


class ChangePlanResponse(TypedDict):
    id: str
    name: str
    plan: Literal["free", "starter", "pro", "scale", "enterprise"]
    limits: ChangePlanLimits
    subject_limits: ChangePlanSubjectLimits
    """What each subject may have and ask; null for what the plan leaves."""
    created_at: str


class ChangePlanSubjectLimits(TypedDict):
    """What each subject may have and ask; null for what the plan leaves."""
    patterns: int | None
    queries_per_day: int | None


class ClassifyBeliefResponse(TypedDict):
    classification: Literal["exact_match", "composition", "novel"]
    """The class that is most probable."""
    probabilities: BeliefProbabilities
    best_match_id: str | None
    """The text pattern that is nearest, or has the nearest sentence, whatever the class; null when there is none."""
    confidence: float
    """Probability of the class given."""


class CompareTextsResponse(TypedDict):
    similarity: float
    """Cosine similarity."""
    embedding_dim: int


class ComposeFractionalInfo(TypedDict):
    geodesic_distance: float
    """Angle between A and B in radians."""
    blend_type: Literal["spherical", "linear", "antipodal"]
    alpha_used: float


class ComposeFractionalResponse(TypedDict):
    result: list[float]
    confidence: float
    """Cosine of the result and the nearer end."""
    info: ComposeFractionalInfo


class ComposeVectorsResponse(TypedDict):
    result: list[float]
    confidence: float
    """Length of the weighted mean: 1 when all agree, near 0 when they cancel."""


class Conflict(TypedDict):
    conflict_id: str
    """Starts with `cfl_`."""
    kind: Literal["near_duplicate", "possible_contradiction", "superseded_candidate"]
    """near_duplicate: they say nearly the same, and nothing shows a difference. possible_contradiction: they
    differ in what may contradict, and neither is clearly later. superseded_candidate: they differ so, and one
    is clearly later: it may take the place of the other.
    """
    reason: Literal["number", "unit", "negation", "opposite", "direction", "name"] | None
    """In what they differ; null for a near duplicate. number: another number, date or identifier. unit: the same
    number of another unit, or hour of another half of the day. negation: one says no where the other says yes.
    opposite: what excludes the other, such as hating and liking, or two days of the week. direction: who does
    what to whom, or from where to where, is the other way round. name: another name in the same place.
    """
    similarity: float
    """Cosine similarity."""
    status: Literal["open", "kept", "superseded", "dismissed"]
    found_at: str
    resolved_at: str | None
    winner: str | None
    """The pattern that took the place of the other."""
    patterns: list[ConflictingText]
    """Both, the older one first."""


class ConflictList(TypedDict):
    conflicts: list[Conflict]
    next_cursor: str | None


class ConflictingText(TypedDict):
    pattern_id: str
    """Starts with `pat_`."""
    external_id: str | None
    subject: str | None
    text: str
    occurred_at: str


class ConsolidationCandidate(TypedDict):
    pair_id: list[int]
    """pattern_idx of both, the lower first."""
    priority: float
    times_validated: int


class ConsolidationCandidatesResponse(TypedDict):
    candidates: list[ConsolidationCandidate]


class _ContextItemRequired(TypedDict):
    kind: Literal["standing", "added", "changed", "ended", "found"]
    pattern_id: str
    """Starts with `pat_`."""
    occurred_at: str
    text: str


class ContextItem(_ContextItemRequired, total=False):
    external_id: str
    """Where it has one."""
    cut: bool
    """True where only a part of the text is shown."""


class ContextLines(TypedDict):
    """How many lines of each kind are shown."""
    standing: int
    added: int
    changed: int
    ended: int
    found: int


class ContextMessage(TypedDict):
    role: Literal["user"]
    content: str


class CountPatternsResponse(TypedDict):
    count: int


class CreateEmbeddingsResponse(TypedDict):
    object: Literal["list"]
    data: list[Embedding]
    model: str
    usage: EmbeddingsUsage


class CreatedApiKey(TypedDict):
    id: str
    name: str
    key_prefix: str
    """The first 16 characters of the key."""
    environment: Literal["live", "test"]
    scopes: list[Literal["memory:read", "memory:write", "usage:read", "notifications:read", "notifications:write", "webhooks:read", "webhooks:write", "ops:run"]] | None
    """null: full access."""
    subject: str | None
    """The end user whom the key is bound to; null for none."""
    shared: bool
    """Whether it also reads patterns of no subject."""
    key: str
    created_at: str
    message: str


class DecideRoutingResponse(TypedDict):
    pathway: Literal["exact", "energy", "attention"]
    scores: RoutingScores
    geometric_surprise: float
    """Angle to the nearest text as a share of a right angle: 0 known, 1 entirely new."""
    confidence: float
    """The score of the pathway."""


class _DeletePatternsResponseRequired(TypedDict):
    deleted: int
    pattern_ids: list[str]


class DeletePatternsResponse(_DeletePatternsResponseRequired, total=False):
    receipt: str
    """A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see
    /v1/memory/receipts.
    """


class DetectSpuriousResponse(TypedDict):
    spurious_pairs: list[list[int]]
    total_checked: int
    spurious_rate: float
    """Spurious pairs of those checked; 0 for none."""


class EfeEvaluations(TypedDict, total=False):
    """By pathway."""
    exact: PathwayEvaluation
    energy: PathwayEvaluation
    attention: PathwayEvaluation


class _EmbedTextResponseRequired(TypedDict):
    dim: int


class EmbedTextResponse(_EmbedTextResponseRequired, total=False):
    embedding: list[float]
    """Of `text`."""
    embeddings: list[list[float]]
    """Of `texts`."""


class Embedding(TypedDict):
    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class EmbeddingsUsage(TypedDict):
    """Tokens of the model, its special ones included."""
    prompt_tokens: int
    total_tokens: int


class _EmptiedSpaceRequired(TypedDict):
    message: str


class EmptiedSpace(_EmptiedSpaceRequired, total=False):
    receipt: str
    """A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see
    /v1/memory/receipts.
    """


class ErasedSubject(TypedDict):
    subject: str
    erased: int
    receipt: str


class EvaluateEfeResponse(TypedDict):
    evaluations: EfeEvaluations
    recommended: Literal["exact", "energy", "attention"]
    """The one of least efe."""


class ExplainTextResponse(TypedDict):
    explanation: str
    method: Literal["evidence", "no_evidence"]
    """`no_evidence` when nothing stored is near enough to the query to be quoted, or has every word that says what
    it is about.
    """
    confidence: float
    """Probability that the first text quoted states what the query says; 0 without evidence."""


class Exploration(TypedDict):
    information_gain: float
    """What the trial told, in nats."""
    composition_valid: bool
    coherence: float
    consolidation_priority: float


class ExplorationCounts(TypedDict):
    total_explored: int
    compositions_valid: int
    """Pairs whose composition was valid."""


class ExploreResponse(TypedDict):
    explorations: list[Exploration]
    total_explored: int


class ExploreSuggestion(TypedDict):
    pair_id: list[int]
    """pattern_idx of both, the lower first."""
    expected_information_gain: float
    """In nats."""
    uncertainty: float
    """Deviation of what is believed of the pair, 1 before its first trial."""


class ExploreSuggestionsResponse(TypedDict):
    suggestions: list[ExploreSuggestion]


class Export(TypedDict):
    export_id: str
    status: Literal["pending", "ready", "failed"]
    download_url: str | None
    """Null until the export is ready."""


class _ForgetTextsResponseRequired(TypedDict):
    forgotten: int
    pattern_ids: list[str]
    kept: list[KeptText]
    """What would have gone without the guard, in store order."""


class ForgetTextsResponse(_ForgetTextsResponseRequired, total=False):
    versions: int
    """How many earlier versions of patterns that stay were what was to be forgotten, and hold nothing any more.
    Only where there are any.
    """
    receipt: str
    """A signed statement of what was erased (JWS, typ `erasure-receipt+jwt`), where anything was: see
    /v1/memory/receipts.
    """


class GetPatternsResponse(TypedDict):
    patterns: list[Pattern | None]


class Health(TypedDict):
    status: Literal["ready", "degraded", "not_ready"]
    """As `/readyz` says it; `not_ready` where that answers 503."""
    reason: str | None
    """Why the process is not ready, and what to do; null where it is."""
    version: str
    commit: str | None
    """null where nobody knows."""
    node: str
    started_at: str
    database: HealthDatabase
    redis: HealthRedis | None
    """null where `REDIS_URL` names none."""
    kernels: Literal["native", "javascript"]
    encoder: HealthEncoder
    threads: HealthThreads
    disk: HealthDisk | None
    """Of the data folder; null where the system does not say."""
    memory: HealthMemory
    caches: HealthCaches


class HealthCaches(TypedDict):
    embeddings: HealthCachesEmbeddings
    payloads: HealthCachesPayloads
    index: HealthCachesIndex
    lexical: HealthCachesLexical


class HealthCachesEmbeddings(TypedDict):
    entries: int
    bytes: int
    """Bytes."""
    hits: int
    """Since the process started."""
    misses: int


class HealthCachesIndex(TypedDict):
    spaces: int
    bytes: int
    """Bytes."""


class HealthCachesLexical(TypedDict):
    bytes: int
    """Bytes."""


class HealthCachesPayloads(TypedDict):
    entries: int
    bytes: int
    """Bytes."""
    hits: int
    """Since the process started."""
    misses: int
    evictions: int


class HealthDatabase(TypedDict):
    kind: Literal["embedded", "postgres"]
    version: str
    """Of PostgreSQL, also where it is embedded."""
    migration: str
    """The last of the tables’."""


class HealthDisk(TypedDict):
    free_bytes: int
    """Bytes."""
    total_bytes: int
    """Bytes."""


class HealthEncoder(TypedDict):
    model: str
    dimensions: int


class HealthMemory(TypedDict):
    resident_bytes: int
    """Bytes."""
    heap_bytes: int
    """Of JavaScript, in use."""
    buffer_bytes: int
    """Outside of its heap."""


class HealthRedis(TypedDict):
    answers: bool
    version: str | None
    """null while it does not answer."""


class HealthThreads(TypedDict):
    count: int
    queued: int
    """Tasks that wait for a thread."""


class _ImportantFactRequired(TypedDict):
    pattern_id: str
    """Starts with `pat_`."""
    text: str
    category: str
    """What the caller named in the metadata, else one of identity, contact, location, health, finance, family,
    relationship, employment, education, religion, politics, sexuality, ethnicity, biometric, criminal,
    credentials.
    """
    protected: bool
    """Consolidation never weakens, merges or moves it to the cold tier."""


class ImportantFact(_ImportantFactRequired, total=False):
    external_id: str
    """Where it has one."""


class ImportantResponse(TypedDict):
    important: list[ImportantFact]


class InjectAnomalyResponse(TypedDict):
    anomaly_triggered: bool
    previous_regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    new_regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    burst_duration: int
    """Steps for which it lasts at least: 5 + round(5 magnitude)."""


class Invitation(TypedDict):
    id: str
    email: str
    role: Literal["owner", "admin", "member"]
    created_at: str
    expires_at: str


class Job(TypedDict):
    id: str
    name: str
    space_id: str | None
    """Of work on one space."""
    attempts: int
    """That were made."""
    max_attempts: int
    created_at: str
    due_at: str | None
    """While it is delayed."""
    started_at: str | None
    finished_at: str | None
    error: str | None
    """Why the last attempt failed, up to 500 characters."""


class Jobs(TypedDict):
    jobs: list[Job]
    next_cursor: str | None


class KeptText(TypedDict):
    pattern_id: str
    """Starts with `pat_`."""
    reason: Literal["number", "unit", "negation", "opposite", "direction", "name"]
    """How it contradicts the query. number: another number, date or identifier. unit: the same number of another
    unit, or hour of another half of the day. negation: one says no where the other says yes. opposite: what
    excludes the other, such as hating and liking, or two days of the week. direction: who does what to whom, or
    from where to where, is the other way round. name: another name in the same place.
    """


class KeyUsage(TypedDict):
    """Of keys that were used, revoked ones too; most used first."""
    key_id: str
    """`key_` and the key’s id; `key_session` for users with an access token."""
    name: str
    api_calls: int
    percentage: float
    """Of all requests, 0 to 100."""


class ListInvitationsResponse(TypedDict):
    invitations: list[Invitation]


class ListMembersResponse(TypedDict):
    members: list[Member]


class ListOrganizationsResponse(TypedDict):
    organizations: list[Organization]


class ListedReceipt(TypedDict):
    receipt: str
    """JWS, typ `erasure-receipt+jwt`."""
    claims: ReceiptClaims


class Liveness(TypedDict):
    status: Literal["ok"]


MapAssociations = TypedDict("MapAssociations", {"from": "list[int]", "to": "list[int]", "strength": "list[float]"})


class MapCluster(TypedDict):
    words: list[str]
    """As the texts write them; none without texts."""
    patterns: int
    x: float
    y: float


class Member(TypedDict):
    user_id: str
    email: str
    full_name: str | None
    role: Literal["owner", "admin", "member"]
    joined_at: str


class Membership(TypedDict):
    id: str
    name: str
    plan: Literal["free", "starter", "pro", "scale", "enterprise"]
    role: Literal["owner", "admin", "member"]


class Message(TypedDict):
    message: str


class MfaLoginResponse(TypedDict):
    access_token: str | None
    """JWT; null when a second factor is needed."""
    refresh_token: str | None
    """Works once; each refresh gives a new one."""
    token_type: Literal["bearer"]
    expires_in: int
    """Seconds that the access token lives."""


class ModulationHistoryResponse(TypedDict):
    signals: list[float]
    gates: list[float]
    timestamps: list[str]


class ModulationResponse(TypedDict):
    signal: float
    gate: float
    """sigmoid(2 (signal - 1)): near 0 as usual, near 1 when much is new."""
    regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    calibration: Calibration


class Notification(TypedDict):
    id: str
    type: Literal["regime_changed", "consolidation_completed", "pattern_limit_warning", "pattern_limit_reached", "payment_failed", "key_expiring", "member_joined", "export_ready"]
    environment: Literal["live", "test"] | None
    """Of the space that it concerns; null for what concerns the organization."""
    severity: Literal["info", "warning", "critical"]
    title: str
    message: str
    details: NotificationDetails
    read: bool
    created_at: str
    action_url: str | None
    """Address of the console’s page, below the console: a path, with a query where that says which thing it is
    about.
    """


class NotificationDeleted(TypedDict):
    deleted: Literal[True]
    id: str


class NotificationDetails(TypedDict, total=False):
    """What the message says, as values, which ones by the type: as webhooks carry them, and the `name` instead of
    ids.
    """
    previous_regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    new_regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    consolidated: int
    patterns_used: int
    patterns_limit: int
    expires_at: str
    role: Literal["owner", "admin", "member"]
    name: str | None
    """Of the key or the member that it is about; null for who is no more."""


class NotificationRead(TypedDict):
    id: str
    read: Literal[True]
    read_at: str


class Notifications(TypedDict):
    data: list[Notification]
    unread_count: int
    pagination: NotificationsPagination


class NotificationsDeleted(TypedDict):
    deleted: int
    preserved_unread: int


class NotificationsPagination(TypedDict):
    page: int
    per_page: int
    total: int
    """With `unread_only`, of the unread ones."""
    total_pages: int


class NotificationsRead(TypedDict):
    marked_read: int
    read_at: str


class OperationTiming(TypedDict):
    rust_ms: float | None
    """Time of one iteration by the native kernels, in milliseconds; null without them."""
    python_ms: float
    """Time of one iteration by the fallback, which is JavaScript, in milliseconds."""
    speedup: float | None
    """python_ms / rust_ms."""


class Organization(TypedDict):
    id: str
    name: str
    plan: Literal["free", "starter", "pro", "scale", "enterprise"]
    limits: OrganizationLimits
    subject_limits: OrganizationSubjectLimits
    """What each subject may have and ask; null for what the plan leaves."""
    created_at: str
    role: Literal["owner", "admin", "member"]
    """What the caller is in it."""


class OrganizationLimits(TypedDict):
    patterns: int
    """-1 stands for unlimited."""
    queries_per_day: int
    """-1 stands for unlimited."""
    api_keys: int
    """-1 stands for unlimited."""
    members: int
    """-1 stands for unlimited."""


class OrganizationSubjectLimits(TypedDict):
    """What each subject may have and ask; null for what the plan leaves."""
    patterns: int | None
    queries_per_day: int | None


class OrganizationUsage(TypedDict):
    org_id: str
    period: UsagePeriod
    totals: OrganizationUsageTotals
    by_key: list[KeyUsage]


class OrganizationUsageTotals(TypedDict):
    api_calls: int
    patterns: int
    storage_mb: float
    """Megabytes of 1,000,000 bytes."""


class PathwayEvaluation(TypedDict):
    efe: float
    """Expected free energy in nats: lower is better."""
    epistemic_value: float
    """How far the pathway tells the candidates apart, and what its outcome would tell of it."""
    pragmatic_value: float
    """Expected log preference of what it answers, less the cost of its time; at most 0."""


class Pattern(TypedDict):
    pattern_id: str
    """Starts with `pat_`."""
    pattern_idx: int
    external_id: str | None
    subject: str | None
    text: str | None
    metadata: dict[str, Any] | None
    tier: Literal["hot", "warm", "cold"]
    protected: bool
    asked_protected: bool | None
    """What was said of `protected`; null where nothing was, and it follows from metadata and category."""
    access_count: int
    created_at: str
    occurred_at: str
    expires_at: str | None
    last_accessed: str | None
    version: int
    """Counts its changes, from 1; the `ETag` of its answers."""
    updated_at: str
    valid_from: str
    valid_to: str | None
    """Once it is over, no search and no list shows it."""
    supersedes: str | None
    """Starts with `pat_`."""
    superseded_by: str | None
    """Starts with `pat_`."""


class PatternHistory(TypedDict):
    versions: list[PatternVersion]
    next_cursor: str | None


class PatternList(TypedDict):
    patterns: list[Pattern]
    next_cursor: str | None


class PatternVersion(TypedDict):
    version: int
    text: str | None
    value: list[float] | None
    """Null for a text."""
    metadata: dict[str, Any] | None
    occurred_at: str | None
    expires_at: str | None
    valid_from: str | None
    valid_to: str | None
    changed_at: str
    """When this version was made."""
    changed_by: str | None
    """Id of the API key or user that made it; null for the service itself, or when it is not known."""
    change: Literal["created", "updated", "superseded", "reverted", "merged"]
    redacted: bool
    """What it held was erased, or its `expires_at` has passed."""


class PaymentFailed(TypedDict):
    type: Literal["invoice.payment_failed"]
    timestamp: str | datetime
    """When it happened: five minutes ahead of the service’s clock at most."""
    data: BillingData


class Plan(TypedDict):
    name: Literal["free", "starter", "pro", "scale", "enterprise"]
    limits: PlanLimits


class PlanLimits(TypedDict):
    patterns: int
    """-1 stands for unlimited."""
    queries_per_day: int
    """-1 stands for unlimited."""
    api_keys: int
    """-1 stands for unlimited."""
    members: int
    """-1 stands for unlimited."""


class Plans(TypedDict):
    plans: list[Plan]
    default_plan: Literal["free", "starter", "pro", "scale", "enterprise"]
    """Of the organizations that registrations make."""


class PolicyOverrides(TypedDict):
    force_exact: bool
    """Searches are exact: in anomaly and recovery."""
    bypass_consolidation: bool
    """Sleep does nothing: in anomaly and recovery."""
    learning_rate_multiplier: float
    """0.5 + gate in normal and high_surprise, 0.1 in anomaly, 0.5 in recovery."""


class PredictTextsResponse(TypedDict):
    predictions: list[TextPrediction]


class PrefetchInvalidated(TypedDict):
    cleared: bool
    previous_cache_size: int
    """Payloads of the space that were in memory."""


class QueryVectorsResponse(TypedDict):
    results: list[VectorResult]
    latency_ms: float
    """Time spent in the service, in milliseconds."""


class Queue(TypedDict):
    name: Literal["spaces", "tiers", "chores"]
    concurrency: int
    """Jobs that one process has in hand at once."""
    jobs: QueueJobs
    total_completed: int
    """Since the installation began, by all workers; a killed worker’s may be missing."""
    total_failed: int
    """For good, after all attempts."""


class QueueJobs(TypedDict):
    waiting: int
    active: int
    delayed: int
    completed: int
    failed: int


class Queues(TypedDict):
    kept_in: Literal["embedded", "postgres", "redis"]
    """Where jobs wait: the embedded database, PostgreSQL, or the Redis of `REDIS_URL`."""
    worked_by: Literal["this_process", "workers"]
    """Who does them: with the embedded database the process that answers, else the processes of `npm run worker`."""
    queues: list[Queue]


class ReadBrainResponse(TypedDict):
    regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    surprise: float
    """Of the latest search of the whole space, without filter, subject or bound; 0 before the first. A search with
    `read_only`, of another time or in `batch/retrieve` leaves it as it is.
    """
    head_weights: list[float]
    """In this order: semantic, lexical, associative, contiguity, salience."""
    temporal_predictions: list[ReadBrainTemporalPrediction]
    """The five patterns that most likely follow the one that was found last."""
    patterns_total: int
    """Valid now: without what was superseded or is valid later."""
    consolidation_status: Literal["idle", "consolidating"]


class ReadBrainTemporalPrediction(TypedDict):
    pattern_id: str
    """Starts with `pat_`."""
    strength: float


class _ReadContextResponseRequired(TypedDict):
    format: Literal["text", "messages", "json"]
    lines: ContextLines
    omitted: int
    """Standing facts, or changes, that were looked at and had no room."""
    tokens: int
    """What the context takes, as `tokenizer` counts."""
    tokenizer: str
    """The encoder whose tokens are counted."""
    etag: str
    """Of what is shown: another one when any of it is another."""
    as_of: str
    """When it was read, for `since`: whatever was stored and is not in this answer has a later time."""
    latency_ms: float
    """Time spent in the service, in milliseconds."""


class ReadContextResponse(_ReadContextResponseRequired, total=False):
    text: str
    """With format `text`: the fenced lines; empty where there is nothing to say."""
    messages: list[ContextMessage]
    """With format `messages`. Their role is `user`: stored texts must not speak with the authority of a system
    message.
    """
    items: list[ContextItem]
    """With format `json`."""


class Readiness(TypedDict):
    status: Literal["ready", "degraded"]
    database: Literal["embedded", "postgres"]
    queue: Literal["embedded", "postgres", "redis"]
    version: str


class _RecallInfoRequired(TypedDict):
    pathway: Literal["exact", "energy", "attention"]
    """exact while the regime forces it, else attention."""
    surprise: float
    """Angle to the nearest text, as a share of a right angle: 0 known, 1 unlike everything."""
    candidates: int
    """Texts that were scored."""
    reranked: bool
    """The order differs from that by cosine."""
    head_weights: RecallInfoHeadWeights
    lexical_hits: int
    """Texts of the space that share a term with the query."""
    co_access_boosted: int
    """Results that associations from use have raised."""
    collapsed: int
    """Copies of texts that were left out: of one text the newest is answered."""
    regime: Literal["normal", "high_surprise", "anomaly", "recovery"]


class RecallInfo(_RecallInfoRequired, total=False):
    time: RecallInfoTime
    """The time that the query names, up to before `to`, and its words for it: texts whose `occurred_at` lies in it
    were preferred. Absent where it surely names none, and with `time: false` or `as_of`.
    """


class RecallInfoHeadWeights(TypedDict):
    semantic: float
    lexical: float
    associative: float
    contiguity: float
    salience: float


RecallInfoTime = TypedDict("RecallInfoTime", {"from": "str", "to": "str", "expression": "str"})


class RecallTextsResponse(TypedDict):
    results: list[RecalledText]
    info: RecallInfo
    latency_ms: float
    """Time spent in the service, in milliseconds."""


class _RecalledTextRequired(TypedDict):
    text: str
    metadata: dict[str, Any]
    similarity: float
    """Cosine similarity."""
    pattern_id: str
    """Starts with `pat_`."""


class RecalledText(_RecalledTextRequired, total=False):
    external_id: str
    """Where it has one."""
    version: int
    """This and what follows only with `as_of` or `include_superseded`."""
    valid_from: str
    valid_to: str | None
    superseded_by: str | None
    """Starts with `pat_`."""
    scores: RecalledTextScores
    """With `explain`: what each part of the ranking added, in standard deviations over the space, and their sum,
    by which texts are ordered. Copies, identifiers and newer values are arranged after that.
    """
    passage: RecalledTextPassage
    """Of a long text: where the part is that is nearest to the query, if that is nearer than the whole. From the
    first character up to the end, counted in Unicode code points as every other count of characters.
    """


class RecalledTextPassage(TypedDict):
    """Of a long text: where the part is that is nearest to the query, if that is nearer than the whole. From the
    first character up to the end, counted in Unicode code points as every other count of characters.
    """
    start: int
    end: int


class RecalledTextScores(TypedDict):
    """With `explain`: what each part of the ranking added, in standard deviations over the space, and their sum,
    by which texts are ordered. Copies, identifiers and newer values are arranged after that.
    """
    semantic: float
    lexical: float
    associative: float
    contiguity: float
    salience: float
    time: float
    """For being of the time that the query names, else 0."""
    total: float


class ReceiptClaims(TypedDict):
    iss: str
    """The service: `PUBLIC_BASE_URL`."""
    jti: str
    iat: int
    org: str
    space: str | None
    """null where the whole organization was erased."""
    selector_sha256: str
    """Of what chose the patterns, as canonical JSON (RFC 8785): SHA-256 in hex."""
    counts: dict[str, int]
    """Rows that were removed, by what they were."""
    ids_sha256: str
    """Of the ids of the patterns, sorted byte by byte and joined by line feeds: SHA-256 in hex."""
    requested_at: str
    completed_at: str
    log_purged_by: str
    """When the audit log no longer says that so many patterns were erased. What they held is in no log."""


class ReceiptList(TypedDict):
    receipts: list[ListedReceipt]
    next_cursor: str | None


class RegimeHistoryDistribution(TypedDict):
    """Share of each regime in the history; all 0 where that is empty."""
    normal: float
    high_surprise: float
    anomaly: float
    recovery: float


class RegimeHistoryResponse(TypedDict):
    history: list[Literal["normal", "high_surprise", "anomaly", "recovery"]]
    timestamps: list[str]
    """Of each regime in the history."""
    distribution: RegimeHistoryDistribution
    """Share of each regime in the history; all 0 where that is empty."""
    transitions: int
    """Changes of the regime within the history."""


class RegimeResponse(TypedDict):
    regime: Literal["normal", "high_surprise", "anomaly", "recovery"]
    anomaly_active: bool
    policy_overrides: PolicyOverrides
    modulation_signal: float
    """Smoothed standard score of what was new: about 0 as usual."""


class RegisterResponse(TypedDict):
    user_id: str
    organization_id: str
    email: str
    access_token: str
    refresh_token: str
    message: str


class RequestExportResponse(TypedDict):
    export_id: str
    status: Literal["pending", "ready", "failed"]


class RetrieveTextsResponse(TypedDict):
    results: list[RetrievedText]
    latency_ms: float
    """Time spent in the service, in milliseconds."""


class RetrieveTieredResponse(TypedDict):
    results: list[TieredResult]


class RetrieveVectorsInfo(TypedDict):
    boosted: bool
    """The best result gained from more than its cosine."""
    n_candidates: int
    """Patterns that were compared; with `as_of` or `include_superseded` those found."""
    original_top_score: float
    """By cosine; 0 when nothing was found."""
    boosted_top_score: float


class RetrieveVectorsResponse(TypedDict):
    results: list[RetrievedVector]
    info: RetrieveVectorsInfo
    latency_ms: float
    """Time spent in the service, in milliseconds."""


class _RetrievedTextRequired(TypedDict):
    text: str
    metadata: dict[str, Any]
    similarity: float
    """Cosine similarity."""
    pattern_id: str
    """Starts with `pat_`."""


class RetrievedText(_RetrievedTextRequired, total=False):
    external_id: str
    """Where it has one."""
    version: int
    """This and what follows only with `as_of` or `include_superseded`."""
    valid_from: str
    valid_to: str | None
    superseded_by: str | None
    """Starts with `pat_`."""
    scores: RetrievedTextScores
    """With `explain`: retrieve orders by the cosine alone."""


class RetrievedTextScores(TypedDict):
    """With `explain`: retrieve orders by the cosine alone."""
    semantic: float
    """Cosine similarity."""
    total: float
    """Cosine similarity."""


class _RetrievedVectorRequired(TypedDict):
    confidence: float
    """The score that the order follows, as a cosine; below 0 as 0, above 1 as 1."""
    metadata: dict[str, Any] | None
    was_reranked: bool
    """Its rank differs from its rank by cosine."""
    semantic_score: float
    """Cosine similarity."""
    pattern_id: str
    """Starts with `pat_`."""


class RetrievedVector(_RetrievedVectorRequired, total=False):
    external_id: str
    """Where it has one."""
    version: int
    """This and what follows only with `as_of` or `include_superseded`."""
    valid_from: str
    valid_to: str | None
    superseded_by: str | None
    """Starts with `pat_`."""


class RoutingScores(TypedDict):
    """softmax(-efe): their sum is 1."""
    exact: float
    energy: float
    attention: float


class Run(TypedDict):
    run_id: str
    """Starts with `run_`."""
    kind: Literal["sleep", "exploration"]
    cause: Literal["asked", "scheduled"]
    """asked: by a request. scheduled: the space was due, since it was used and then left alone."""
    began_at: str
    ended_at: str | None
    """null: a scheduled sleep that has not come to the end of the space yet, and goes on."""
    sleep: SleepCounts | None
    exploration: ExplorationCounts | None
    error: str | None
    """Code of the error that the run ended in: what it had done by then stays. abandoned: whoever asked for it
    hung up, which ended it. null: it ended well, or goes on.
    """


class RunBenchmarkResponse(TypedDict):
    results: dict[str, OperationTiming]
    n_iterations: int
    """Iterations that were run of each operation."""
    total_duration_ms: float
    """With all checks, warm-up and waiting."""


class RunList(TypedDict):
    runs: list[Run]
    next_cursor: str | None


class _SessionRequired(TypedDict):
    id: str
    device: str
    """From the `User-Agent` of the sign-in."""
    ip_address: str
    """Of the sign-in; empty where it is not known."""
    location: str
    last_active: str
    """Written about once a minute."""
    created_at: str
    is_current: bool
    """Whether it is the session of this request."""


class Session(_SessionRequired, total=False):
    client: str
    """The program that the user has let in by MCP, where the session is one’s."""


class SetUpMfaResponse(TypedDict):
    secret: str
    """160 bits in Base32."""
    otpauth_uri: str
    """For a QR code."""
    message: str


class SigningKey(TypedDict):
    kty: Literal["RSA"]
    kid: str
    """RFC 7638 thumbprint."""
    use: Literal["sig"]
    alg: Literal["RS256"]
    n: str
    e: str


class SigningKeys(TypedDict):
    keys: list[SigningKey]


class SleepCounts(TypedDict):
    consolidated: int
    """Patterns merged or moved to another tier, and pairs that became compositions."""
    compositions_discovered: int
    patterns_strengthened: int
    patterns_weakened: int
    conflicts: int
    """Conflicts that were not known."""


class _SleepResponseRequired(TypedDict):
    consolidated: int
    """Patterns merged or moved to another tier, and pairs that became compositions."""
    compositions_discovered: int
    patterns_strengthened: int
    patterns_weakened: int
    conflicts: int
    """Conflicts that were not known."""


class SleepResponse(_SleepResponseRequired, total=False):
    bypassed: Literal[True]
    """The regime has consolidation bypassed: nothing was done."""


class SpaceMapLength(TypedDict):
    dimensions: int
    patterns: int


class SpaceMapResponse(TypedDict):
    total: int
    """Patterns that are meant, of every length."""
    dimensions: int
    """Length of the vectors that are shown; 0 where there are none."""
    lengths: list[SpaceMapLength]
    """Lengths of vectors, and how many patterns have them; most first."""
    pattern_ids: list[str]
    x: list[float]
    y: list[float]
    cluster: list[int]
    """Places in `clusters`."""
    tier: list[int]
    """Places in this list: hot, warm, cold."""
    created_s: list[int]
    """Seconds since 1970."""
    clusters: list[MapCluster]
    """The largest first, each with the middle of its patterns."""
    associations: MapAssociations


class StoreTextResponse(TypedDict):
    success: bool
    pattern_id: str
    """Starts with `pat_`."""
    created: bool
    """False where a pattern with this `external_id` was there."""
    embedding_dim: int
    patterns_used: int
    patterns_limit: int
    """-1 stands for unlimited."""


class StoreVectorResponse(TypedDict):
    success: bool
    pattern_id: str
    """Starts with `pat_`."""
    created: bool
    """False where a pattern with this `external_id` was there."""
    patterns_used: int
    patterns_limit: int
    """-1 stands for unlimited."""


class StoredSubject(TypedDict):
    subject: str
    patterns: int
    bytes: int
    """What the patterns take: texts, metadata and vectors."""
    first_stored_at: str
    last_stored_at: str


class Subject(TypedDict):
    subject: str
    patterns: int
    bytes: int
    """What the patterns take: texts, metadata and vectors."""
    first_stored_at: str
    last_stored_at: str
    texts: int
    queries_this_month: int | None
    """null where the organization does not limit them: then they are not counted."""


class SubjectList(TypedDict):
    subjects: list[StoredSubject]
    next_cursor: str | None


class SubjectToken(TypedDict):
    token: str
    token_type: Literal["Bearer"]
    subject: str
    shared: bool
    scopes: list[Literal["memory:read", "memory:write"]]
    expires_at: str


class SubscriptionDeleted(TypedDict):
    type: Literal["subscription.deleted"]
    timestamp: str | datetime
    """When it happened: five minutes ahead of the service’s clock at most."""
    data: BillingData


class SubscriptionUpdated(TypedDict):
    type: Literal["subscription.updated"]
    timestamp: str | datetime
    """When it happened: five minutes ahead of the service’s clock at most."""
    data: BillingPlanData


class _TextPredictionRequired(TypedDict):
    text: str
    pattern_id: str
    """Starts with `pat_`."""
    strength: float
    """Share of what comes within four steps, nearer ones counting more; at most 1 in all."""


class TextPrediction(_TextPredictionRequired, total=False):
    external_id: str
    """Where it has one."""


class TextStatisticsResponse(TypedDict):
    total_patterns: int
    embedding_dim: int
    storage_bytes: int


class TierDistributionResponse(TypedDict):
    hot: int
    warm: int
    cold: int
    total: int


class TierStatisticsResponse(TypedDict):
    hot_hit_rate: float
    """Share of the accesses; 0 before the first."""
    warm_hit_rate: float
    cold_hit_rate: float
    promotions: int
    """Moves to a higher tier."""
    demotions: int
    """Moves to a lower tier."""
    total_accesses: int


class _TieredResultRequired(TypedDict):
    text: str
    tier: Literal["hot", "warm", "cold"]
    confidence: float
    """Cosine similarity, negative ones as 0."""
    last_accessed: str | None
    """When it was last in an answer before this one; null never."""


class TieredResult(_TieredResultRequired, total=False):
    version: int
    """This and what follows only with `as_of` or `include_superseded`."""
    valid_from: str
    valid_to: str | None
    superseded_by: str | None
    """Starts with `pat_`."""


class _TokenResponseRequired(TypedDict):
    access_token: str | None
    """JWT; null when a second factor is needed."""
    refresh_token: str | None
    """Works once; each refresh gives a new one."""
    token_type: Literal["bearer"]
    expires_in: int
    """Seconds that the access token lives."""
    mfa_required: bool


class TokenResponse(_TokenResponseRequired, total=False):
    mfa_token: str
    """For POST /v1/auth/mfa/login, when a second factor is needed; five minutes."""


class TotalUsage(TypedDict):
    organizations: int
    users: int
    patterns: int
    storage_mb: float
    """Megabytes of 1,000,000 bytes."""
    days: list[TotalUsageDay]


class TotalUsageDay(TypedDict):
    date: str
    api_calls: int
    queries: int
    """What they counted against the plans’ queries a day."""
    active_organizations: int
    """That sent at least one of them."""


class UsageBreakdown(TypedDict):
    by: Literal["operation", "key", "subject"]
    since: str
    until: str | None
    total: int
    """What all items, on whichever page, come to; by subject with the patterns of no subject."""
    items: list[UsageShare]
    next_cursor: str | None


class UsageHistory(TypedDict):
    period: Literal["7d", "30d", "90d", "365d"]
    granularity: Literal["hourly", "daily", "weekly"]
    data_points: list[UsagePoint]


class UsageLatency(TypedDict):
    period: Literal["1h", "6h", "24h", "7d"]
    operation: Literal["store", "retrieve", "recall", "explain", "consolidate"] | None
    """null: all of them."""
    percentiles: UsageLatencyPercentiles
    by_operation: UsageLatencyByOperation
    """Of every operation, whichever was asked for."""
    total_requests: int
    """What the percentiles are of."""


class UsageLatencyByOperation(TypedDict):
    """Of every operation, whichever was asked for."""
    store: UsageLatencyByOperationStore
    retrieve: UsageLatencyByOperationRetrieve
    recall: UsageLatencyByOperationRecall
    explain: UsageLatencyByOperationExplain
    consolidate: UsageLatencyByOperationConsolidate


class UsageLatencyByOperationConsolidate(TypedDict):
    p50: float
    """Milliseconds."""
    p95: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


class UsageLatencyByOperationExplain(TypedDict):
    p50: float
    """Milliseconds."""
    p95: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


class UsageLatencyByOperationRecall(TypedDict):
    p50: float
    """Milliseconds."""
    p95: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


class UsageLatencyByOperationRetrieve(TypedDict):
    p50: float
    """Milliseconds."""
    p95: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


class UsageLatencyByOperationStore(TypedDict):
    p50: float
    """Milliseconds."""
    p95: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


class UsageLatencyPercentiles(TypedDict):
    p50: float
    """Milliseconds."""
    p75: float
    """Milliseconds."""
    p90: float
    """Milliseconds."""
    p95: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


class UsagePeriod(TypedDict):
    """The current calendar month, UTC."""
    start: str
    end: str
    """The first moment that is no longer of it."""


class UsagePoint(TypedDict):
    date: str
    """Begin of the point, UTC: the date of a day, or of a week’s Monday; of an hour with its time."""
    api_calls: int
    stores: int
    retrieves: int
    patterns_total: int
    """When the point ended; of the last one, now."""
    storage_mb: float
    """Megabytes of 1,000,000 bytes."""


class UsageShare(TypedDict):
    of: str
    """The operation (`store`, `retrieve`, `recall`, `explain`, `consolidate`, `other`); the key (`key_` and its
    id, `key_session` for users with an access token); the subject.
    """
    name: str | None
    """Of a key; else null."""
    count: int
    """Requests, or by subject the patterns that are there."""
    percentage: float
    """Of the total, 0 to 100."""
    stored: int | None
    """By subject: how many of them were stored within the time; else null."""


class UsageSummary(TypedDict):
    period: UsagePeriod
    patterns: UsageSummaryPatterns
    api_calls: UsageSummaryApiCalls
    storage_mb: float
    """Megabytes of 1,000,000 bytes."""
    rate_limit: UsageSummaryRateLimit


class UsageSummaryApiCalls(TypedDict):
    total: int
    stores: int
    retrieves: int
    recalls: int
    explains: int
    consolidations: int
    other: int


class UsageSummaryPatterns(TypedDict):
    used: int
    limit: int
    """-1 stands for unlimited."""
    percentage: float
    """0 to 100; of an unlimited plan 0."""


class UsageSummaryRateLimit(TypedDict):
    current: int
    """Queries of the current UTC day."""
    peak_usage: int
    """Queries of the day of the period that had most."""


class User(TypedDict):
    id: str
    email: str
    full_name: str | None
    email_verified: bool
    mfa_enabled: bool
    status: Literal["active", "suspended", "deleted"]
    created_at: str
    last_login_at: str
    avatar_url: str | None
    is_platform_admin: bool
    organization_id: str | None
    """The organization that the request is for: the one that it names, else the oldest membership’s; null without
    one.
    """


class VectorPattern(TypedDict):
    key: list[float]
    value: list[float]
    metadata: dict[str, Any] | None


class _VectorResultRequired(TypedDict):
    value: list[float]
    confidence: float
    """Cosine similarity, negative ones as 0."""
    pathway: Literal["exact", "energy"]
    """How the pattern was found."""
    pattern_id: str
    """Starts with `pat_`."""


class VectorResult(_VectorResultRequired, total=False):
    external_id: str
    """Where it has one."""
    version: int
    """This and what follows only with `as_of` or `include_superseded`."""
    valid_from: str
    valid_to: str | None
    superseded_by: str | None
    """Starts with `pat_`."""


class VerifiedReceipt(TypedDict):
    valid: bool
    fault: Literal["signature", "organization", "unknown", "other_ids", "still_there"] | None
    """Why it is not valid. signature: it is no receipt that this service has signed. organization: it is of
    another organization. unknown: its signature holds, but the service has no such receipt: say, since a backup
    was restored that is older. other_ids: the ids are not those that it was made of. still_there: patterns with
    some of the ids are there.
    """
    checked_ids: bool
    remaining: int | None
    """Of the given ids, those of patterns that are there now; null without ids."""
    selector_matches: bool | None
    """null without a selector."""
    claims: ReceiptClaims | None
    """What the receipt says; null unless it is valid so far."""


class VerifyMfaResponse(TypedDict):
    message: str
    recovery_codes: list[str]
    """Ten; each works once."""


class WarmClusterResponse(TypedDict):
    patterns_prefetched: int
    """How many payloads were read that were not in memory."""
    cluster_size: int
    """Patterns around the key, those in memory among them."""


class WarmPrefetchResponse(TypedDict):
    warmed_up: bool
    """Whether there was anything to begin with."""
    patterns_prefetched: int
    """How many payloads were read that were not in memory."""
    cache_size: int
    """Payloads of the space that are in memory now."""


class Webhook(TypedDict):
    id: str
    url: str
    event_types: list[Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready"]] | None
    description: str | None
    status: Literal["active", "disabled"]
    """Disabled by request, by an answer 410, or after ten attempts in vain."""
    created_at: str


class WebhookDeliveries(TypedDict):
    deliveries: list[WebhookDelivery]
    next_cursor: str | None


class WebhookDelivery(TypedDict):
    id: str
    event_id: str
    """The `webhook-id` that the receiver sees, at each attempt and when it is sent again."""
    event_type: Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready", "webhook.test"]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    response_status: int | None
    """Of the last attempt; null when there was no answer."""
    response_body: str | None
    """How the last answer’s body begins: 1 KiB at most, with U+FFFD for what is no UTF-8, and for NUL. Null when
    there was no answer.
    """
    duration_ms: int | None
    """How long the last attempt took, to the end of the answer or its failure. Null before the first."""
    next_attempt_at: str | None
    created_at: str


class WebhookDeliveryDetails(TypedDict):
    id: str
    event_id: str
    """The `webhook-id` that the receiver sees, at each attempt and when it is sent again."""
    event_type: Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready", "webhook.test"]
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    response_status: int | None
    """Of the last attempt; null when there was no answer."""
    response_body: str | None
    """How the last answer’s body begins: 1 KiB at most, with U+FFFD for what is no UTF-8, and for NUL. Null when
    there was no answer.
    """
    duration_ms: int | None
    """How long the last attempt took, to the end of the answer or its failure. Null before the first."""
    next_attempt_at: str | None
    created_at: str
    payload: str
    """The body as it is sent, which is what is signed: JSON text."""
    attempt_history: list[WebhookDeliveryDetailsAttemptHistory]
    """The attempts in their order, also those before it was sent again: the newest 20. Attempts of releases that
    kept none are not there.
    """


class WebhookDeliveryDetailsAttemptHistory(TypedDict):
    attempted_at: str
    duration_ms: int
    response_status: int | None
    response_body: str | None
    """How the answer’s body begins, as in `response_body` of the delivery."""
    failure: Literal["timeout", "not_resolved", "not_allowed", "not_connected", "certificate_refused", "connection_broken"] | None
    """Why there was no answer."""


class WebhookWithSecret(TypedDict):
    id: str
    url: str
    event_types: list[Literal["memory.regime_changed", "memory.consolidation_completed", "memory.pattern_limit_warning", "memory.pattern_limit_reached", "billing.payment_failed", "account.key_expiring", "organization.member_joined", "account.export_ready"]] | None
    description: str | None
    status: Literal["active", "disabled"]
    """Disabled by request, by an answer 410, or after ten attempts in vain."""
    created_at: str
    secret: str
    """`whsec_…`, in this answer and nowhere else."""


class Webhooks(TypedDict):
    webhooks: list[Webhook]
