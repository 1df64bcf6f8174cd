import { ListSigningKeys } from '@memory/identity/tokens/schema'
import { type Endpoint, endpoint } from '../http/endpoint.ts'

export const tokenRoutes: readonly Endpoint[] = [
  endpoint(ListSigningKeys, ({ context }) => context.callers.accessTokens.jwks()),
]
