import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { ok } from './fake-service.ts'
import { newBench } from './support.ts'

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command as npm does. */
function run(name: string, args: string[], variables: Record<string, string> = {}): Promise<Ended> {
  const program = fileURLToPath(new URL(`../../apps/cli/src/${name}.ts`, import.meta.url))
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  return new Promise((resolve) => {
    const env = { PATH, NODE_COMPILE_CACHE, ...variables }
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

describe.each(['demo', 'import', 'export'])('%s', (name) => {
  it('explains itself', async () => {
    const { code, stdout } = await run(name, ['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`npm run ${name}`)
  })

  it.each([[['--nonsense']], [['a', 'b']]])('answers wrong usage (%j) with 2', async (args) => {
    const { code, stderr } = await run(name, args)
    expect(code).toBe(2)
    expect(stderr).toContain('--help')
  })

  it('answers a service that is not there with 1 and one sentence', async () => {
    await using bench = await newBench()
    const file = await bench.file('in.ndjson', [{ text: 'one' }])
    const target = name === 'export' ? `${file}.out` : file
    const args = name === 'demo' ? [] : [target]
    const { code, stderr } = await run(name, args, {
      MEMORY_SERVICE_URL: 'http://127.0.0.1:9',
      MEMORY_SERVICE_API_KEY: 'k',
    })
    expect(code).toBe(1)
    expect(stderr).toContain('The service does not answer at http://127.0.0.1:9: start it with `npm start`')
    expect(stderr).not.toContain('    at ')
  })
})

it.each([
  [[], 'Say create, list or revoke.'],
  [['create'], 'Say a name of 1 to 100 characters with --name.'],
  [['create', '--name', ''], 'Say a name of 1 to 100 characters with --name.'],
  [['create', '--name', 'a', '--scopes', 'memory:read,nonsense'], '--scopes is one or more of memory:read,'],
  [['create', '--name', 'a', '--environment', 'prod'], '--environment is live or test.'],
  [['create', '--name', 'a', '--expires-at', 'soon'], '--expires-at is a time like 2027-01-31T00:00:00Z.'],
  [
    ['create', '--name', 'a', '--new-organization', 'b', '--plan', 'gold'],
    '--plan one of free, starter, pro',
  ],
  [['create', '--name', 'a', '--plan', 'pro'], '--plan is for --new-organization.'],
  [
    [
      'create',
      '--name',
      'a',
      '--new-organization',
      'b',
      '--organization',
      '01890a5d-ac96-774b-bcce-b302099a8057',
    ],
    'A key is of one organization',
  ],
  [['create', 'chatbot', '--name', 'a'], 'There is more than a command says: chatbot.'],
  [['list', '--organization', 'local'], '--organization is the id of an organization, a UUID.'],
  [['revoke'], 'Say which key: its id is in the list.'],
  [['revoke', 'chatbot'], 'Say which key: its id is in the list.'],
])('keys answers wrong usage (%j) with 2 and what it expects', async (args, message) => {
  const { code, stderr } = await run('keys', args)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

it.each(['import', 'restore'])(
  '%s takes a path from where the person is, who had npm run it',
  async (name) => {
    await using bench = await newBench()
    const here = dirname(await bench.file('in.ndjson', []))
    const { code, stderr } = await run(name, ['not-there'], {
      INIT_CWD: here,
      MEMORY_DATA_DIR: join(here, 'data'),
      MEMORY_SERVICE_API_KEY: 'k',
    })
    expect(code).toBe(1)
    expect(stderr).toContain(join(here, 'not-there'))
  },
)

it.each([
  ['--filter', '{}', 'An empty --filter would export everything'],
  ['--filter', '', '--filter is JSON'],
  ['--filter', 'user=ada', '--filter is JSON'],
  ['--filter', '["ada"]', '--filter is a JSON object'],
  ['--subject', '', '--subject is the name of an end user.'],
])('export refuses a choice that says nothing: %s %j', async (option, value, message) => {
  const { code, stderr } = await run('export', ['out.ndjson', option, value])
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

/** The exit codes of a command that a signal stops. */
const stopped = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Every command of this folder that people run, and those of them that have commands of their own. */
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>
}
const commands = Object.keys(scripts).filter((name) => scripts[name]?.includes(' apps/cli/src/'))

it.each(commands)('%s says in its help what its exit codes mean', async (name) => {
  const { code, stdout } = await run(name, ['--help'])
  expect([code, stdout.match(/Exit codes: 0 done, 1 failed, 2 wrong usage;/g)?.length]).toEqual([0, 1])
  for (const exit of Object.entries(stopped)) expect(stdout).toContain(`${exit[1]} (${exit[0]}`)
})

it.each([
  ...commands.map((name) => [name, '--nonsense']),
  ['migrate', '--dry-run'],
  ['migrate', 'now'],
  ['accounts', 'list-users', '--nonsense'],
  ['accounts', 'find', 'ada@example.com', '--nonsense'],
  ['accounts', 'list-signing-keys', '--nonsense'],
  ['accounts', 'rotate-signing-key', '--dry-run'],
  ['accounts', 'retire-signing-key', 'kid', '--dry-run'],
  ['accounts', 'reapply-erasures', '--dry-run'],
  ['keys', 'list', '--environment', 'test'],
  ['keys', 'revoke', '01890a5d-ac96-774b-bcce-b302099a8057', '--name', 'chatbot'],
])('does nothing where it does not know an argument: %s %s %s %s', async (name, ...args) => {
  await using bench = await newBench()
  const data = join(dirname(await bench.file('in.ndjson', [])), 'data')
  const { code, stderr } = await run(name as string, args, { MEMORY_DATA_DIR: data })
  expect([code, stderr]).toEqual([2, expect.stringContaining('(--help shows how)')])
  expect(existsSync(data)).toBe(false)
})

it.each([
  [['{"text":"one"}', 'nonsense'], [], 'Line 2: it is not JSON.\n1 line can'],
  [['{"text":"one","external_id":"a"}', '{"text":"two","external_id":"a"}'], ['--strict'], 'external_id "a"'],
])('import says of %j %j where errors go why nothing was stored', async (lines, options, said) => {
  await using bench = await newBench()
  const file = await bench.file('in.ndjson', lines)
  const variables = { MEMORY_SERVICE_URL: bench.service.url, MEMORY_SERVICE_API_KEY: bench.service.key }
  const { code, stdout, stderr } = await run('import', [file, ...options], variables)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(said)
})

it('import reports what it did and where it stopped', async () => {
  await using bench = await newBench({ patternsMax: 2 })
  const file = await bench.file('in.ndjson', [{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  const variables = { MEMORY_SERVICE_URL: bench.service.url, MEMORY_SERVICE_API_KEY: bench.service.key }
  const stopped = await run('import', [file], variables)
  expect(stopped.code).toBe(1)
  expect(stopped.stderr).toContain('Acknowledged so far: 2 lines, up to line 2. Run the same command again')
  bench.service.options = {}
  const ended = await run('import', [file], variables)
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain('Going on after line 2 (2 stored).\nStored 1 line in ')
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'import leaves nothing of standard input behind where %s ends it',
  async (signal) => {
    await using bench = await newBench()
    const folder = dirname(await bench.file('in.ndjson', []))
    const program = fileURLToPath(new URL('../../apps/cli/src/import.ts', import.meta.url))
    const { url, key } = bench.service
    const env = { ...process.env, TMPDIR: folder }
    const child = spawn(process.execPath, [program, '-', '--url', url, '--key', key], { env })
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    const kept = () => readdirSync(folder).filter((name) => name.startsWith('memory-import-'))
    child.stdin.write('{"text":"a secret"}\n')
    await until(
      () =>
        kept().some(
          (name) => (statSync(join(folder, name, 'stdin'), { throwIfNoEntry: false })?.size ?? 0) > 0,
        ),
      'the text in a file',
    )
    child.kill(signal)
    expect(await ended).toBe(stopped[signal])
    expect(kept()).toEqual([])
  },
)

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'demo forgets what it has stored where %s ends it',
  async (signal) => {
    await using bench = await newBench()
    const { url, key, requests, options } = bench.service
    const program = fileURLToPath(new URL('../../apps/cli/src/demo.ts', import.meta.url))
    const child = spawn(process.execPath, [program, '--url', url, '--key', key])
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
    options.stored = async () => {
      child.kill(signal)
      return undefined
    }
    const told = (path: string) => requests.filter((each) => each.path === path)
    options.fault = ({ path }) => {
      if (path === '/v1/memory/text/forget') return ok({ forgotten: 1 })
      return path === '/v1/memory/text/retrieve' ? ok({ results: [], latency_ms: 1 }) : undefined
    }
    expect(await ended).toBe(stopped[signal])
    expect(told('/v1/memory/text/batch-store').length).toBeGreaterThan(0)
    expect(told('/v1/memory/text/forget').at(-1)?.body).toEqual({ filter: { demo: expect.any(String) } })
  },
)

it('import and export give their result as JSON alone on standard output', async () => {
  await using bench = await newBench()
  const file = await bench.file('in.ndjson', [{ text: 'one' }, { text: 'two' }])
  const variables = { MEMORY_SERVICE_URL: bench.service.url, MEMORY_SERVICE_API_KEY: bench.service.key }
  const imported = await run('import', [file, '--json'], variables)
  expect(imported.code).toBe(0)
  expect(imported.stdout).toBe('{"stored":2,"replaced":0,"invalid":0,"expired":0,"earlier":0,"replayed":0}\n')
  expect(imported.stderr).toContain('Stored 2 lines')
  const exported = await run('export', [`${file}.out`, '--json'], variables)
  expect(exported).toMatchObject({ code: 0, stdout: '{"exported":2,"left_out":0}\n' })
})

it('commands that look for a service refuse a variable that is almost one of theirs', async () => {
  const { code, stderr } = await run('demo', [], { MEMORY_SERVICE_URI: 'http://127.0.0.1:9' })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^MEMORY_SERVICE_URI is no setting, but almost MEMORY_SERVICE_URL: .+\n$/)
})

it('a backup that is refused leaves no folder that was made for it, and one of others as it was', async () => {
  await using bench = await newBench()
  const folder = dirname(await bench.file('in.ndjson', []))
  const settings = {
    MEMORY_DATA_DIR: join(folder, 'data'),
    MEMORY_BACKUP_DIR: join(folder, 'far', 'backups'),
  }
  const { code, stderr } = await run('backup', [], settings)
  expect([code, stderr]).toEqual([1, expect.stringContaining('There is no database in ')])
  expect(readdirSync(folder)).toEqual(['in.ndjson'])
  mkdirSync(join(folder, 'far'))
  expect((await run('backup', [], settings)).code).toBe(1)
  expect(readdirSync(folder)).toEqual(['far', 'in.ndjson'])
  expect(readdirSync(join(folder, 'far'))).toEqual([])
})
