import { limits } from '@memory/shared/catalogue/limits'
import { planNames } from '@memory/shared/catalogue/plans'
import { scopes } from '@memory/shared/catalogue/scopes'
import type { Queries } from '@memory/shared/platform/database/database'
import { z } from 'zod'
import { createOrganization, isOrganization } from '../organizations/service.ts'
import { localOrganizationId } from './bootstrap.ts'
import { type ShownKey, toApiKey } from './manage-keys.ts'
import { createKey, KeyRefused, listKeys, revokeKey } from './service.ts'

/** What an operator may ask about keys, at the terminal or through the operators' listener. */
export const OperatorRequest = z.discriminatedUnion('command', [
  z.object({
    command: z.literal('create'),
    organization: z.guid().optional(),
    /** Makes an organization of this name and the key in it. */
    newOrganization: z.object({ name: z.string().min(1).max(200), plan: z.enum(planNames) }).optional(),
    name: z.string().min(1).max(limits.keyNameChars),
    environment: z.enum(['live', 'test']),
    scopes: z.array(z.enum(scopes)).nullable(),
    expiresAt: z.iso.datetime({ offset: true }).nullable(),
  }),
  z.object({ command: z.literal('list'), organization: z.guid().optional() }),
  z.object({ command: z.literal('revoke'), organization: z.guid().optional(), id: z.guid() }),
])

export type OperatorRequest = z.output<typeof OperatorRequest>

export type OperatorAnswer =
  | { command: 'create'; organization: string; key: string; listed: ShownKey }
  | { command: 'list'; organization: string; keys: ShownKey[] }
  | { command: 'revoke'; organization: string; revoked: boolean }

/** Does what the operator asks; without an organization, in the local one. @throws KeyRefused */
export async function operateKeys(
  queries: Queries,
  request: OperatorRequest,
  now: Date,
): Promise<OperatorAnswer> {
  const organization = request.organization ?? localOrganizationId
  switch (request.command) {
    case 'create': {
      const { newOrganization, name, environment, scopes } = request
      const expiresAt = request.expiresAt === null ? null : new Date(request.expiresAt)
      // Checked before the organization is made, which would be left without a key.
      if (expiresAt !== null && expiresAt <= now) {
        throw new KeyRefused(`The key would expire at ${expiresAt.toISOString()}, which is in the past`)
      }
      const owner =
        newOrganization === undefined
          ? organization
          : await createOrganization(queries, newOrganization.name, newOrganization.plan)
      const { key, listed } = await createKey(queries, owner, {
        name,
        environment,
        scopes,
        expiresAt,
      })
      return { command: 'create', organization: owner, key, listed: toApiKey(listed) }
    }
    case 'list': {
      const keys = await listKeys(queries, organization)
      if (keys.length === 0 && !(await isOrganization(queries, organization))) {
        throw new KeyRefused(`There is no organization ${organization}`)
      }
      return { command: 'list', organization, keys: keys.map(toApiKey) }
    }
    case 'revoke':
      return { command: 'revoke', organization, revoked: await revokeKey(queries, organization, request.id) }
  }
}
