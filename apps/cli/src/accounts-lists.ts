import { parseArgs } from 'node:util'
import {
  type ListAnswer,
  type ListedOrganization,
  type ListedUser,
  ListRequest,
  operateLists,
} from '@memory/identity/accounts/operator-lists'
import type { Config } from '@memory/shared/platform/config'
import { type CommandOutput, requireNoMore, UsageError } from './command.ts'
import { printable } from './format.ts'
import { type Ask, operate } from './operator.ts'

const commands: readonly string[] = ListRequest.options.map(({ shape }) => shape.command.value)

/** Whether it is one of the commands that list. */
export const isListCommand = (command: string | undefined): boolean =>
  command !== undefined && commands.includes(command)

/** Lists users, organizations, or the receipts of an organization. @throws Failure, UsageError */
export async function listOf(config: Config, args: string[], output: CommandOutput): Promise<void> {
  const request = readListRequest(args)
  const { users, organizations, receipts } = await operate(
    config,
    '/ops/lists',
    ({ queries }, page: ListRequest) => operateLists(queries, page),
    (ask) => readAll(ask, request),
  )
  if (request.command === 'list-users') {
    output.result({ users }, () => {
      for (const user of users) output.write(describeUser(user))
      if (users.length === 0) console.error('There are no users.')
    })
    return
  }
  if (request.command === 'list-receipts') {
    output.result({ receipts }, () => {
      for (const receipt of receipts) output.write(receipt)
      if (receipts.length === 0) console.error('There are no receipts of this organization.')
    })
    return
  }
  output.result({ organizations }, () => {
    for (const organization of organizations) output.write(describeOrganization(organization))
    if (organizations.length === 0) console.error('There are no organizations.')
  })
}

function readListRequest(args: string[]): ListRequest {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { organization: { type: 'string' } },
  })
  const [command, ...others] = positionals
  requireNoMore(others)
  const { organization } = values
  if (organization !== undefined && command === 'list-organizations') {
    throw new UsageError('--organization is for list-users and list-receipts.')
  }
  const request = ListRequest.safeParse({ command, organization })
  if (request.success) return request.data
  throw new UsageError('--organization is the id of an organization, a UUID.')
}

/** Asks for page after page. */
async function readAll(ask: Ask<ListRequest, ListAnswer>, request: ListRequest) {
  const users: ListedUser[] = []
  const organizations: ListedOrganization[] = []
  const receipts: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await ask({ ...request, after })
    if (page.command === 'list-users') users.push(...page.users)
    else if (page.command === 'list-receipts') receipts.push(...page.receipts)
    else organizations.push(...page.organizations)
    if (page.next === null) break
    after = page.next
  }
  return { users: users.sort(oldestFirst), organizations: organizations.sort(oldestFirst), receipts }
}

const oldestFirst = (a: { createdAt: string }, b: { createdAt: string }): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt)

function describeUser({ id, email, status, verifiedAt, isPlatformAdmin, ...user }: ListedUser): string {
  return [
    ...[id, email, status, verifiedAt === null ? 'not verified' : 'verified'],
    ...(user.role === undefined ? [] : [user.role]),
    ...(isPlatformAdmin ? ['platform admin'] : []),
    ...[`created ${user.createdAt}`, `last login ${user.lastLoginAt}`],
  ].join('  ')
}

function describeOrganization({ id, plan, members, createdAt, deletedAt, name }: ListedOrganization): string {
  return [
    ...[id, plan, `members ${members}`, `created ${createdAt}`],
    ...(deletedAt === null ? [] : [`deleted ${deletedAt}`]),
    printable(name),
  ].join('  ')
}
