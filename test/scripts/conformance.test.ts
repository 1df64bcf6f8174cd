import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderConformance } from '../../scripts/conformance.ts'

it('docs/conformance.md tells what the suites said last', () => {
  const page = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')
  expect(page).toBe(renderConformance(page))
})
