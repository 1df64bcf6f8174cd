/** What the comparison of fields does not show, by operation. */
export const notes: Record<string, string> = {
  'POST /v1/auth/register': 'Says with a 409 that an address is taken.',
  'POST /v1/auth/login': '`mfa_token` is the temporary token for `mfa/login`: 5 minutes, 5 attempts.',
  'POST /v1/auth/refresh': 'Of parallel ones with one token one succeeds; a spent token ends its session.',
  'POST /v1/auth/mfa/login': 'Without `token` it is a 401.',
  'DELETE /v1/users/me':
    'After 30 days the account and the organizations that nobody else belongs to are erased.',
  'GET /v1/api-keys': 'Revoked keys are not listed, expired ones are.',
  'POST /v1/memory/text/recall': '`info` is described in the API reference.',
  'POST /v1/memory/text/explain':
    'Quotes what is stored; where nothing fits, `method` is `no_evidence` and confidence 0.',
  'DELETE /v1/memory/text/forget':
    'Without query, category, filter and subject it is a 422. `filter` alone removes vectors too. What contradicts the query is kept, and in `kept`, unless `guard` is false.',
  'POST /v1/memory/query/semantic':
    'Deprecated, with the headers `Deprecation` and `Link`; answers as `/v1/memory/retrieve`.',
  'PUT /v1/memory/pattern':
    'Of several patterns with the key the newest; 409 for a text, which `PATCH` changes.',
  'DELETE /v1/memory/pattern': 'Removes every pattern with that key; the body is the key alone.',
  'POST /v1/memory/batch/store': 'Up to 5,000 patterns, in one transaction.',
  'POST /v1/memory/batch/retrieve': 'Up to 1,000 queries; each counts as one.',
  'POST /v1/memory/sleep':
    '`bypassed` is true where the regime lets the space not sleep: then all counts are 0.',
  'GET /v1/memory/brain': '`head_weights` in the order semantic, lexical, associative, contiguity, salience.',
  'GET /v1/memory/acceleration/status':
    '`fallback_to_python` is true where the native kernels are not in use; the fallback is JavaScript.',
  'POST /v1/memory/acceleration/benchmark':
    '`python_ms` keeps its name and is the time of the JavaScript kernels; without native ones `rust_ms` and `speedup` are null.',
  'GET /v1/security/audit-log': 'Admins see what concerns the organization, others what they did.',
  'GET /v1/security/sessions': '`location` is “Unknown”.',
}
