import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@memory/shared/catalogue/limits'
import { type ServiceProcess, startService } from '../test/process/service-process.ts'
import { pythonPackages } from '../test/support/python-packages.ts'
import { readOptions } from './read-options.ts'

/**
 * Tries the service against its own OpenAPI document: starts it with a new database and has schemathesis, a Python
 * package that is installed into a temporary folder, make requests from the document and check each answer.
 * `--examples N` says how many requests of each kind are made (20), `--seconds N` goes on for so long in each pass
 * instead, `--seed N` makes others (1).
 */

const root = new URL('..', import.meta.url).pathname
const parts = join(root, 'scripts', 'schema-run')

const adminEmail = 'root@example.com'
/** Operations that end the session that calls them. */
const leaving = ['logout', 'logoutAll', 'deleteAccount', 'revokeSession']

/**
 * Checks that do not hold for any operation. The description allows more than the service does, because JSON Schema cannot
 * say it: no NUL in texts, times in the future, vectors that are not all zero. Requests that are valid to it may be
 * refused.
 */
const tooStrict = ['positive_data_acceptance']

/** An operation whose answer has no end, for which schemathesis would wait. */
const endless = 'streamNotifications'

interface Pass {
  name: string
  operations: string[]
  headers: Record<string, string>
  /** Checks that do not hold here. */
  without: string[]
  phases?: string[]
}

/** The phases of schemathesis that try each operation alone. */
const phasesOfEach = ['examples', 'coverage', 'fuzzing']
/** Only valid requests, and those that an answer leads to. */
const phasesOfAnswers = ['examples', 'stateful']

interface Described {
  operationId: string
  security: object[]
}

const { values: options } = readOptions({
  options: {
    examples: { type: 'string', default: '20' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})

async function main(): Promise<number> {
  const packages = await pythonPackages('memory-schema-run', join(parts, 'requirements.txt'))
  const folder = mkdtempSync(join(tmpdir(), 'memory-schema-'))
  try {
    const service = await startService(join(folder, 'data'), {
      MEMORY_PLATFORM_ADMINS: adminEmail,
      // Requests are made of the fields alone: a password among the common ones would be refused.
      PASSWORD_BLOCKLIST: 'off',
    })
    try {
      const { passed, failed } = await runPasses(service, packages, folder)
      process.stdout.write(`Tests  ${failed} failed | ${passed} passed\n`)
      return failed > 0 || passed === 0 ? 1 : 0
    } finally {
      await service.stop('SIGTERM')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How many operations passed all checks, and how many did not. */
interface Counted {
  passed: number
  failed: number
}

async function runPasses(service: ServiceProcess, packages: string, folder: string): Promise<Counted> {
  const { passes, ids } = await preparePasses(service)
  const total = { passed: 0, failed: 0 }
  for (const pass of passes) {
    const { passed, failed } = await runPass(service, packages, folder, pass, ids)
    total.passed += passed
    total.failed += failed
  }
  // What no check sees: the service must not log errors, or end.
  const complaints = await complaintsOf(service)
  if (complaints !== '') {
    total.failed++
    process.stderr.write(`${complaints}\n`)
  }
  return total
}

async function complaintsOf(service: ServiceProcess): Promise<string> {
  const errors = service.stdout.split('\n').filter((line) => /"level":(50|60)/.test(line))
  const logged = errors.length === 0 ? [] : ['The service logged errors:', ...errors.slice(0, 10)]
  if (!service.ended) return logged.join('\n')
  const { code, signal, stderr } = await service.exit
  return [`The service ended (${signal ?? code}): ${stderr}`, ...logged].join('\n')
}

/** Who makes which requests, and what there is for them to find. */
async function preparePasses(service: ServiceProcess): Promise<{ passes: Pass[]; ids: object }> {
  const { url } = service
  const registered = await ask(
    url,
    'POST',
    '/v1/auth/register',
    {},
    { email: adminEmail, password: 'a platform admin' },
  )
  const byToken = { Authorization: `Bearer ${registered.access_token}` }
  const exported = await ask(url, 'POST', '/v1/users/me/export', byToken)
  const { key } = service.client()
  const document = await ask(url, 'GET', '/openapi.json', {})
  const described = Object.values(document.paths).flatMap((each) =>
    Object.values(each as object),
  ) as Described[]
  const operations = described.filter(({ operationId }) => operationId !== endless)
  const idsOf = (isChosen: (operation: Described) => boolean) =>
    operations.filter(isChosen).map(({ operationId }) => operationId)
  const passes: Pass[] = [
    // What is refused of a body is the same with a token, which the pass after this one tries.
    {
      name: 'API key',
      operations: idsOf(({ security }) => security.length === 2),
      headers: { 'X-API-Key': key },
      phases: phasesOfAnswers,
      // Beside an API key the X- headers of users are passed over, whatever they say.
      without: [...tooStrict, 'negative_data_rejection'],
    },
    {
      name: 'access token',
      operations: idsOf(({ operationId }) => !leaving.includes(operationId)),
      headers: byToken,
      without: tooStrict,
    },
    // Without the phase `stateful`: no answer of these operations leads to another of them.
    {
      name: 'sessions that end',
      operations: leaving,
      headers: {},
      without: tooStrict,
      phases: phasesOfEach,
    },
  ]
  const { organization_id: org_id, user_id } = registered
  return { passes, ids: { org_id, user_id, export_id: exported.export_id } }
}

async function ask(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
) {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, string> & { paths: object }
}

async function runPass(
  { url }: ServiceProcess,
  packages: string,
  folder: string,
  { name, operations, headers, without, phases = [...phasesOfEach, 'stateful'] }: Pass,
  ids: object,
): Promise<Counted> {
  const reports = join(folder, name.replaceAll(' ', '-'))
  const { seed, seconds, examples } = options
  process.stdout.write(`${name}: ${operations.length} operations\n`)
  const code = await run(packages, { SCHEMA_RUN_URL: url, SCHEMA_RUN_IDS: JSON.stringify(ids) }, [
    'run',
    `${url}/openapi.json`,
    ...operations.flatMap((id) => ['--include-operation-id', id]),
    ...Object.entries(headers).flatMap(([header, value]) => ['--header', `${header}: ${value}`]),
    ...['--checks', 'all', '--exclude-checks', without.join(','), '--phases', phases.join(',')],
    ...[
      '--seed',
      seed,
      '--max-examples',
      examples,
      ...(seconds === undefined ? [] : ['--max-time', seconds]),
    ],
    ...['--report', 'junit', '--report-dir', reports, '--generation-database', 'none', '--warnings', 'off'],
    // For what hangs: a machine that is busy with something else takes its time.
    ...['--request-timeout', '60'],
    // Whether schemathesis finds it easy to make data says nothing about the service.
    ...['--suppress-health-check', 'all', '--no-color'],
  ])
  const [report] = existsSync(reports) ? readdirSync(reports) : []
  const cases = report === undefined ? [] : casesOf(readFileSync(join(reports, report), 'utf8'))
  const failed = cases.filter((text) => /<(failure|error)\b/.test(text)).length
  // A run that broke outside its operations has failed too.
  return { passed: cases.length - failed, failed: failed === 0 && code !== 0 ? 1 : failed }
}

const casesOf = (junit: string): string[] => junit.split('<testcase ').slice(1)

function run(packages: string, settings: Record<string, string>, args: string[]): Promise<number> {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn('python3', ['-m', 'schemathesis.cli', ...args], {
    // Away from configuration files of whoever runs this.
    cwd: packages,
    stdio: 'inherit',
    env: {
      ...{ PATH, HOME, TMPDIR },
      PYTHONPATH: `${packages}:${parts}`,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'hooks',
      SCHEMA_RUN_LEAVING: leaving.join(','),
      SCHEMA_RUN_MOST_ITERATIONS: String(limits.benchmarkIterations),
      ...settings,
    },
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

process.exitCode = await main()
