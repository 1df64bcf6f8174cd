import { ApiError } from './errors.ts'
import type { Caller } from './operation.ts'
import type { Scope } from './scopes.ts'

/** For what an operation does in some of its requests alone. @throws ApiError insufficient_scope */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return
  throw new ApiError('insufficient_scope', { detail: `Insufficient scope: ${scope} required` })
}
