import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pip, pythonPackages } from '../support/python-packages.ts'
import { startServer, type TestServer } from '../support/server.ts'

const here = new URL('.', import.meta.url).pathname
const publishedList = join(here, 'published-tests.txt')
/** Where the packages are, or what there is not, without which they can't be installed. */
type Installed = { folder: string } | { missing: string }

let packages: Installed
let server: TestServer

beforeAll(async () => {
  packages = await install()
})

beforeAll(async () => {
  server = await startServer()
})

afterAll(() => server?.close())

it('a vector store of LangChain and a store of LangGraph pass their projects’ tests over HTTP', async ({
  skip,
}) => {
  if ('missing' in packages) {
    console.warn(`LangChain's and LangGraph's tests are not run: there is no ${packages.missing}.`)
    return skip(packages.missing)
  }
  const { key } = await server.newClient()
  const { ok, output } = await runPytest(packages.folder, key)
  expect(ok, output).toBe(true)
  // Our own are fewer than a hundred, so those that are published were there.
  expect(Number(/\b(\d+) passed\b/.exec(output)?.[1]), output).toBeGreaterThan(150)
})

async function install(): Promise<Installed> {
  const fits = ['-c', 'import pip, sys; sys.exit(sys.version_info < (3, 11))']
  if (spawnSync('python3', fits).status !== 0) return { missing: 'python3 of 3.11 or later with pip' }
  try {
    const more = { files: [publishedList], add: addPublishedTests }
    return { folder: await pythonPackages('memory-judges', join(here, 'requirements.txt'), more) }
  } catch (error) {
    if (await isIndexThere()) throw error
    return { missing: 'index of packages' }
  }
}

async function isIndexThere(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-index-'))
  try {
    await pip(['download', '--no-deps', '--dest', folder, 'iniconfig'])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tests are in archives of sources alone, which pip asks their build program about. */
async function addPublishedTests(folder: string): Promise<void> {
  const published = join(folder, 'published')
  const unbuilt = ['--no-deps', '--no-binary', ':all:', '--no-build-isolation']
  await pip(['download', ...unbuilt, '--dest', published, '-r', publishedList], folder)
  for (const archive of readdirSync(published)) {
    const unpacked = spawnSync('python3', ['-m', 'tarfile', '-e', join(published, archive), published])
    if (unpacked.status !== 0) throw new Error(`${archive}: ${unpacked.stderr}`)
    const [project] = archive.split('-')
    renameSync(join(published, archive.replace(/\.tar\.gz$/, '')), join(published, project as string))
  }
}

/** Whether all tests passed, and what pytest says. */
function runPytest(packages: string, key: string): Promise<{ ok: boolean; output: string }> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    ...{ PATH, HOME, TMPDIR },
    PYTHONPATH: packages,
    PYTHONDONTWRITEBYTECODE: '1',
    MEMORY_PUBLISHED_TESTS: join(packages, 'published'),
    MEMORY_URL: server.url,
    MEMORY_API_KEY: key,
  }
  return new Promise((resolve) => {
    const options = { cwd: here, env, maxBuffer: 2 ** 26 }
    execFile('python3', ['-m', 'pytest', '-q'], options, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}\n${stderr}` }),
    )
  })
}
