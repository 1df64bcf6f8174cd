import { ApiError } from './errors.ts'
import type { Caller } from './operation.ts'
import type { Scope } from './scopes.ts'

/** For operations of which only some requests need this scope. @throws ApiError insufficient_scope */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): void {
  if (scopes === null || scopes.includes(scope)) return
  throw new ApiError('insufficient_scope', { detail: `Insufficient scope: ${scope} required` })
}
