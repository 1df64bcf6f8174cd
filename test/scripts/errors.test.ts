import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors } from '@memory/shared/catalogue/errors'
import { type Fault, faults } from '@memory/shared/catalogue/fields-faults'
import { expect, it } from 'vitest'
import { fieldRemedies } from '../../scripts/errors/remedies.ts'
import { renderErrors } from '../../scripts/errors.ts'
import { textOf } from '../docs/pages.ts'

const root = join(import.meta.dirname, '../..')
const page = textOf('docs/errors.md')

it('docs/errors.md has the errors as npm run docs:errors writes them', () => {
  expect(page).toBe(renderErrors(page))
})

it('says of every error what to do', () => {
  for (const { status, detail } of Object.values(errors)) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| ${status} | ${detail} | `))
    expect(rows, detail).toHaveLength(1)
    expect(rows[0], detail).toMatch(/\| [^|]{6,} \|$/)
  }
})

it('says of every type of a 422 what to do, and of no other', () => {
  const made = Object.values(faults).map((fault) =>
    typeof fault === 'function' ? (fault as (...given: unknown[]) => Fault)(1, 1).type : fault.type,
  )
  expect(fieldRemedies.flatMap(([types]) => types).toSorted()).toEqual([...new Set(made)].sort())
})

it('has the details that are written where they are thrown', () => {
  const sources = globSync(['packages/{shared,memory,identity}/src/**/*.ts', 'apps/api/src/http/**/*.ts'], {
    cwd: root,
  })
  const details = sources.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const thrown = source.split('new ApiError(').slice(1)
    const within = thrown.flatMap((text) => /^[^;]*?\bdetail:\s*(['`])(.+?)\1/.exec(text)?.[2] ?? [])
    // One that is named first, and thrown by its name.
    const ahead = thrown.some((text) => /^[^;]*?\bdetail\b(?!:)/.test(text))
      ? [...source.matchAll(/\bconst detail = (['`])(.+?)\1/g)].flatMap(([, , detail]) => detail ?? [])
      : []
    return [...within, ...ahead]
  })
  expect(details.length).toBeGreaterThan(4)
  for (const detail of details) {
    const parts = detail.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[.*+?^()|[\]\\]/g, '\\$&'))
    expect(page).toMatch(new RegExp(`\\| ${parts.join('\\S.*')} \\|`))
  }
})
