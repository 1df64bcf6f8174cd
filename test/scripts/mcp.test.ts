import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { renderMcp } from '../../scripts/mcp.ts'

it('docs/guides/mcp.md has the tools as they are', () => {
  const page = readFileSync(new URL('../../docs/guides/mcp.md', import.meta.url), 'utf8')
  expect(page).toBe(renderMcp(page))
})
