import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NotificationFeed } from '@memory/shared/notifications/feed'
import { notify } from '@memory/shared/notifications/notify'
import { asTenant } from '@memory/shared/platform/database/database'
import { exportPages, exportSourceOf, MemoryClient, project, unproject } from 'memory-service-sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readBlocks } from '../docs/blocks.ts'
import { textOf } from '../docs/pages.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { type Installed, install, installTimeout, suiteTimeout } from './installed.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pythonPages = [
  'docs/guides/python.md',
  'docs/guides/langchain.md',
  'docs/guides/langgraph.md',
  'docs/guides/llama-index.md',
  'docs/guides/openai-agents.md',
  'docs/guides/google-adk.md',
  'docs/guides/anthropic-memory-tool.md',
  'packages/python/README.md',
]
const sources = join(root, 'packages/python')

interface Ran {
  ok: boolean
  output: string
}

vi.setConfig({ testTimeout: suiteTimeout })

let packages: Installed
let server: TestServer
let folder: string
/** The Python of an environment that has the client, installed as it would be published, and what it needs. */
let python: string
/** The sources as they would be published. */
let sdist: string

beforeAll(async () => {
  packages = await install()
  if ('missing' in packages) return
  folder = mkdtempSync(join(tmpdir(), 'memory-python-'))
  sdist = await unpackedSdist(packages.folder)
  // The wheel is made of what is published, not of what else lies beside it here.
  await succeeded(hatch(packages.folder, sdist, 'wheel'))
  await succeeded(run('python3', ['-m', 'venv', '--without-pip', join(folder, 'venv')]))
  python = join(folder, 'venv/bin/python')
  const offline = ['--no-index', '--find-links', join(packages.folder, 'wheels')]
  const [wheel] = globSync(join(folder, '*.whl')) as [string]
  await succeeded(run('python3', ['-m', 'pip', '-q', '--python', python, 'install', ...offline, wheel]))
}, installTimeout)

beforeAll(async () => {
  server = await startServer()
})

afterAll(async () => {
  await server?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

/** What a program says, and whether it was content. */
function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, PYTHONDONTWRITEBYTECODE: '1', ...options.env }
  return new Promise((resolve) => {
    execFile(command, args, { cwd: options.cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: `${stdout}\n${stderr}` }),
    )
  })
}

async function succeeded(running: Promise<Ran>): Promise<string> {
  const { ok, output } = await running
  expect(ok, output).toBe(true)
  return output
}

const hatch = (packages: string, cwd: string, target: string): Promise<Ran> =>
  run('python3', ['-m', 'hatchling', 'build', '-t', target, '-d', folder], {
    cwd,
    env: { PYTHONPATH: packages },
  })

async function unpackedSdist(packages: string): Promise<string> {
  await succeeded(hatch(packages, sources, 'sdist'))
  const [archive] = globSync(join(folder, '*.tar.gz')) as [string]
  await succeeded(run('python3', ['-m', 'tarfile', '-e', archive, folder]))
  return join(folder, basename(archive, '.tar.gz'))
}

/** Further packages, for what checks the client: it is still the installed one that is checked. */
const tools = (): Record<string, string> => ({ PYTHONPATH: 'missing' in packages ? '' : packages.folder })

/** A test that needs an index of packages once. */
const whereInstalled = (name: string, test: () => Promise<void>) =>
  it(name, async ({ skip }) => {
    if ('missing' in packages) {
      console.warn(`The Python client is not tested: there is no ${packages.missing}.`)
      return skip(packages.missing)
    }
    await test()
  })

describe('the Python client', () => {
  whereInstalled('stores and recalls, with nothing around it but what it says it needs', async () => {
    const { key } = await server.newClient()
    const program = `from memory_service import MemoryClient
with MemoryClient() as memory:
    memory.text.store(text="Ada moved to Lisbon in May.", subject="ada")
    print(memory.text.recall(query="Where did Ada move?", subject="ada")["results"][0]["text"])`
    const env = { MEMORY_SERVICE_URL: server.url, MEMORY_SERVICE_API_KEY: key }
    const said = await succeeded(run(python, ['-c', program], { cwd: folder, env }))
    expect(said.trim()).toBe('Ada moved to Lisbon in May.')
  })

  whereInstalled('follows notifications, and misses none while the service stops its streams', async () => {
    const client = await server.newClient()
    const { key, organizationId } = client
    const tell = (n: number) =>
      asTenant(server.context.database.queries, { organizationId }, async (trx) => {
        for (let i = 0; i < n; i++)
          await notify(trx, organizationId, 'billing.payment_failed', { webhookId: `msg_${i}` })
      })
    const program = `from memory_service import MemoryClient
ids = []
for event in MemoryClient(wait=lambda _: None).notifications.stream():
    print(event["event"], event["id"], flush=True)
    if event["event"] == "notification":
        ids.append(event["data"]["id"])
    if len(ids) == 4:
        break
print("told", *reversed(ids))`
    const env = { PATH: process.env.PATH, MEMORY_SERVICE_URL: server.url, MEMORY_SERVICE_API_KEY: key }
    const following = spawn(python, ['-c', program], { cwd: folder, env })
    let said = ''
    following.stdout.on('data', (data) => (said += data))
    following.stderr.on('data', (data) => (said += data))
    const over = once(following, 'close')
    await until(() => said.includes('unread'), 'the number of unread ones')
    await tell(1)
    await until(() => said.includes('notification'), 'the first notification')
    await server.context.feed.close()
    await tell(3)
    server.context.feed = new NotificationFeed(server.context.database)
    await over
    const listed = (await client.get('/v1/notifications')).body.data as { id: string }[]
    expect(
      said
        .split('\n')
        .find((line) => line.startsWith('told'))
        ?.split(' ')
        .slice(1),
      said,
    ).toEqual(listed.map(({ id }) => id))
    await until(() => server.context.feed.size === 0, 'the end of the stream')
  })

  whereInstalled('projects vectors bit for bit as the TypeScript client does', async () => {
    const lengths = [1, 2, 3, 96, 1_000, 1_024]
    const vectors = lengths.map((length) => Array.from({ length }, (_, i) => Math.fround(Math.sin(i + 1))))
    const program = `import json, sys
from memory_service import project, unproject
print(json.dumps([[project(v, len(v) // 2 + 1), unproject(v, 1_500)] for v in json.loads(sys.argv[1])]))`
    const said = await succeeded(run(python, ['-c', program, JSON.stringify(vectors)], { cwd: folder }))
    expect(JSON.parse(said)).toEqual(
      vectors.map((vector) => [project(vector, Math.floor(vector.length / 2) + 1), unproject(vector, 1_500)]),
    )
  })

  whereInstalled('exports the lines that the TypeScript client does', async () => {
    const { key } = await server.newClient()
    const memory = new MemoryClient({ apiKey: key, baseUrl: server.url })
    const { pattern_id } = await memory.text.store({
      text: 'Ada – à Lisbonne',
      metadata: { n: 1.5, ё: '\u2028' },
    })
    await memory.patterns.update(pattern_id, { text: 'Ada in Porto\t"' })
    await memory.text.store({ text: 'I live in Oslo.', subject: 'Зоя', external_id: 'own', protected: true })
    const lines: string[] = []
    for await (const page of exportPages(exportSourceOf(memory))) lines.push(...page.lines)
    const program = `import sys
from memory_service import MemoryClient, export_pages
for page in export_pages(MemoryClient(), page_size=1):
    sys.stdout.buffer.write("".join(page.lines).encode())`
    const env = { MEMORY_SERVICE_URL: server.url, MEMORY_SERVICE_API_KEY: key }
    const said = await succeeded(run(python, ['-c', program], { cwd: folder, env }))
    expect(said.trimEnd().split('\n')).toEqual(lines.map((line) => line.trimEnd()))
    expect(lines).toHaveLength(2)
  })

  whereInstalled('passes its tests, against faults and against the service', async () => {
    const { key } = await server.newClient()
    const env = { ...tools(), MEMORY_TEST_URL: server.url, MEMORY_TEST_API_KEY: key }
    // Without the sources that lie beside the tests, but for the package that is installed.
    const args = ['-m', 'pytest', '-q', '-o', 'pythonpath=']
    const said = await succeeded(run(python, args, { cwd: sdist, env }))
    expect(said).not.toMatch(/skipped/)
    expect(Number(/\b(\d+) passed\b/.exec(said)?.[1]), said).toBeGreaterThan(200)
  })

  whereInstalled('has types that mypy and pyright find no fault with, and that find mistakes', async () => {
    const mypy = [
      '-m',
      'mypy',
      '--strict',
      '--cache-dir',
      join(folder, 'mypy'),
      '--python-executable',
      python,
    ]
    const pyright = [join(root, 'node_modules/pyright/index.js'), '--pythonpath', python]
    await succeeded(run(python, mypy, { cwd: sdist, env: tools() }))
    await succeeded(run(process.execPath, [...pyright, '-p', sdist], { env: tools() }))
    // As whoever installs it sees it, from a folder without sources of it.
    const elsewhere = mkdtempSync(join(folder, 'elsewhere-'))
    // Of all its options this one goes by the first Python of the path alone.
    const path = { PATH: `${join(folder, 'venv/bin')}:${process.env.PATH}` }
    const asInstalled = [pyright[0] as string, '--verifytypes', 'memory_service', '--ignoreexternal']
    await succeeded(run(process.execPath, asInstalled, { cwd: elsewhere, env: { ...path, ...tools() } }))
    writeFileSync(join(elsewhere, 'good.py'), program(good))
    for (const [n, line] of mistakes.entries()) {
      writeFileSync(join(elsewhere, `mistake_${n}.py`), program(line))
    }
    const strictly = await run(python, [...mypy, '.'], { cwd: elsewhere, env: tools() })
    for (const [n, page] of pythonPages.entries()) {
      const blocks = readBlocks(textOf(page)).filter(({ language }) => language === 'python')
      writeFileSync(join(elsewhere, `page_${n}.py`), blocks.map(({ code }) => `${code}\n`).join(''))
    }
    const checked = await run(process.execPath, [...pyright, elsewhere], { cwd: elsewhere, env: tools() })
    for (const { output } of [strictly, checked]) {
      const wrong = new Set([...output.matchAll(/(\w+)\.py:\d+.*\berror\b/g)].map(([, file]) => file))
      expect([...wrong].toSorted(), output).toEqual(mistakes.map((_, n) => `mistake_${n}`).toSorted())
    }
  })

  whereInstalled('is written as ruff has it', async () => {
    for (const args of [['check'], ['format', '--check']]) {
      await succeeded(
        run('python3', ['-m', 'ruff', ...args, '--no-cache', '.'], { cwd: sources, env: tools() }),
      )
    }
  })

  // For whoever wants a client of another making: all of it is there and can be imported.
  whereInstalled('is not the only one: openapi-python-client makes one of the document', async () => {
    const { key } = await server.newClient()
    const document = join(folder, 'openapi.json')
    writeFileSync(document, await (await fetch(`${server.url}/openapi.json`)).text())
    const config = join(folder, 'generator.json')
    // It knows no other bytes.
    const content_type_overrides = Object.fromEntries(
      ['application/x-ndjson', 'application/zip'].map((type) => [type, 'application/octet-stream']),
    )
    writeFileSync(config, JSON.stringify({ content_type_overrides, post_hooks: [] }))
    const generate = [
      'generate',
      '--path',
      document,
      '--config',
      config,
      '--output-path',
      'generated',
      '--fail-on-warning',
    ]
    const said = await succeeded(
      run('python3', ['-m', 'openapi_python_client', ...generate], { cwd: folder, env: tools() }),
    )
    expect(said).not.toContain('WARNING')
    const env = { ...tools(), SERVICE_URL: server.url, SERVICE_KEY: key }
    const used = await succeeded(
      run('python3', ['-c', useGenerated], { cwd: join(folder, 'generated'), env }),
    )
    const [modules, text] = used.trim().split('\n')
    expect(Number(modules)).toBeGreaterThan(500)
    expect(text).toBe('Ada moved to Lisbon in May.')
  })
})

/** Imports every module, and stores and finds a text. */
const useGenerated = `import importlib, os, pkgutil
import memory_service_client as package
names = [each.name for each in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    importlib.import_module(name)
print(len(names))
from memory_service_client import AuthenticatedClient
from memory_service_client.api.text_memory import retrieve_texts, store_text
from memory_service_client.models import RetrieveTextsRequest, StoreTextRequest
client = AuthenticatedClient(os.environ["SERVICE_URL"], os.environ["SERVICE_KEY"], prefix="", auth_header_name="X-API-Key")
store_text.sync(client=client, body=StoreTextRequest(text="Ada moved to Lisbon in May."))
print(retrieve_texts.sync(client=client, body=RetrieveTextsRequest(query="Where did Ada move?")).results[0].text)
`

const program = (lines: string): string => `from __future__ import annotations
from memory_service import NOBODY, AnswerHead, AsyncMemoryClient, MemoryClient, NotificationEvent, export_pages, types

async def use(memory: MemoryClient, later: AsyncMemoryClient) -> object:
${lines}
`
const good = `    found: list[types.RecalledText] = memory.text.recall(query="x", filter={"user": "ada"}, timeout=5)["results"]
    ids: list[str] = [each["pattern_id"] for each in found]
    ids += [each["pattern_id"] for each in memory.patterns.all(subject="ada", limit=5)]
    ids += [each["pattern_id"] async for each in later.patterns.all(subject=NOBODY, filter={"user": "ada"})]
    file: bytes = await later.users.download_export("id")
    await later.for_subject("ada").text.store(text="x", max_retries=1, idempotency_key=None)
    memory.text.batch_store(items=[{"text": "x", "subject": NOBODY}])
    memory.organizations.update_member("org", "user", role="admin")
    told: list[str | int] = []
    for event in memory.notifications.stream(max_seconds=1, timeout=5):
        told.append(event["data"]["title"] if event["event"] == "notification" else event["data"]["unread_count"])
    heard: list[NotificationEvent] = [each async for each in later.notifications.stream(last_event_id="id")]
    heads: list[AnswerHead] = []
    tag: str = memory.text.context(on_answer=heads.append)["etag"]
    context: types.ReadContextResponse | None = await later.text.context(query="x", if_none_match=tag)
    lines: list[str] = [line for page in export_pages(memory, subject="ada") for line in page.lines]
    lines += [line async for page in export_pages(later, filter={"user": "ada"}, timeout=5) for line in page.lines]
    return ids, file, told, heard, context, lines, memory.text.stats()["total_patterns"], memory.vectors.delete([0.5])`
const mistakes = [
  `    return memory.text.recall(top_k=3)`,
  `    return memory.text.recall(query="x", top_k="3")`,
  `    return memory.text.recall(query="x", filters={})`,
  `    return memory.text.recall(query="x", subject=None)`,
  `    return memory.text.recall(query="x", filter=None)`,
  `    return memory.text.stats()["patterns"]`,
  `    return memory.patterns.get()`,
  `    return memory.organizations.update_member("org", role="admin")`,
  `    return memory.text.stats(timeout="5")`,
  `    return (await later.text.store(text="x"))["id"]`,
  `    return [each["data"]["title"] for each in memory.notifications.stream()]`,
  `    return memory.text.context(if_none_match="x")["text"]`,
  `    return memory.text.stats(if_none_match="x")`,
  `    return export_pages(memory.for_subject("ada"))`,
]
