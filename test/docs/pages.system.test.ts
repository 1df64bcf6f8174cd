import { describe, expect, it } from 'vitest'
import { findIndentedCode, readBlocks } from './blocks.ts'
import { pages, textOf } from './pages.ts'
import { Page } from './run.ts'
import { openWorkspace } from './workspace.ts'

const blocksOf = (page: string) => readBlocks(textOf(page))

const programs = ['ts', 'python']
const runs = ['sh', ...programs]
/** What a reader would have to replace: dots for something left out, or an id, key or token of somebody else. */
const placeholder = /…|\b(pat|evt|rt|whsec|mem_live|mem_test)_\w|\beyJ|[0-9a-f]{8}-[0-9a-f]{4}-/

/** Every block that is not run, by its first line. What is not here is run. */
const notRun: Record<string, string[]> = {
  'README.md': ['npm ci && npm start'],
  'CONTRIBUTING.md': [
    'npm ci',
    'npm test                  # on the embedded database',
    'export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc',
  ],
  'docs/getting-started.md': ['npm ci && npm start'],
  'docs/guides/python.md': ['from openai import OpenAI'],
  'docs/guides/webhooks.md': ["import { createServer } from 'node:http'"],
  'docs/operating.md': [
    'export DATABASE_URL=postgres://… MASTER_KEY=$(openssl rand -base64 32)    # keep the key',
    'cp .env.example .env        # set POSTGRES_PASSWORD and MASTER_KEY in it, and DOMAIN',
    'npm run migrate',
    '# In the database memory, for the user memory of DATABASE_URL:',
    'npm run backup                        # while the service works, or while it is stopped',
    'npm run doctor',
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
      expect([...programs, 'sh', 'json', 'text', 'mermaid'], `line ${line}`).toContain(language)
    }
    const left = blocks.filter((block) => block.notRun !== undefined).map(({ code }) => code.split('\n')[0])
    expect(left).toEqual(notRun[page] ?? [])
  })

  it('shows an answer only after a command, and an output only of something that runs', () => {
    const run = blocksOf(page).filter((block) => block.notRun === undefined)
    for (const [i, { language, line }] of run.entries()) {
      const before = run[i - 1]?.language ?? 'nothing'
      if (language === 'json') expect(before, `line ${line}`).toBe('sh')
      if (language === 'text' && i > 0) expect([...programs, 'sh'], `line ${line}`).toContain(before)
    }
  })

  it('has nothing in a block that would have to be replaced before it works', () => {
    const run = blocksOf(page).filter(
      ({ language, notRun }) => notRun === undefined && runs.includes(language),
    )
    for (const { code, line } of run) expect(placeholder.exec(code)?.[0], `line ${line}`).toBe(undefined)
  })
})

const runnable = pages.filter((page) =>
  blocksOf(page).some(
    ({ language, notRun }) => language === 'ts' || (runs.includes(language) && notRun === undefined),
  ),
)

it.each(runnable)('%s does what it says', { timeout: 180_000 }, async (page) => {
  await using workspace = await openWorkspace()
  expect(await new Page(page, textOf(page), workspace).run()).toEqual([])
})
