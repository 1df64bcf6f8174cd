import { parseArgs } from 'node:util'
import {
  operateSigningKeys,
  type ShownKey,
  type SigningKeyAnswer,
  SigningKeyRequest,
} from '@memory/identity/tokens/operator'
import type { Config } from '@memory/shared/platform/config'
import type { Database } from '@memory/shared/platform/database/database'
import { openSecrets } from '@memory/shared/platform/master-key'
import { isListCommand, listOf } from './accounts-lists.ts'
import { isUserCommand, operateUsersOf } from './accounts-users.ts'
import {
  asNamed,
  type CommandOutput,
  Failure,
  jsonHelp,
  requireNoMore,
  runCommand,
  UsageError,
} from './command.ts'
import { operate, readSettings } from './operator.ts'
import { reapplyErasuresOf } from './reapply-erasures.ts'

const help = `Accounts, for operators.

  npm run accounts -- list-users [--organization ID]
  npm run accounts -- list-organizations
  npm run accounts -- list-receipts --organization ID
  npm run accounts -- find EMAIL
  npm run accounts -- suspend EMAIL
  npm run accounts -- activate EMAIL
  npm run accounts -- disable-mfa EMAIL
  npm run accounts -- add-owner EMAIL [--organization ID]
  npm run accounts -- list-signing-keys
  npm run accounts -- rotate-signing-key
  npm run accounts -- retire-signing-key KID
  npm run accounts -- reapply-erasures [--ledger FILE]

list-users lists all users, with --organization the members of one; list-organizations all organizations, the deleted
ones until they are erased; list-receipts the signed receipts of what was erased of an organization, also of one that is
erased itself. find shows a user and the organizations that the user is a member of. suspend refuses the user's access tokens and
sign-in until activate; API keys of organizations go on. disable-mfa is for a user who has lost the authenticator app and the
recovery codes: signing in takes the password alone then. Be sure who asks for it. add-owner makes a user an owner of an
organization, without --organization of the local one that the first start made: so an account takes over what was stored
before it.

Access tokens are signed with a key that the service replaces every 30 days. rotate-signing-key replaces it now: the new
key is published at once and signs some minutes later, when everybody has it; tokens stay valid. retire-signing-key is
for a key that became known: every token that it signed is refused at once, and users refresh theirs.
All these work beside a running service and without one, and say on standard error on which database.
${jsonHelp}

reapply-erasures is for a database that was restored from a backup: users and organizations that MEMORY_DATA_DIR's
erasures.ndjson says were erased are erased again. --ledger names the erasures.ndjson of another process that erased, as a
worker with a data folder of its own; it may be repeated. Run it before the service starts.`

async function accounts(args: string[], output: CommandOutput): Promise<void> {
  const config = readSettings(process.env)
  const [command] = args
  if (command === 'reapply-erasures') {
    const { values } = parseArgs({
      args: args.slice(1),
      options: { ledger: { type: 'string', multiple: true, default: [] } },
    })
    const ledgers = values.ledger.map((file) => asNamed(file, process.env))
    await reapplyErasuresOf(config, ledgers, output)
  } else if (isUserCommand(command)) await operateUsersOf(config, args, output)
  else if (isListCommand(command)) await listOf(config, args, output)
  else await operateSigningKeysOf(config, args, output)
}

async function operateSigningKeysOf(config: Config, args: string[], output: CommandOutput): Promise<void> {
  const request = readRequest(args)
  const perform = async ({ queries }: Database) =>
    operateSigningKeys({ queries, secrets: await openSecrets(queries, config) }, request)
  show(await operate(config, '/ops/accounts', perform, (ask) => ask(request)), output)
}

function readRequest(args: string[]): SigningKeyRequest {
  // An id may begin with a dash, so nothing here is read as an option.
  const [command, kid] = args
  const request = SigningKeyRequest.safeParse({ command, kid })
  if (request.success) {
    requireNoMore(args.slice(request.data.command === 'retire-signing-key' ? 2 : 1))
    return request.data
  }
  throw new UsageError(
    request.error.issues[0]?.path[0] === 'kid'
      ? 'Say which key: its id is in list-signing-keys.'
      : 'Say list-users, list-organizations, list-receipts, find, suspend, activate, disable-mfa, add-owner, list-signing-keys, rotate-signing-key, retire-signing-key or reapply-erasures.',
  )
}

function show(answer: SigningKeyAnswer, output: CommandOutput): void {
  switch (answer.command) {
    case 'list-signing-keys':
      output.result({ keys: answer.keys }, () => {
        for (const key of answer.keys) output.write(describe(key))
        if (answer.keys.length === 0) console.error('There is no key yet: the first token makes one.')
      })
      break
    case 'rotate-signing-key': {
      const { kid, signsFrom } = answer
      output.result({ kid, signsFrom }, () => output.write(`${kid} signs from ${signsFrom}.`))
      break
    }
    case 'retire-signing-key':
      if (!answer.retired) throw new Failure('There is no such key that still holds.')
      output.result({ retired: true }, () =>
        output.write('Retired. Tokens that it signed are refused from now on.'),
      )
  }
}

function describe({ kid, state, signsFrom, signsUntil, retiredAt }: ShownKey): string {
  const times = [
    `signs from ${signsFrom}`,
    signsUntil === null ? '' : `to ${signsUntil}`,
    retiredAt === null ? '' : `tokens end ${retiredAt}`,
  ]
  return [kid, state, ...times].filter((part) => part !== '').join('  ')
}

await runCommand(accounts, help)
