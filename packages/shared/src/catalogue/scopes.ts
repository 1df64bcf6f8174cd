/**
 * What an API key may be allowed to do. A key whose scopes are null may do everything. `memory:write` includes what a change
 * answers; a request of such an operation that only reads, as a dry run does, needs `memory:read` too.
 */
export const scopes = [
  'memory:read',
  'memory:write',
  'usage:read',
  'notifications:read',
  'notifications:write',
  'webhooks:read',
  'webhooks:write',
  'ops:run',
] as const

export type Scope = (typeof scopes)[number]
