import type { ErrorCode } from '@memory/shared/catalogue/errors'

/** What the caller does about each error: one that is told nothing does not compile. */
export const remedies: Record<ErrorCode, string> = {
  malformed_request: 'What came is no HTTP/1.1 request: look at the client, or at the proxy between.',
  repeated_header: 'Send each of these headers once. Often a proxy or a default of the client adds a second.',
  malformed_content_type:
    "Send `Content-Type: application/json`, and the body in UTF-8. curl sends a form unless told: `-H 'Content-Type: application/json'`.",
  malformed_json:
    'The body is no JSON. Often a quote that the shell took: put the body in single quotes, or in a file (`-d @body.json`).',
  not_authenticated:
    'Send the key in `X-API-Key`, or a token in `Authorization: Bearer`. A key in the address is refused, also beside good credentials.',
  invalid_api_key:
    'The key is misspelt, unknown, revoked or expired: make another one. A new data folder has a new key, in `local-api-key`.',
  token_expired: 'Get the next access token with the refresh token, at `POST /v1/auth/refresh`.',
  token_revoked: 'The session has ended, or the account is gone: sign in again.',
  invalid_token:
    '`Authorization: Bearer` takes the access token of `POST /v1/auth/login`. Tokens of mails and refresh tokens work once: ask for another one.',
  invalid_login: 'Check email and password. It says the same for an address without an account.',
  invalid_signature:
    'Sign the billing event with the secret that `MEMORY_BILLING_SECRET` has, and send it when it is signed.',
  invalid_mfa_code:
    'Each code works once: wait for the next one, check the clock of the device, or use a recovery code.',
  user_token_required:
    'API keys reach memory, embeddings, MCP, usage, notifications and webhooks. Sign in for accounts, keys and members.',
  organization_admin_required: 'Ask an admin or owner of the organization to do it, or to make you one.',
  organization_owner_required: 'Ask an owner of the organization to do it, or to make you one.',
  platform_admin_required:
    'It is for those who run the service: an address of `MEMORY_PLATFORM_ADMINS`, once it is verified.',
  wrong_password: 'Send the password that the account has now as the current one.',
  account_deleted: 'A platform admin can restore the account until it is erased.',
  account_suspended: 'Ask those who run the service: `npm run accounts -- activate EMAIL` lifts it.',
  invitation_of_another: 'Sign in with the address that the invitation was sent to.',
  plan_exceeded: 'Remove what is not needed, or have the [plan](limits.md#plans) changed.',
  subject_bound:
    'The key or token is for one end user: use one of the organization for what concerns the space as a whole.',
  other_subject: 'Leave `subject` out, or use the key or token of that end user.',
  foreign_origin:
    'Set `PUBLIC_BASE_URL` to the address that clients use, and `CORS_ORIGINS` for the pages of browsers.',
  insufficient_scope: 'Use a key that has the scope that is named.',
  foreign_page:
    'The console’s own endpoints answer its own pages alone. Reload the page; behind a proxy, set `PUBLIC_BASE_URL` to the address that browsers use, or have the proxy keep `Host`.',
  not_found:
    'No such path: see [what there is](what-it-does.md). Paths are exact, without a slash at their end.',
  pattern_not_found:
    'It was deleted or has expired, or the key is of another space (live or test) or organization.',
  version_not_found:
    'See `GET /v1/memory/patterns/{pattern_id}/history`: it was never there, is too old to be kept, or was redacted.',
  conflict_not_found:
    'See `GET /v1/memory/conflicts`: one of its texts was changed, deleted or superseded, or has expired.',
  subject_not_found:
    'The name is compared exactly: `GET /v1/memory/subjects` lists those of whom something is stored.',
  organization_not_found:
    'Check the id in the path or in `X-Organization-Id`: it has to be one that you belong to.',
  user_not_found: 'Check the id.',
  member_not_found: 'Check the id: who has left is no member any more.',
  invitation_not_found: 'It was used, withdrawn or has expired: have another one sent.',
  api_key_not_found: 'Check the `id` of the key, which is not the key itself.',
  session_not_found: 'It has ended already, or is of another user.',
  export_not_found: 'It has expired, or is of another user: ask for another one.',
  notification_not_found: 'It was deleted, or is of another organization.',
  webhook_not_found: 'It was deleted, or is of another organization.',
  job_not_found: 'It is done, was removed, or is too old to be kept.',
  delivery_not_found: 'It is too old to be listed, or is of another webhook.',
  method_not_allowed: 'The header `Allow` says which methods the path has.',
  request_too_slow: 'Send headers and body without pauses; on a slow network send less at a time.',
  idempotent_twin_running: 'Ask again after `Retry-After`: you then get the answer of the first.',
  benchmark_running: 'One runs in a process at a time: ask again when it has ended.',
  consolidation_running:
    'One sleep or exploration runs in a space at a time: ask again later, or let it be. One whose process was killed holds its space for up to 4 s.',
  text_pattern: 'Change texts with `PATCH`, which embeds them anew.',
  key_of_several_texts: 'Find the patterns with `GET /v1/memory/patterns` and delete each by its id.',
  external_id_exists:
    'Another pattern has it: leave out `on_conflict: "error"` to replace that one, or take another id. One of another `subject` is not replaced: put the subject into the id, or change whose it is by `PATCH`.',
  pattern_of_other_kind: 'Take another `external_id`, or delete the pattern that has it first.',
  current_version: 'Change the pattern with `PATCH` and redact the version before, or delete it whole.',
  conflict_resolved:
    'See its `status` and `winner`. `POST …/reopen` takes it back; where one pattern took the place of the other, after that one was reverted.',
  already_superseded:
    'See `superseded_by` of the pattern: name that one in `supersedes`, so that one follows the other. To reopen a conflict, revert the pattern that lost its place first.',
  email_taken: 'Sign in, or ask for a new password with `POST /v1/auth/forgot-password`.',
  refresh_in_progress: 'Another request has used this refresh token just now: take the tokens that it got.',
  mfa_enabled: 'Turn it off first, to begin anew.',
  mfa_not_enabled: 'There is nothing to turn off.',
  mfa_not_enrolling: 'Begin with `POST /v1/auth/mfa/setup`.',
  last_owner: 'Make somebody else an owner first.',
  already_member: 'Nothing is left to do.',
  account_is_deleted:
    'Restore the account first (`POST /v1/admin/users/{user_id}/restore`); after 30 days it is erased.',
  own_account: 'Have another platform admin do it, or whoever runs the service: `npm run accounts`.',
  account_not_deleted: 'Nothing is left to do.',
  job_not_failed: 'Only what has failed is done again or removed: wait until it has, or leave it.',
  export_running: 'Wait for the one that is being prepared.',
  export_not_ready: 'Ask for its `status` until that is `ready`.',
  streams_full: 'Close some of the organization’s, then follow `Retry-After`.',
  webhooks_full: 'Delete one that is not needed.',
  webhook_disabled: 'Repair the receiver, then enable the webhook: `PATCH` with `{"status": "active"}`.',
  version_mismatch: 'Somebody else has changed it: get it again, and repeat the change with its `ETag`.',
  body_too_large: 'Send less at a time: [how much](limits.md#http-and-memory).',
  expectation_failed: 'Leave the header `Expect` away, or send `Expect: 100-continue`.',
  too_many_requests:
    'Ask again after `Retry-After`, with fewer requests at a time: [how many](operating.md#what-one-client-may-take).',
  too_many_attempts: 'Wait for `Retry-After`: [how many](limits.md#attempts).',
  query_limit_reached:
    'Searches of the [plan](limits.md#plans) are used up: wait for `Retry-After` (midnight, UTC), or have the plan changed.',
  pattern_limit_reached: 'Delete or forget what is not needed, or have the [plan](limits.md#plans) changed.',
  headers_too_large: 'Send fewer or shorter headers: [how much](limits.md#http-and-memory).',
  abandoned: 'The client hung up, so no one reads this; it stands in logs and metrics.',
  internal:
    'A fault of the service. The log has it under the `X-Request-Id` of the answer: please report it.',
  unavailable:
    'The database can’t be reached or its disk is full, or the process is overloaded or ending; of the operators’ queues: what keeps them can’t be reached. Ask again after `Retry-After`; see `/readyz`.',
}

/** What the caller does about the entries of a 422, by their `type`. */
export const fieldRemedies: readonly (readonly [types: readonly string[], what: string])[] = [
  [['missing'], 'Send the field that `loc` names.'],
  [
    [
      ...[
        'string_type',
        'int_type',
        'float_type',
        'bool_type',
        'list_type',
        'dict_type',
        'model_attributes_type',
      ],
      ...['uuid_type', 'datetime_type', 'url_type', 'none_required'],
    ],
    'Send the JSON type that `msg` names. Nothing is coerced: `"3"` is no number.',
  ],
  [
    [
      ...[
        'int_parsing',
        'int_parsing_size',
        'int_from_float',
        'float_parsing',
        'bool_parsing',
        'uuid_parsing',
      ],
      ...['datetime_from_date_parsing', 'url_parsing'],
    ],
    'What was sent can’t be read as what `msg` names. Times are ISO 8601, such as `2026-05-03T09:00:00Z`.',
  ],
  [
    [
      ...['string_too_short', 'string_too_long', 'too_short', 'too_long', 'url_too_long', 'finite_number'],
      ...['greater_than', 'greater_than_equal', 'less_than', 'less_than_equal'],
    ],
    'Keep to the bound, which stands in `ctx`. Of texts, white space and invisible characters alone count as none.',
  ],
  [
    ['literal_error', 'enum', 'string_pattern_mismatch', 'url_scheme'],
    'Send one of the values, or the pattern, that `ctx` names.',
  ],
  [
    ['extra_forbidden'],
    'The operation has no such field there, and without it the request [would mean more, or something else](endpoints.md#fields-that-an-operation-does-not-have): mostly a misspelling, or in the query what belongs into the body.',
  ],
  [['value_error'], '`msg` says which rule the value breaks.'],
]
