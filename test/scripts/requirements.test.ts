import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderRequirements, unknownCodes } from '../../scripts/requirements.ts'

it('docs/security-requirements.md names the tests as npm run docs:requirements writes them', () => {
  const page = readFileSync(new URL('../../docs/security-requirements.md', import.meta.url), 'utf8')
  expect(page).toBe(renderRequirements(page))
})

it('every code in the name of a test is a requirement', () => {
  expect(unknownCodes()).toEqual([])
})
