import { execFileSync, spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMcpPackage } from '../../scripts/build-packages.ts'
import { keepsSilent, startScriptedServer } from '../sdk/scripted-server.ts'
import type { Client } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { systemNodes } from '../support/system-nodes.ts'
import { McpClient, newClient, type Revision, revisions } from './connect.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let server: TestServer
let api: Client
/** A project that has the package as it would be published, and what it depends on, and nothing of this repository. */
let folder: string
let program: string

beforeAll(async () => {
  server = await startServer()
  api = await server.newClient()
  await buildMcpPackage()
  folder = mkdtempSync(join(tmpdir(), 'memory-mcp-'))
  const installed = join(folder, 'node_modules/memory-service-mcp')
  mkdirSync(installed, { recursive: true })
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(root, 'packages/mcp/dist'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }]
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed])
  const { bin, dependencies } = manifest()
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  program = join(installed, bin['memory-service-mcp'])
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

const manifest = () =>
  JSON.parse(readFileSync(join(folder, 'node_modules/memory-service-mcp/package.json'), 'utf8'))

const opening = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

const settings = () => ({ MEMORY_SERVICE_URL: server.url, MEMORY_SERVICE_API_KEY: api.key })

/** The official client, with the program as its server. */
async function start(
  revision: Revision,
  { node = process.execPath, args = [] as string[], env = settings() as Record<string, string> } = {},
): Promise<McpClient> {
  const client = newClient(revision)
  await client.connect(
    new StdioClientTransport({ command: node, args: [program, ...args], cwd: folder, env, stderr: 'ignore' }),
  )
  return new McpClient(client)
}

/** Messages of JSON-RPC as lines, of which the last need not be ended. */
const linesOf = (messages: readonly object[]): string =>
  messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message })).join('\n')

const handshake = [{ id: 1, method: 'initialize', params: opening }, { method: 'notifications/initialized' }]

/** Runs the program with this on its standard input, which then ends. */
async function run(args: string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env: { PATH: '', ...env } })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (text) => (output.stdout += text))
  child.stderr.on('data', (text) => (output.stderr += text))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...output }
}

describe('memory-service-mcp', () => {
  it('is one program with few dependencies, all of them published', () => {
    const { private: isPrivate, dependencies, version } = manifest()
    expect(isPrivate).toBeUndefined()
    expect(Object.keys(dependencies)).toEqual(['@modelcontextprotocol/server', 'zod'])
    expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
    const files = globSync('**/*.*', { cwd: join(folder, 'node_modules/memory-service-mcp') }).toSorted()
    expect(files).toEqual(['README.md', 'main.js', 'package.json'])
    expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it.each(revisions)('serves the memory of a service over stdio, by %s', async (revision) => {
    const mcp = await start(revision)
    const stored = await mcp.ok('remember', { text: `Ada likes stdio (${revision}).` })
    const { pattern_id } = stored.structured
    expect((await api.get(`/v1/memory/patterns/${pattern_id}`)).status).toBe(200)
    expect((await mcp.ok('recall', { query: 'stdio', filter: {} })).text).toContain(`- [${pattern_id}] Ada`)
    const selector = { pattern_ids: [pattern_id] }
    const { confirm } = (await mcp.ok('forget', selector)).structured
    expect((await mcp.ok('forget', { ...selector, confirm })).structured.status).toBe('forgotten')
    const { tools } = await mcp.client.listTools()
    expect(tools).toHaveLength(7)
    const { resources } = await mcp.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['memory://profile'])
    await mcp.close()
    const all = await start(revision, { args: ['--tools=all'] })
    expect((await all.client.listTools()).tools.length).toBeGreaterThan(tools.length)
    await all.close()
  })

  it.each(systemNodes())('runs in the Node at %s too', async (node) => {
    const mcp = await start('2025-11-25', { node })
    expect((await mcp.ok('memory_status')).structured.memories).toBe(0)
    await mcp.close()
  })

  it('says what is wrong with how it was started, where no client reads', async () => {
    const key = { MEMORY_SERVICE_API_KEY: api.key }
    for (const [args, env, message] of [
      [[], {}, 'MEMORY_SERVICE_API_KEY is not set'],
      [[], { MEMORY_SERVICE_API_KEY: 'mem_live_…' }, 'apiKey contains "…"'],
      [[], { ...key, MEMORY_SERVICE_URL: 'localhost:8000' }, 'baseUrl is "localhost:8000"'],
      [['--tools=some'], key, '--tools takes all'],
      [['--nonsense'], key, '--nonsense'],
    ] as [string[], Record<string, string>, string][]) {
      const { code, stdout, stderr } = await run(args, env)
      expect(code, message).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toContain(message)
    }
    expect((await run(['--help'], {})).stdout).toContain('MEMORY_SERVICE_URL')
  })

  it('tells the client where the service or the key is none, and goes on', async () => {
    const nowhere = await start('2026-07-28', {
      env: { ...settings(), MEMORY_SERVICE_URL: 'http://127.0.0.1:9' },
    })
    expect(await nowhere.call('memory_status')).toMatchObject({
      isError: true,
      text: expect.stringContaining('No connection'),
    })
    await nowhere.close()
    const wrong = await start('2026-07-28', {
      env: { ...settings(), MEMORY_SERVICE_API_KEY: `${api.key.slice(0, -4)}aaaa` },
    })
    expect(await wrong.call('memory_status')).toMatchObject({ isError: true, text: 'Invalid API key (401)' })
    await wrong.close()
  })

  it('answers what it can not read, as over HTTP', async () => {
    const frames = ['{bad json', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '{"jsonrpc":"2.0","id":2}']
    const { code, stdout } = await run([], settings(), frames.map((frame) => `${frame}\n`).join(''))
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32_700],
      [null, -32_600],
      [2, -32_600],
    ])
    expect(code).toBe(0)
  })

  it('does what it was asked before its input ended, and says what it gave up', async () => {
    const frames = (text: string) =>
      linesOf([
        ...handshake,
        { id: 2, method: 'tools/call', params: { name: 'remember', arguments: { text } } },
      ])
    const { code, stdout } = await run([], settings(), frames('Ada ends her input.'))
    expect(stdout).toContain('Remembered as')
    expect(code).toBe(0)
    const found = await api.post('/v1/memory/patterns/search', { q: 'Ada ends her input.' })
    expect(found.body.patterns).toHaveLength(1)
    await using silent = await startScriptedServer(keepsSilent)
    const env = { ...settings(), MEMORY_SERVICE_URL: silent.url }
    const givenUp = await run([], env, frames('Ada waits.'))
    expect(givenUp.stderr).toContain('requests were given up: 1')
    expect(givenUp.code).toBe(1)
  })

  it.each(['', '\n'])('answers every request that came before its input ended with %j', async (end) => {
    for (const last of [
      { method: 'resources/read', params: { uri: 'memory://profile' } },
      { method: 'tools/call', params: { name: 'memory_status', arguments: {} } },
      { method: 'ping' },
    ]) {
      const { code, stdout } = await run([], settings(), linesOf([...handshake, { id: 2, ...last }]) + end)
      const lines = stdout.trim().split('\n')
      const answers = lines.map((line) => JSON.parse(line)).toSorted((a, b) => a.id - b.id)
      expect(answers, last.method).toMatchObject([1, 2].map((id) => ({ id, result: {} })))
      expect(code, last.method).toBe(0)
    }
  })

  it('waits for no answer to a subscription once its input has ended', async () => {
    const listen = {
      method: 'subscriptions/listen',
      params: {
        notifications: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': opening.clientInfo,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }
    const { code, stderr } = await run([], settings(), linesOf([{ id: 1, ...listen }]))
    expect([code, stderr]).toEqual([0, ''])
  })

  it('outlives frames that are none, and ends with its input', async () => {
    const ping = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`
    const wrong = ['nonsense\n', '{\n', '[]\n', '{"jsonrpc":"2.0"}\n', '\n', `${'['.repeat(10_000)}\n`]
    const child = spawn(process.execPath, [program], { cwd: folder, env: { PATH: '', ...settings() } })
    child.stderr.resume()
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    for (const [id, frame] of wrong.entries()) {
      child.stdin.write(frame)
      child.stdin.write(ping(id))
      // What comes before, if anything, says what was wrong.
      let answer: { id?: unknown; result?: unknown }
      do answer = JSON.parse((await lines.next()).value ?? '{"id":"ended"}')
      while (answer.id !== id && answer.id !== 'ended')
      expect(answer, frame.slice(0, 20)).toMatchObject({ id, result: {} })
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    child.stdin.end()
    expect(await ended).toBe(0)
  })
})
