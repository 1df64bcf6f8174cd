import { parseArgs } from 'node:util'
import {
  operateUsers,
  type ShownUser,
  type UserAnswer,
  UserRequest,
} from '@memory/identity/accounts/operator'
import type { Config } from '@memory/shared/platform/config'
import { type CommandOutput, requireNoMore, UsageError } from './command.ts'
import { printable } from './format.ts'
import { operate } from './operator.ts'

const commands: readonly string[] = UserRequest.options.map(({ shape }) => shape.command.value)

/** Whether it is one of the commands about users. */
export const isUserCommand = (command: string | undefined): boolean =>
  command !== undefined && commands.includes(command)

/** Finds a user, or changes what one may do. @throws Failure, UsageError */
export async function operateUsersOf(config: Config, args: string[], output: CommandOutput): Promise<void> {
  const request = readUserRequest(args)
  const answer = await operate(
    config,
    '/ops/users',
    ({ queries }) => operateUsers(queries, request),
    (ask) => ask(request),
  )
  show(answer, request.email, output)
}

function readUserRequest(args: string[]): UserRequest {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { organization: { type: 'string' } },
  })
  const [command, email, ...others] = positionals
  requireNoMore(others)
  if (values.organization !== undefined && command !== 'add-owner') {
    throw new UsageError('--organization is for add-owner.')
  }
  const request = UserRequest.safeParse({ command, email, organization: values.organization })
  if (request.success) return request.data
  throw new UsageError(
    request.error.issues[0]?.path[0] === 'organization'
      ? '--organization is the id of an organization, a UUID.'
      : 'Say whose account: the email address that it was registered with.',
  )
}

function show(answer: UserAnswer, email: string, output: CommandOutput): void {
  if (answer.command === 'find') {
    output.result(answer.user, () => {
      for (const line of describe(answer.user)) output.write(line)
    })
    return
  }
  const { command, ...result } = answer
  output.result({ email, ...result }, () => {
    for (const line of report(answer, email)) output.write(line)
  })
}

/** What was done, or was so already. */
function report(answer: Exclude<UserAnswer, { command: 'find' }>, email: string): string[] {
  const { changed } = answer
  switch (answer.command) {
    case 'suspend':
      return [
        changed
          ? `Suspended. Access tokens of ${email} are refused from now on, and so is signing in.`
          : `${email} is suspended already.`,
        'API keys of organizations go on; npm run keys lists and revokes them.',
        ...answer.organizations.map(
          ({ id, name, role }) => `organization    ${[id, role, printable(name)].join('  ')}`,
        ),
      ]
    case 'activate':
      return [
        changed
          ? `Active. ${email} can sign in again; sessions from before that have not expired go on.`
          : `${email} is active already.`,
      ]
    case 'disable-mfa':
      return changed
        ? [`${email} signs in with the password alone from now on.`, 'No mail says so: tell them.']
        : [`${email} has no second factor.`]
    case 'add-owner':
      return [
        changed
          ? `${email} owns organization ${answer.organization}. Requests name it in X-Organization-Id.`
          : `${email} owns organization ${answer.organization} already.`,
      ]
  }
}

function describe(user: ShownUser): string[] {
  const facts: [name: string, value: string][] = [
    ['id', user.id],
    ['email', user.email],
    ['status', user.status],
    ['verified', user.verifiedAt ?? 'no'],
    ['MFA', user.hasMfa ? 'on' : 'off'],
    ['platform admin', user.isPlatformAdmin ? 'yes' : 'no'],
    ['created', user.createdAt],
    ['last login', user.lastLoginAt],
    ...user.organizations.map(({ id, name, plan, role }): [string, string] => [
      'organization',
      [id, plan, role, printable(name)].join('  '),
    ]),
  ]
  return facts.map(([name, value]) => `${name.padEnd(16)}${value}`)
}
