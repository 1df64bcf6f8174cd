import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { figures } from '../../scripts/benchmarks/tables.ts'
import { renderBenchmarks, renderReadme } from '../../scripts/benchmarks.ts'

const root = new URL('../../', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(name, root), 'utf8')

it('docs/benchmarks.md and the README have the figures of bench/results, as npm run docs:benchmarks writes them', () => {
  expect(textOf('docs/benchmarks.md')).toBe(renderBenchmarks(textOf('docs/benchmarks.md')))
  expect(textOf('README.md')).toBe(renderReadme(textOf('README.md')))
})

it('every result is shown, but those of fitting', () => {
  const kept = readdirSync(new URL('bench/results', root)).map((file) => file.replace('.json', ''))
  expect(Object.keys(figures).sort()).toEqual(kept.filter((name) => !name.endsWith('-fit')).sort())
})

it('no figure of a table is left without a value', () => {
  for (const render of Object.values(figures)) expect(render()).not.toMatch(/NaN|undefined|\| - /)
})
