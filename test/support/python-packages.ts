import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Outlives a run of the tests, whose temporary files may lie in memory. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/python', import.meta.url))

/**
 * A folder with the Python packages that a file lists; it is made once.
 * @param name what the folder is called by @param requirements a file as pip takes it
 * @param more what else is put there, and the files that say what
 * @throws Error with what pip said
 */
export async function pythonPackages(
  name: string,
  requirements: string,
  more: { files: string[]; add(folder: string): Promise<void> } = { files: [], add: async () => {} },
): Promise<string> {
  // Some packages are compiled for one version of Python.
  const hash = createHash('sha256').update(execFileSync('python3', ['--version']))
  for (const file of [requirements, ...more.files]) hash.update(readFileSync(file))
  mkdirSync(cache, { recursive: true })
  const target = join(cache, `${name}-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(target)) return target
  const folder = mkdtempSync(`${target}-`)
  try {
    await pip(['install', '--target', folder, '-r', requirements])
    await more.add(folder)
    // It is there whole or not at all, also where two are making it.
    if (!existsSync(target)) renameSync(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return target
}

/** @param packages a folder of packages that what is built may import */
export async function pip(args: string[], packages = ''): Promise<void> {
  const env = { ...process.env, PYTHONPATH: packages }
  await run('python3', ['-m', 'pip', '--quiet', '--disable-pip-version-check', ...args], { env })
}
