import {
  operateSigningKeys,
  type SigningKeyAnswer,
  SigningKeyRequest,
} from '@memory/identity/tokens/operator'
import { openSecrets } from '@memory/shared/platform/master-key'
import { isUserCommand, operateUsersOf } from './accounts-users.ts'
import { consoleOutput, Failure, runCommand, UsageError } from './command.ts'
import { operate, readSettings } from './operator.ts'
import { reapplyErasuresOf } from './reapply-erasures.ts'

const help = `Accounts, for operators.

  npm run accounts -- find EMAIL
  npm run accounts -- suspend EMAIL
  npm run accounts -- activate EMAIL
  npm run accounts -- add-owner EMAIL [--organization ID]
  npm run accounts -- list-signing-keys
  npm run accounts -- rotate-signing-key
  npm run accounts -- retire-signing-key KID
  npm run accounts -- reapply-erasures

find shows a user and the organizations that the user is a member of. suspend refuses the user's access tokens and
sign-in until activate; API keys of organizations go on. add-owner makes a user an owner of an organization, without
--organization of the local one that the first start made: so an account takes over what was stored before it.

Access tokens are signed with a key that the service replaces every 30 days. rotate-signing-key replaces it now: the new
key is published at once and signs some minutes later, when everybody has it; tokens stay valid. retire-signing-key is
for a key that became known: every token that it signed is refused at once, and users refresh theirs.
All these work beside a running service and without one.

reapply-erasures is for a database that was restored from a backup: users and organizations that MEMORY_DATA_DIR's
erasures.ndjson says were erased are erased again. Run it before the service starts.`

async function accounts(args: string[]): Promise<void> {
  const config = readSettings(process.env)
  if (args[0] === 'reapply-erasures') {
    await reapplyErasuresOf(config)
    return
  }
  if (isUserCommand(args[0])) {
    await operateUsersOf(config, args)
    return
  }
  const request = readRequest(args)
  show(
    await operate(config, '/ops/accounts', request, async ({ queries }) =>
      operateSigningKeys({ queries, secrets: await openSecrets(queries, config) }, request),
    ),
  )
}

function readRequest(args: string[]): SigningKeyRequest {
  // An id may begin with a dash, so nothing here is read as an option.
  const [command, kid, ...others] = args
  if (others.length > 0) throw new UsageError(`There is more than a command says: ${others.join(' ')}.`)
  const request = SigningKeyRequest.safeParse({ command, kid })
  if (request.success) return request.data
  throw new UsageError(
    request.error.issues[0]?.path[0] === 'kid'
      ? 'Say which key: its id is in list-signing-keys.'
      : 'Say find, suspend, activate, add-owner, list-signing-keys, rotate-signing-key, retire-signing-key or reapply-erasures.',
  )
}

function show(answer: SigningKeyAnswer): void {
  const { write } = consoleOutput
  switch (answer.command) {
    case 'list-signing-keys':
      for (const { kid, state, signsFrom, signsUntil, retiredAt } of answer.keys) {
        const times = [
          `signs from ${signsFrom}`,
          signsUntil === null ? '' : `to ${signsUntil}`,
          retiredAt === null ? '' : `tokens end ${retiredAt}`,
        ]
        write([kid, state, ...times].filter((part) => part !== '').join('  '))
      }
      if (answer.keys.length === 0) console.error('There is no key yet: the first token makes one.')
      return
    case 'rotate-signing-key':
      write(`${answer.kid} signs from ${answer.signsFrom}.`)
      return
    case 'retire-signing-key':
      if (!answer.retired) throw new Failure('There is no such key that still holds.')
      write('Retired. Tokens that it signed are refused from now on.')
  }
}

await runCommand(accounts, help)
