import { parseArgs } from 'node:util'
import type { Check } from '@memory/shared/ops/check'
import { type Config, ConfigError, readConfig } from '@memory/shared/platform/config'
import { type CommandOutput, jsonHelp, runCommand } from './command.ts'
import { checkData } from './doctor/check-data.ts'
import { checkEncoder } from './doctor/check-encoder.ts'
import { checkDisk, checkPorts, checkRights, checkSettings, checkVersions } from './doctor/check-machine.ts'
import { checkMail, checkRedis } from './doctor/check-services.ts'
import { failedCheck } from './doctor/failed-check.ts'
import { counted } from './format.ts'

const help = `Looks whether the service can work here, and says what to do where it can't.

  npm run doctor [-- --json]

It looks at the settings, versions, rights and disk of the data folder, the encoder, ports, the database with its clock and
its index, Redis and mail; beside a running service and without one. It changes nothing and sends no mail. The exit code is
1 where something fails.

${jsonHelp}`

async function doctor(args: string[], output: CommandOutput): Promise<void> {
  parseArgs({ args })
  const checks: Check[] = []
  const show = (check: Check) => {
    checks.push(check)
    output.write(lineOf(check))
  }
  for await (const check of runChecks(process.env)) show(check)
  const failed = checks.filter(({ state }) => state === 'fail')
  output.result({ ok: failed.length === 0, checks }, () => output.write(whatToDo(checks)))
  if (failed.length > 0) process.exitCode = 1
}

type Variables = Record<string, string | undefined>

/** Runs one check after the other. One that throws counts as failed, and the others are run all the same. */
async function* runChecks(variables: Variables): AsyncGenerator<Check> {
  const config = settingsOf(variables)
  if ('state' in config) {
    // Nothing else can be checked without settings.
    yield config
    return
  }
  for (const [name, work] of checksOf(config)) {
    try {
      yield* [await work()].flat()
    } catch (error) {
      yield failedCheck(name, error)
    }
  }
}

type NamedCheck = [name: string, work: () => Check | Check[] | Promise<Check | Check[]>]

const checksOf = (config: Config): NamedCheck[] => [
  ['settings', () => checkSettings(config)],
  ['versions', checkVersions],
  ['rights', () => checkRights(config.dataDir)],
  ['disk', () => checkDisk(config.dataDir)],
  ['encoder', () => checkEncoder(config.encoderDir)],
  ['database', () => checkData(config)],
  ['ports', () => checkPorts(config)],
  ['redis', () => checkRedis(config.redisUrl)],
  ['mail', () => checkMail(config)],
]

function settingsOf(variables: Variables): Config | Check {
  try {
    return readConfig(variables)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { name: 'settings', state: 'fail', text: error.message, remedy: error.message }
  }
}

const lineOf = ({ name, state, text }: Check): string => `${state.padEnd(4)}  ${name.padEnd(9)} ${text}`

function whatToDo(checks: Check[]): string {
  const open = checks.filter(({ state }) => state !== 'ok')
  if (open.length === 0) return '\nAll is well.'
  const steps = open.map(({ name, remedy = '' }, i) => `  ${i + 1}. ${name}: ${remedy}`)
  return `\nWhat to do (${counted(open.length, 'thing')}):\n${steps.join('\n')}`
}

await runCommand(doctor, help)
