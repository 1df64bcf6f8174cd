import { parseArgs } from 'node:util'
import { type OperatorAnswer, OperatorRequest, operateKeys } from '@memory/identity/keys/operator'
import { limits } from '@memory/shared/catalogue/limits'
import { type PlanName, planNames } from '@memory/shared/catalogue/plans'
import { scopes } from '@memory/shared/catalogue/scopes'
import { type CommandOutput, Failure, jsonHelp, requireNoMore, runCommand, UsageError } from './command.ts'
import { printable } from './format.ts'
import { operate, readSettings } from './operator.ts'

const help = `API keys, for operators.

  npm run keys -- create --name NAME [--environment live|test] [--scopes ${scopes.slice(0, 2).join(',')}]
                         [--expires-at 2027-01-31T00:00:00Z]
                         [--organization ID | --new-organization NAME [--plan ${planNames.join('|')}]]
  npm run keys -- list [--organization ID]
  npm run keys -- revoke KEY_ID [--organization ID]

Without --organization it is the local one that the first start made. Without --scopes a key may do everything.
A new key is shown once: only a hash of it is stored. Works beside a running service and without one, and says on
standard error on which database. ${jsonHelp}

Scopes: ${scopes.join(', ')}`

async function keys(args: string[], output: CommandOutput): Promise<void> {
  const config = readSettings(process.env)
  const request = readRequest(args, config.defaultPlan)
  const answer = await operate(
    config,
    '/ops/keys',
    ({ queries }) => operateKeys(queries, request, new Date()),
    (ask) => ask(request),
  )
  show(answer, output)
}

function readRequest(args: string[], defaultPlan: PlanName): OperatorRequest {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      organization: { type: 'string' },
      'new-organization': { type: 'string' },
      plan: { type: 'string' },
      name: { type: 'string' },
      environment: { type: 'string' },
      scopes: { type: 'string' },
      'expires-at': { type: 'string' },
    },
  })
  const [command, id, ...others] = positionals
  requireNoMore(command === 'revoke' || id === undefined ? others : [id, ...others])
  const ofCreate = Object.keys(values).find((option) => option !== 'organization')
  if (ofCreate !== undefined && (command === 'list' || command === 'revoke')) {
    throw new UsageError(`--${ofCreate} is for create.`)
  }
  const newOrganization = values['new-organization']
  if (values.plan !== undefined && newOrganization === undefined) {
    throw new UsageError('--plan is for --new-organization.')
  }
  if (values.organization !== undefined && newOrganization !== undefined) {
    throw new UsageError('A key is of one organization: give --organization, or --new-organization.')
  }
  const request = OperatorRequest.safeParse({
    command,
    id,
    organization: values.organization,
    newOrganization:
      newOrganization === undefined ? undefined : { name: newOrganization, plan: values.plan ?? defaultPlan },
    name: values.name,
    environment: values.environment ?? 'live',
    scopes: values.scopes?.split(',').map((scope) => scope.trim()) ?? null,
    expiresAt: values['expires-at'] ?? null,
  })
  if (request.success) return request.data
  const field = request.error.issues[0]?.path[0] as keyof typeof expected
  throw new UsageError(expected[field])
}

/** What to say when a field of the request is not valid. */
const expected = {
  command: 'Say create, list or revoke.',
  id: 'Say which key: its id is in the list.',
  name: `Say a name of 1 to ${limits.keyNameChars} characters with --name.`,
  environment: '--environment is live or test.',
  scopes: `--scopes is one or more of ${scopes.join(',')}.`,
  expiresAt: '--expires-at is a time like 2027-01-31T00:00:00Z.',
  organization: '--organization is the id of an organization, a UUID.',
  newOrganization: `--new-organization is a name of 1 to ${limits.organizationNameChars} characters, and --plan one of ${planNames.join(', ')}.`,
}

function show(answer: OperatorAnswer, output: CommandOutput): void {
  const { organization } = answer
  switch (answer.command) {
    case 'create': {
      const { key, listed } = answer
      output.result({ ...listed, key, organization }, () => {
        output.write(key)
        console.error(
          `Key ${listed.id} (${listed.environment}, ${listed.scopes?.join(', ') ?? 'full access'}) of organization ${organization}. It is not shown again.`,
        )
      })
      break
    }
    case 'list':
      output.result({ organization, keys: answer.keys }, () => {
        for (const key of answer.keys) output.write(describe(key))
        if (answer.keys.length === 0) console.error(`Organization ${organization} has no keys.`)
      })
      break
    case 'revoke':
      if (!answer.revoked) throw new Failure(`Organization ${organization} has no such active key.`)
      output.result({ organization, revoked: true }, () =>
        output.write('Revoked. Requests with this key are refused from now on.'),
      )
  }
}

function describe(key: Extract<OperatorAnswer, { command: 'list' }>['keys'][number]): string {
  const scopes = key.scopes?.join(',') ?? 'full access'
  const parts = [key.id, key.key_prefix, key.environment, printable(key.name), scopes]
  return [...parts, `last used ${key.last_used_at ?? 'never'}`].join('  ')
}

await runCommand(keys, help)
