import { readFileSync } from 'node:fs'
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

/** Whether a test may ask the database that TEST_DATABASE_URL names; others do the same wherever that is. */
export function asksDatabase(path: string): boolean {
  return [...reached(path)].some(
    (each) =>
      each.startsWith('test/') &&
      (each === 'test/support/database.ts' || /TEST_(DATABASE|POSTGRES)_/.test(read(each))),
  )
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')
