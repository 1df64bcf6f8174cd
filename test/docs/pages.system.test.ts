import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Installed, install, installTimeout } from '../python/installed.ts'
import { findIndentedCode, readBlocks } from './blocks.ts'
import { pages, textOf } from './pages.ts'
import { Page } from './run.ts'
import { typeFaults } from './types.ts'
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
  'docs/guides/importing.md': ['import json', 'import json'],
  'docs/guides/mcp.md': [
    'claude mcp add --transport http memory http://127.0.0.1:8000/mcp --header "X-API-Key: $MEMORY_SERVICE_API_KEY"',
    '{',
    '{',
    '{',
    '[mcp_servers.memory]',
  ],
  'docs/guides/mastra.md': ['npm install memory-service-sdk @mastra/core'],
  'docs/guides/vercel-ai-sdk.md': ['npm install memory-service-sdk ai'],
  'packages/sdk/README.md': ['npm install memory-service-sdk'],
  'packages/router/README.md': ['npm install memory-service-router express'],
  'packages/mcp/README.md': ['MEMORY_SERVICE_API_KEY=$(cat data/local-api-key) npx memory-service-mcp'],
  'docs/guides/python.md': ['pip install memory-service-sdk'],
  'docs/guides/langchain.md': ['pip install "memory-service-sdk[langchain]"'],
  'docs/guides/langgraph.md': ['pip install "memory-service-sdk[langgraph]"'],
  'docs/guides/llama-index.md': ['pip install "memory-service-sdk[llama-index]"'],
  'docs/guides/openai-agents.md': ['pip install "memory-service-sdk[openai-agents]"'],
  'docs/guides/google-adk.md': ['pip install "memory-service-sdk[google-adk]"'],
  'docs/guides/anthropic-memory-tool.md': [
    'pip install "memory-service-sdk[anthropic]"',
    'from anthropic import Anthropic',
  ],
  'docs/guides/webhooks.md': [
    "import { createServer } from 'node:http'",
    'retry: 1000',
    "import { MemoryClient } from 'memory-service-sdk'",
  ],
  'packages/python/README.md': [
    'pip install memory-service-sdk',
    'npm run build:python        # after a change of the API: writes src/memory_service/types.py and _generated',
  ],
  'docs/operating.md': [
    'export DATABASE_URL=postgres://… MASTER_KEY=$(openssl rand -base64 32)    # keep the key',
    'cp .env.example .env        # set POSTGRES_PASSWORD and MASTER_KEY in it, and DOMAIN',
    'npm run migrate',
    '# In the database memory, for the user memory of DATABASE_URL:',
    'npm run backup                        # while the service works, or while it is stopped',
    'docker compose exec api npm run backup',
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

it('has no fault in the types of any TypeScript', async () => {
  expect(await typeFaults(new Map(pages.map((page) => [page, textOf(page)])))).toEqual([])
})

const runnable = pages.filter((page) =>
  blocksOf(page).some(({ language, notRun }) => runs.includes(language) && notRun === undefined),
)

let python: Installed
const pythonSources = fileURLToPath(new URL('../../packages/python/src', import.meta.url))

beforeAll(async () => {
  python = await install()
}, installTimeout)

it.for(runnable)('%s does what it says', { timeout: 180_000 }, async (page, { skip }) => {
  if ('missing' in python && blocksOf(page).some(({ language }) => language === 'python')) {
    console.warn(`${page} is not run: there is no ${python.missing}.`)
    return skip(python.missing)
  }
  const pythonPath = 'missing' in python ? '' : `${python.folder}:${pythonSources}`
  await using workspace = await openWorkspace()
  expect(await new Page(page, textOf(page), workspace, pythonPath).run()).toEqual([])
})
