import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the tests, by its path from the root, with what it imports by itself or through others of them. */
export function reached(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path) || !path.startsWith('test/')) return seen.add(path)
  seen.add(path)
  // Imports of types alone are gone when the test runs.
  const values = /^(?:import|export)\b(?! type)[^'";]*?\bfrom '([^']+)'/gm
  for (const [, name] of read(path).matchAll(values)) {
    const imported = name as string
    if (!imported.startsWith('.')) seen.add(imported)
    else if (imported.endsWith('.ts')) reached(normalize(join(dirname(path), imported)), seen)
  }
  return seen
}

/** Whether a test may use the database that TEST_DATABASE_URL names; all others run alike with and without it. */
export function asksDatabase(path: string): boolean {
  return [...reached(path)].some(
    (each) =>
      each.startsWith('test/') &&
      (each === 'test/support/database.ts' || /TEST_(DATABASE|POSTGRES)_/.test(read(each))),
  )
}

/** The package that chooses between the native kernels and those in JavaScript. */
const kernels = '@memory/accel'

/** Whether a test imports, by itself or through others of the repository, what behaves differently without native kernels. */
export function reachesKernels(path: string): boolean {
  return everythingOf(path).has(kernels)
}

function everythingOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen
  seen.add(path)
  if (!path.endsWith('.ts')) return seen
  const all =
    /^(?:import|export)\b(?! type)[^'";]*?\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm
  for (const [, from, later, alone] of read(path).matchAll(all))
    everythingOf(fileOf(path, (from ?? later ?? alone) as string), seen)
  return seen
}

/** The path from the root of a module that a file imports; its name, where it is of another repository. */
function fileOf(path: string, name: string): string {
  if (name.startsWith('.')) return normalize(join(dirname(path), name))
  const [scope, folder, ...part] = name.split('/')
  const within = ['packages', 'apps'].map((home) => `${home}/${folder}/src/${part.join('/')}.ts`)
  const own = scope === '@memory' ? within.find((each) => existsSync(join(root, each))) : undefined
  return own ?? name
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
