import { asTask, type Queries, type Trx } from '@memory/shared/platform/database/database'
import { receiptsOfOrganization } from '@memory/shared/receipts/kept-receipts'
import { z } from 'zod'
import { UserRefused } from './operator.ts'
import * as store from './operator-list-store.ts'

export type { ListedOrganization, ListedUser } from './operator-list-store.ts'

const after = z.guid().optional()

/** What an operator may list, at the terminal or through the operators' listener: page by page, by id. */
export const ListRequest = z.discriminatedUnion('command', [
  z.object({ command: z.literal('list-users'), organization: z.guid().optional(), after }),
  z.object({ command: z.literal('list-organizations'), after }),
  z.object({ command: z.literal('list-receipts'), organization: z.guid(), after }),
])

export type ListRequest = z.output<typeof ListRequest>

/** A page of a list. `next` is the `after` of the next page; null at the end. */
export type ListAnswer =
  | { command: 'list-users'; users: store.ListedUser[]; next: string | null }
  | { command: 'list-organizations'; organizations: store.ListedOrganization[]; next: string | null }
  | { command: 'list-receipts'; receipts: string[]; next: null }

/**
 * Lists a page of all users, of an organization's members, or of all organizations; or all receipts of erasures in an
 * organization, which may have been erased itself.
 * @throws UserRefused
 */
export async function operateLists(queries: Queries, request: ListRequest): Promise<ListAnswer> {
  if (request.command === 'list-receipts') {
    const { command, organization } = request
    const rows = await receiptsOfOrganization(queries, organization)
    // An erased organization does not exist any more but has receipts, so this is checked only when there are none.
    if (rows.length === 0) {
      await asTask(queries, 'administer-accounts', (trx) => requireOrganization(trx, organization))
    }
    return { command, receipts: rows.map(({ receipt }) => receipt), next: null }
  }
  return asTask(queries, 'administer-accounts', async (trx): Promise<ListAnswer> => {
    if (request.command === 'list-organizations') {
      const organizations = await store.listOrganizations(trx, request.after)
      return { command: request.command, organizations, next: nextOf(organizations) }
    }
    const { command, organization } = request
    if (organization !== undefined) await requireOrganization(trx, organization)
    const users = await store.listUsers(trx, organization, request.after)
    return { command, users, next: nextOf(users) }
  })
}

/** @throws UserRefused */
async function requireOrganization(trx: Trx, id: string): Promise<void> {
  if (!(await store.hasOrganization(trx, id))) throw new UserRefused(`There is no organization ${id}.`)
}

const nextOf = (rows: readonly { id: string }[]): string | null =>
  rows.length < store.pageRows ? null : (rows.at(-1)?.id ?? null)

/** Whether any organization exists. Without one, nobody can have a key. */
export function hasOrganization(queries: Queries): Promise<boolean> {
  return asTask(queries, 'administer-accounts', (trx) => store.hasOrganization(trx))
}
