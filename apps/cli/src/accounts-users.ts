import { parseArgs } from 'node:util'
import {
  operateUsers,
  type ShownUser,
  type UserAnswer,
  UserRefused,
  UserRequest,
} from '@memory/identity/accounts/operator'
import type { Config } from '@memory/shared/platform/config'
import { consoleOutput, Failure, UsageError } from './command.ts'
import { operate } from './operator.ts'

const commands: readonly string[] = UserRequest.options.map(({ shape }) => shape.command.value)

/** Whether it is one of the commands about users. */
export const isUserCommand = (command: string | undefined): boolean =>
  command !== undefined && commands.includes(command)

/** Finds a user, or changes what one may do. @throws Failure, UsageError */
export async function operateUsersOf(config: Config, args: string[]): Promise<void> {
  const request = readUserRequest(args)
  const answer = await operate(config, '/ops/users', request, async ({ queries }) => {
    try {
      return await operateUsers(queries, request)
    } catch (error) {
      throw error instanceof UserRefused ? new Failure(error.message) : error
    }
  })
  show(answer, request.email)
}

function readUserRequest(args: string[]): UserRequest {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { organization: { type: 'string' } },
  })
  const [command, email, ...others] = positionals
  if (others.length > 0) throw new UsageError(`There is more than a command says: ${others.join(' ')}.`)
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

function show(answer: UserAnswer, email: string): void {
  const { write } = consoleOutput
  switch (answer.command) {
    case 'find':
      for (const line of describe(answer.user)) write(line)
      return
    case 'suspend':
      write(
        answer.changed
          ? `Suspended. Access tokens of ${email} are refused from now on, and so is signing in.`
          : `${email} is suspended already.`,
      )
      write('API keys of organizations go on; npm run keys lists and revokes them.')
      for (const { id, name, role } of answer.organizations) {
        write(`organization    ${[id, role, printable(name)].join('  ')}`)
      }
      return
    case 'activate':
      write(
        answer.changed
          ? `Active. ${email} can sign in again; sessions from before that have not expired go on.`
          : `${email} is active already.`,
      )
      return
    case 'add-owner':
      write(
        answer.changed
          ? `${email} owns organization ${answer.organization}. Requests name it in X-Organization-Id.`
          : `${email} owns organization ${answer.organization} already.`,
      )
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

/** A name that a tenant chose, without characters that a terminal or a text's direction would obey. */
const printable = (name: string) => name.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd')
