import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { jwksLifetimeS } from './signing-keys.ts'

const SigningKey = z
  .object({
    kty: z.literal('RSA'),
    kid: z.string().meta({ description: 'RFC 7638 thumbprint.' }),
    use: z.literal('sig'),
    alg: z.literal('RS256'),
    n: z.string(),
    e: z.string(),
  })
  .meta({ id: 'SigningKey' })

export const ListSigningKeys = operation({
  id: 'listSigningKeys',
  method: 'get',
  path: '/.well-known/jwks.json',
  tag: 'Authentication',
  summary: 'The public keys that access tokens and receipts of erasures are signed with, as a JWK set',
  description:
    'Whoever verifies access tokens on their own may keep this answer for as long as `Cache-Control` says. Keys of receipts stay in it for good; an access token names none of them.',
  access: 'anyone',
  response: z.object({ keys: z.array(SigningKey) }).meta({ id: 'SigningKeys' }),
  keepS: jwksLifetimeS,
})
