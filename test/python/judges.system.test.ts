import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { expectKept, type SuiteResult } from '../conformance/results.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Installed, install, installTimeout, suiteTimeout } from './installed.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const client = fileURLToPath(new URL('../../packages/python/src', import.meta.url))
vi.setConfig({ testTimeout: suiteTimeout })

let packages: Installed
let server: TestServer

beforeAll(async () => {
  packages = await install()
}, installTimeout)

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server?.close())

it('the adapters for frameworks in Python pass their projects’ tests over HTTP', async ({ skip }) => {
  if ('missing' in packages) {
    console.warn(`The tests of LangChain and others are not run: there is no ${packages.missing}.`)
    return skip(packages.missing)
  }
  const { key } = await server.newClient()
  const { ok, output, suites } = await runPytest(packages.folder, key)
  expect(ok, output).toBe(true)
  expect(suites.length).toBeGreaterThan(4)
  for (const suite of suites) {
    const left = suite.skipped.map(({ test, why }) => `\n  left out: ${test}: ${why}`)
    console.info(`${suite.suite} (${suite.package} ${suite.version}): ${suite.passed} passed${left.join('')}`)
    expectKept(suite)
  }
})

/** Whether all tests passed, what pytest says, and what the published suites among them came to. */
async function runPytest(
  packages: string,
  key: string,
): Promise<{ ok: boolean; output: string; suites: SuiteResult[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-judges-'))
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    ...{ PATH, HOME, TMPDIR },
    PYTHONPATH: [client, packages].join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
    MEMORY_PUBLISHED_TESTS: join(packages, 'published'),
    MEMORY_PUBLISHED_RESULTS: join(folder, 'results.json'),
    MEMORY_SERVICE_URL: server.url,
    MEMORY_SERVICE_API_KEY: key,
  }
  try {
    const [ok, output] = await new Promise<[boolean, string]>((resolve) => {
      const options = { cwd: here, env, maxBuffer: 2 ** 26 }
      execFile('python3', ['-m', 'pytest', '-q'], options, (error, stdout, stderr) =>
        resolve([error === null, `${stdout}\n${stderr}`]),
      )
    })
    return { ok, output, suites: ok ? JSON.parse(readFileSync(env.MEMORY_PUBLISHED_RESULTS, 'utf8')) : [] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
