import * as f from '@memory/shared/catalogue/fields'
import { Message } from '@memory/shared/catalogue/message'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

export const DeleteAccount = operation({
  id: 'deleteAccount',
  method: 'delete',
  path: '/v1/users/me',
  tag: 'Users',
  summary: 'Delete the account',
  description:
    'Its sessions end at once, and so does everything of the organizations that only this user belongs to: their API keys open nothing any more. Within 30 days whoever runs the service can restore it all; then it is erased. The last owner of an organization with other members has to make one of them its owner first.',
  access: 'user',
  response: Message,
  errors: ['last_owner'],
})

export const RestoreAccount = operation({
  id: 'restoreAccount',
  method: 'post',
  path: '/v1/admin/users/{user_id}/restore',
  tag: 'Administration',
  summary: 'Restore a deleted account',
  description:
    'With the organizations that were deleted together with it, and their API keys. Its sessions stay ended. Within 30 days of the deletion; later the account is not found.',
  access: 'platform_admin',
  params: z.object({ user_id: f.uuid() }),
  response: Message,
  errors: ['user_not_found', 'account_not_deleted'],
})
