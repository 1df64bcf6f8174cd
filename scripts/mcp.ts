import { readFileSync, writeFileSync } from 'node:fs'
import { engineTools, memoryTools } from 'memory-service-mcp'
import { table } from '../bench/support/results.ts'
import { fillMarks } from './marks.ts'

function toolsTable(): string {
  const rows = [
    ...memoryTools.map((each) => ({ ...each, needs: '' })),
    ...engineTools.map((each) => ({ ...each, needs: '`?tools=all`' })),
  ]
  return table(
    ['tool', 'what it does', 'effect', 'needs'],
    rows.map(({ name, title, effect, needs }) => [`\`${name}\``, title, effect, needs]),
  )
}

/** `docs/guides/mcp.md` with the tools as they are. `npm test` fails when it is another. */
export function renderMcp(page: string): string {
  return fillMarks(page, 'mcp: tools', toolsTable())
}

if (import.meta.main) {
  const page = new URL('../docs/guides/mcp.md', import.meta.url)
  writeFileSync(page, renderMcp(readFileSync(page, 'utf8')))
}
