import { ListSigningKeys } from '@memory/identity/tokens/schema'
import { type Endpoint, endpoint } from '../http/endpoint.ts'

export const tokenRoutes: readonly Endpoint[] = [
  endpoint(ListSigningKeys, async ({ context }) => ({
    keys: [...(await context.callers.accessTokens.jwks()).keys, ...(await context.receipts.published())],
  })),
]
