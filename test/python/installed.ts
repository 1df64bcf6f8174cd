import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pip, pythonPackages } from '../support/python-packages.ts'

const here = new URL('.', import.meta.url).pathname
const requirements = join(here, 'requirements.txt')
const publishedList = join(here, 'published-tests.txt')

/** For what hangs: hundreds of megabytes are fetched and unpacked once, ms. */
export const installTimeout = 900_000
/** For what hangs: suites of several frameworks, and type checkers, are minutes of a busy machine, ms. */
export const suiteTimeout = 900_000

/** Where the packages are, or what there is not, without which they can't be installed. */
export type Installed = { folder: string } | { missing: string }

/**
 * The packages of `requirements.txt` in a folder, with those that the Python client needs as wheels in `wheels`, and the tests
 * that others publish in `published`. It is made once.
 */
export async function install(): Promise<Installed> {
  const fits = ['-c', 'import pip, sys; sys.exit(sys.version_info < (3, 11))']
  if (spawnSync('python3', fits).status !== 0) return { missing: 'python3 of 3.11 or later with pip' }
  try {
    const more = { files: [publishedList], add: addArchives }
    return { folder: await pythonPackages('memory-judges', requirements, more) }
  } catch (error) {
    if (await isIndexThere()) throw error
    return { missing: 'index of packages' }
  }
}

/** Where what the Python client needs is, to run it from its sources. It is made once. */
export async function installNeeds(): Promise<Installed> {
  try {
    return { folder: await pythonPackages('memory-client', join(here, 'client-requirements.txt')) }
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

async function addArchives(folder: string): Promise<void> {
  const wheels = ['--dest', join(folder, 'wheels'), '-c', requirements]
  await pip(['download', ...wheels, 'httpx', 'standardwebhooks'])
  await addPublishedTests(folder)
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
