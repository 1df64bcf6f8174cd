import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findIndentedCode, readBlocks } from './blocks.ts'
import { Page } from './run.ts'
import { openWorkspace, root } from './workspace.ts'

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort()
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const blocksOf = (page: string) => readBlocks(textOf(page))

/** Every block that is not run, by its first line. What is not here is run. */
const notRun: Record<string, string[]> = {
  'README.md': ['npm ci && npm start'],
  'CONTRIBUTING.md': [
    'npm ci',
    'npm test                  # on the embedded database',
    'export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc',
  ],
  'docs/getting-started.md': ['npm ci && npm start'],
  'docs/guides/accounts.md': ['npm run keys -- revoke KEY_ID'],
  'docs/guides/webhooks.md': ["import { createServer } from 'node:http'"],
  'docs/operating.md': [
    'export DATABASE_URL=postgres://… MASTER_KEY=$(openssl rand -base64 32)    # keep the key',
    'cp .env.example .env        # set POSTGRES_PASSWORD and MASTER_KEY in it',
    'npm run migrate',
    'psql "$DATABASE_URL" -c "CREATE ROLE memory_backup LOGIN BYPASSRLS PASSWORD \'…\'" \\',
    "psql \"$DATABASE_URL\" -c 'CREATE ROLE memory_app NOLOGIN' -c 'GRANT memory_app TO CURRENT_USER'   # on a new server",
  ],
}

it('finds the pages', () => {
  expect(pages.length).toBeGreaterThan(8)
})

describe.each(pages)('%s', (page) => {
  it('has blocks of known languages, and leaves out only those listed here', () => {
    const blocks = blocksOf(page)
    expect(findIndentedCode(textOf(page))).toEqual([])
    for (const { language, line } of blocks) {
      expect(['sh', 'json', 'ts', 'text', 'mermaid'], `line ${line}`).toContain(language)
    }
    const left = blocks.filter((block) => block.notRun !== undefined).map(({ code }) => code.split('\n')[0])
    expect(left).toEqual(notRun[page] ?? [])
  })

  it('shows an answer only after what it answers, and an output only of a program', () => {
    const run = blocksOf(page).filter((block) => block.notRun === undefined)
    for (const [i, { language, line }] of run.entries()) {
      if (language === 'json') expect(run[i - 1]?.language, `line ${line}`).toBe('sh')
      if (language === 'text') expect(run[i - 1]?.language, `line ${line}`).toBe('ts')
    }
  })
})

const runnable = pages.filter((page) =>
  blocksOf(page).some(
    ({ language, notRun }) => language === 'ts' || (language === 'sh' && notRun === undefined),
  ),
)

it.each(runnable)('%s does what it says', { timeout: 180_000 }, async (page) => {
  await using workspace = await openWorkspace()
  expect(await new Page(page, textOf(page), workspace).run()).toEqual([])
})
