import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { scopes } from '@memory/shared/catalogue/scopes'
import { z } from 'zod'

const environments = ['live', 'test'] as const
const when = z.iso.datetime()

const keyName = f.text(1, limits.keyNameChars).meta({ examples: ['production'] })
const scopesIn = f.list(f.choice(scopes), 0, scopes.length).nullable().optional().meta({
  description:
    'null: full access. An empty list grants nothing. `memory:write` includes what a change answers: the pattern as it is then, or the ids of what went.',
})
const expiresAt = f
  .timestamp()
  .nullable()
  .optional()
  .meta({ description: 'From this moment the key is refused; null never. Must be in the future.' })

/** The example of a body with a timestamp: zod leaves `examples` out of what it changes as it reads. */
const example = (body: object) => ({ override: { examples: [body] } })

const shown = {
  id: z.guid(),
  name: z.string(),
  key_prefix: z.string().meta({ description: 'The first 16 characters of the key.' }),
  environment: z.enum(environments),
  scopes: z.array(z.enum(scopes)).nullable().meta({ description: 'null: full access.' }),
  subject: z
    .string()
    .nullable()
    .meta({ description: 'The end user whom the key is bound to; null for none.' }),
  shared: z.boolean().meta({ description: 'Whether it also reads patterns of no subject.' }),
}

const ApiKey = z
  .object({
    ...shown,
    last_used_at: when.nullable(),
    expires_at: when.nullable(),
    created_at: when,
  })
  .meta({ id: 'ApiKey' })

const key = { key_id: f.uuid() }
const organization = { org_id: f.uuid() }

const list = {
  method: 'get',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'Keys that are not revoked, oldest first; expired ones among them. For every member.',
  access: 'user',
  response: z.array(ApiKey),
} as const

const create = {
  method: 'post',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'The value of the key is in this answer and nowhere else. For administrators.',
  access: 'user',
  body: z
    .object({
      name: keyName,
      environment: f.choice(environments).default('live'),
      scopes: scopesIn,
      expires_at: expiresAt,
      subject: f.subjectName().nullable().optional().meta({
        description:
          'Binds the key to an end user: it stores, finds, changes and removes patterns of this subject alone, and opens nothing of the space or the organization as a whole. It stays so, and its scopes are `memory:read` and `memory:write` at most.',
      }),
      shared: f.boolean().default(false).meta({
        description: 'With a subject: the key also reads patterns of no subject, and changes none of them.',
      }),
    })
    .meta({
      id: 'CreateApiKeyRequest',
      ...example({ name: 'chatbot', environment: 'live', scopes: ['memory:read', 'memory:write'] }),
    }),
  response: z
    .object({ ...shown, key: z.string(), created_at: when, message: z.string() })
    .meta({ id: 'CreatedApiKey' }),
  errors: ['organization_admin_required', 'plan_exceeded'],
} as const

const change = {
  method: 'patch',
  tag: 'API keys',
  summary: 'Change an API key',
  description:
    'Fields that are absent stay. What changes holds for every request from the answer on. For administrators.',
  access: 'user',
  body: z
    .object({
      name: keyName.nullable().optional().meta({ description: 'null: stays.' }),
      scopes: scopesIn,
      expires_at: expiresAt,
    })
    .meta({
      id: 'ChangeApiKeyRequest',
      ...example({ name: 'reader', scopes: ['memory:read'] }),
    }),
  response: ApiKey,
  errors: ['organization_admin_required', 'plan_exceeded', 'api_key_not_found'],
} as const

const revoke = {
  method: 'delete',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'From the answer on, requests with the key are refused. For administrators.',
  access: 'user',
  response: Message,
  errors: ['organization_admin_required', 'api_key_not_found'],
} as const

export const ListKeys = operation({ ...list, id: 'listApiKeys', path: '/v1/api-keys' })
export const CreateKey = operation({ ...create, id: 'createApiKey', path: '/v1/api-keys' })
export const ChangeKey = operation({
  ...change,
  id: 'changeApiKey',
  path: '/v1/api-keys/{key_id}',
  params: z.object(key),
})
export const RevokeKey = operation({
  ...revoke,
  id: 'revokeApiKey',
  path: '/v1/api-keys/{key_id}',
  params: z.object(key),
})

export const ListOrganizationKeys = operation({
  ...list,
  id: 'listOrganizationApiKeys',
  path: '/v1/organizations/{org_id}/api-keys',
  params: z.object(organization),
})
export const CreateOrganizationKey = operation({
  ...create,
  id: 'createOrganizationApiKey',
  path: '/v1/organizations/{org_id}/api-keys',
  params: z.object(organization),
})
export const ChangeOrganizationKey = operation({
  ...change,
  id: 'changeOrganizationApiKey',
  path: '/v1/organizations/{org_id}/api-keys/{key_id}',
  params: z.object({ ...organization, ...key }),
})
export const RevokeOrganizationKey = operation({
  ...revoke,
  id: 'revokeOrganizationApiKey',
  path: '/v1/organizations/{org_id}/api-keys/{key_id}',
  params: z.object({ ...organization, ...key }),
})
