import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderLimits } from '../../scripts/limits.ts'

it('docs/limits.md has the limits as npm run docs:limits writes them', () => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
  expect(page).toBe(renderLimits(page))
})
