import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))

/**
 * A row that refers to another takes a key share of it: `for update` holds that up, and two that follow a row from version to
 * version may each wait for the other (migrations/README.md).
 */
it('locks rows that others refer to by foreign keys `for no key update`', () => {
  const migrations = read('migrations/0*.sql')
  const referredTo = new Set(
    migrations.flatMap(({ text }) => [...text.matchAll(/references app\.(\w+)/g)].map(([, table]) => table)),
  )
  // Nothing refers to patterns by foreign keys any more: 0133.
  referredTo.delete('patterns')
  expect(referredTo).toContain('spaces')

  const files = [...read('migrations/functions/*.sql'), ...read('{apps,packages}/*/src/**/*.ts')]
  const wrong = files.flatMap(({ path, text }) => {
    // Who skips what is locked never waits, and so in no circle.
    const statements = text.match(/\b(?:select|perform)\b[^;`]*?\bfor update\b(?! skip locked)/g) ?? []
    return statements.flatMap((statement) => {
      const own = statement.slice(statement.lastIndexOf('select') + 1)
      const tables = [...own.matchAll(/\b(?:from|join) app\.(\w+)/g)].map(([, table = '']) => table)
      // Who locks what is to be erased erases it.
      if (own.includes('is_erasable') || !tables.some((table) => referredTo.has(table))) return []
      return `${path}: ${own}`
    })
  })
  expect(wrong).toEqual([])
  const byName = files.filter(({ text }) => text.includes('.forUpdate('))
  expect(byName.map(({ path }) => path)).toEqual([])
})
