import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { MemoryClient } from 'memory-service-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAssistantApp } from '../../examples/assistant/app.ts'
import { Assistant, factsOf } from '../../examples/assistant/assistant.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let key: string
let memory: MemoryClient

beforeAll(async () => {
  server = await startServer()
})

beforeEach(async () => {
  const client = await server.newClient()
  key = client.key
  memory = new MemoryClient({ apiKey: key, baseUrl: server.url })
})

afterAll(() => server.close())

describe('the assistant', () => {
  it('remembers what it was told, and forgets it when asked to', async () => {
    const ada = new Assistant(memory, 'ada')
    expect((await ada.respond('Where do I live?')).answer).toBe('I do not know yet. Tell me.')
    expect((await ada.respond('I live in Lisbon, near the river.')).answer).toBe('I will remember that.')
    await ada.respond('My sister plays the cello.')
    const asked = await ada.respond('Where do I live?')
    expect(asked.remembered[0]).toBe('I live in Lisbon, near the river.')
    expect(asked.answer).toBe('You told me: “I live in Lisbon, near the river.”')
    expect(asked.suggestions.every((each) => typeof each === 'string')).toBe(true)
    const { answer } = await ada.respond('Forget that I live in Lisbon, near the river.')
    expect(answer).toBe('I have forgotten 1 message.')
    expect(await ada.recall('Where do I live?')).not.toContain('I live in Lisbon, near the river.')
    expect(await ada.recall('Who plays the cello?')).toContain('My sister plays the cello.')
  })

  it.each(['Where do I live?', 'where do I live', 'Où est-ce que j’habite ?'])(
    'answers %j by what it was told, however often it is asked',
    async (question) => {
      const ada = new Assistant(memory, 'ada')
      await ada.respond('I live in Lisbon, near the river.')
      for (let asked = 1; asked <= 3; asked++) {
        const { answer, remembered } = await ada.respond(question)
        expect({ asked, answer, remembered }).toEqual({
          asked,
          answer: 'You told me: “I live in Lisbon, near the river.”',
          remembered: ['I live in Lisbon, near the river.'],
        })
      }
    },
  )

  it('says each time that it does not know what it was not told', async () => {
    const ada = new Assistant(memory, 'ada')
    for (const question of ['Where do I live?', 'Where do I live?', 'Where do I live ?']) {
      expect((await ada.respond(question)).answer).toBe('I do not know yet. Tell me.')
    }
    expect((await memory.patterns.list()).patterns).toEqual([])
  })

  it('answers by no question that something else has stored', async () => {
    await memory.text.store({ text: 'Where do I live?', metadata: { user: 'ada' } })
    await memory.text.store({ text: 'I live in Lisbon.', metadata: { user: 'ada' } })
    expect((await new Assistant(memory, 'ada').respond('where do I live??')).remembered).toEqual([
      'I live in Lisbon.',
    ])
  })

  it('keeps users apart who share a space', async () => {
    const [ada, ben] = [new Assistant(memory, 'ada'), new Assistant(memory, 'ben')]
    await ada.respond('I live in Lisbon, near the river.')
    await ben.respond('I live in Oslo.')
    const turn = await ben.respond('Where do I live?')
    expect(turn.remembered).toEqual(['I live in Oslo.'])
    expect(JSON.stringify(turn)).not.toContain('Lisbon')
    expect((await ben.respond('forget about living in Lisbon near the river')).answer).not.toContain('Lisbon')
    expect(await ada.recall('Where do I live?')).toEqual(['I live in Lisbon, near the river.'])
  })

  it('remembers a message whole that is longer than a query may be', async () => {
    const ada = new Assistant(memory, 'ada')
    const message = `🦉 I live in Lisbon. ${'I like tea, and the river too. '.repeat(250)}I play the cello.`
    expect(message.length).toBeGreaterThan(5_000)
    await ada.respond(message)
    expect((await memory.patterns.list()).patterns.map(({ text }) => text)).toEqual([message])
    expect(await ada.recall(message)).toEqual([])
  })

  it('asks once for what comes next, of what is the user’s', async () => {
    const sent: [string, string][] = []
    const client = new MemoryClient({
      apiKey: key,
      baseUrl: server.url,
      fetch: (url, init) => {
        sent.push([new URL(String(url)).pathname, String(init?.body)])
        return fetch(url, init)
      },
    })
    const ada = new Assistant(client, 'ada')
    for (const text of ['I live in Lisbon.', 'I have a cat.']) await ada.respond(text)
    for (let i = 0; i < 3; i++) for (const about of ['Lisbon', 'cat']) await ada.recall(about)
    sent.length = 0
    await ada.predict('Lisbon')
    expect(sent).toEqual([['/v1/memory/text/predict', expect.stringContaining('"filter":{"user":"ada"}')]])
  })

  it('gives a model what it remembers', async () => {
    const given: (readonly string[])[] = []
    const ada = new Assistant(memory, 'ada', (message, remembered) => {
      given.push(remembered)
      return `About: ${message}`
    })
    await ada.respond('I am allergic to nuts.')
    await ada.respond('What am I allergic to?')
    expect(given).toEqual([[], ['I am allergic to nuts.']])
    await ada.respond('My sister plays the cello. Does she play well?')
    const stored: unknown[] = []
    for await (const { text, metadata } of memory.patterns.all()) stored.push([text, metadata])
    expect(stored).toEqual([
      ['I am allergic to nuts.', { user: 'ada' }],
      ['My sister plays the cello.', { user: 'ada' }],
    ])
  })
})

describe('what is worth remembering', () => {
  it.each([
    ['I live in Lisbon.', 'I live in Lisbon.'],
    ['When I was a child, I lived in Rome.', 'When I was a child, I lived in Rome.'],
    ['What I like is tea.', 'What I like is tea.'],
    ['Do not call me after ten.', 'Do not call me after ten.'],
    ['I live in Lisbon. Where is my sister?', 'I live in Lisbon.'],
    ['Where is my sister?', ''],
    ['What’s my name', ''],
    ['who plays the cello', ''],
    ['Is my sister coming', ''],
    ['私はどこに住んでいますか？', ''],
    ['أين أعيش؟', ''],
  ])('of %j is %j', (message, facts) => {
    expect(factsOf(message)).toBe(facts)
  })
})

it('as a web application lets each user see and forget what is theirs', async () => {
  const app = createAssistantApp(memory, (req) => req.get('x-user'))
  const web = createServer(app)
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const send = async (path: string, body: object | undefined, user?: string) => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', ...(user === undefined ? {} : { 'X-User': user }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  try {
    expect((await send('/chat', { message: 'Hello' })).status).toBe(401)
    expect((await send('/chat', {}, 'ada')).status).toBe(422)
    for (const [message, place] of [
      ['', 'query'],
      ['tea '.repeat(5_000), 'text'],
    ]) {
      expect(await send('/chat', { message }, 'ada')).toEqual({
        status: 422,
        body: { detail: expect.stringMatching(`^body\\.${place}: `) },
      })
    }
    for (const user of ['ada', 'ben']) await send('/chat', { message: `I am ${user}, and I like tea.` }, user)
    const { body } = await send('/chat', { message: 'What do I like?' }, 'ada')
    expect(body.answer).toBe('You told me: “I am ada, and I like tea.”')
    expect((await send('/memory/stats', undefined, 'ada')).body.total_patterns).toBe(1)
    const found = (await send('/memory/query', { query: 'tea', top_k: 50 }, 'ada')).body
    expect(found.results.every((each: { metadata: { user: string } }) => each.metadata.user === 'ada')).toBe(
      true,
    )
    const gone = await send('/memory/forget', { query: 'I am ada, and I like tea.', threshold: 0.5 }, 'ada')
    expect(gone.body.forgotten).toBeGreaterThan(0)
    expect((await send('/memory/stats', undefined, 'ben')).body.total_patterns).toBe(1)
    expect((await send('/memory/stats', undefined)).status).toBe(403)
  } finally {
    web.closeAllConnections()
    web.close()
  }
})

it.each([
  [429, 429, '60'],
  [503, 502, null],
])('as a web application answers a %i of the service with %i', async (status, answered, retryAfter) => {
  const client = new MemoryClient({
    apiKey: key,
    baseUrl: server.url,
    maxRetries: 0,
    fetch: async () => Response.json({ detail: 'Not now' }, { status, headers: { 'Retry-After': '60' } }),
  })
  const web = createServer(createAssistantApp(client, () => 'ada'))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  try {
    const response = await fetch(`http://127.0.0.1:${(web.address() as AddressInfo).port}/chat`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"message":"Hello"}',
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([answered, retryAfter])
    expect(await response.json()).toEqual({ detail: expect.stringContaining('Not now') })
  } finally {
    web.closeAllConnections()
    web.close()
  }
})

describe('in a terminal', () => {
  async function chat(arguments_: string[], settings: Record<string, string>, typed = '') {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const chat = spawn(process.execPath, ['examples/assistant/main.ts', ...arguments_], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH, NODE_COMPILE_CACHE, ...settings },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // A chat that ends at once does not read what was typed.
    chat.stdin.on('error', () => {})
    chat.stdin.end(typed)
    const [said, complaint, [code]] = await Promise.all([
      text(chat.stdout),
      text(chat.stderr),
      once(chat, 'exit'),
    ])
    return { said, complaint, code }
  }

  it('it talks as its page shows', async () => {
    const page = readFileSync(new URL('../../examples/assistant/README.md', import.meta.url), 'utf8')
    const lines = (/```text\n([\s\S]+?)\n```/.exec(page)?.[1] ?? '').split('\n')
    const typed = lines.flatMap((line) => /^ada: (.+)/.exec(line)?.[1] ?? [])
    expect(typed.length).toBeGreaterThan(3)
    const { said, complaint, code } = await chat(
      ['ada'],
      { MEMORY_SERVICE_API_KEY: key, MEMORY_SERVICE_URL: server.url },
      `${typed.join('\n')}\n\n`,
    )
    expect({ complaint, code }).toEqual({ complaint: '', code: 0 })
    const { port: PORT } = new URL(server.url)
    expect((await chat([], { MEMORY_SERVICE_API_KEY: key, PORT }, 'I like tea.\n\n')).said).toContain(
      'assistant: ',
    )
    // A terminal shows what was typed, a pipe does not.
    const shown = lines.map((line) => (line.startsWith('ada: ') ? 'ada: ' : `${line}\n`)).join('')
    expect(said.replaceAll(/ {2}\(next, perhaps: .+\)\n/g, '')).toContain(shown)
  })

  it('it says in a line what is missing where there is no key', async () => {
    const { said, complaint, code } = await chat([], { MEMORY_DATA_DIR: '/nowhere' })
    expect({ said, code }).toEqual({ said: '', code: 1 })
    expect(complaint).toMatch(/^No API key: .+`npm start`.+\n$/)
  })

  it.each([
    [
      'an address without its protocol',
      { MEMORY_SERVICE_URL: 'localhost:8000', MEMORY_SERVICE_API_KEY: 'mem_live_1' },
      'MEMORY_SERVICE_URL',
    ],
    [
      'an address that is none',
      { MEMORY_SERVICE_URL: 'the service', MEMORY_SERVICE_API_KEY: 'mem_live_1' },
      'MEMORY_SERVICE_URL',
    ],
    ['a key that no header can hold', { MEMORY_SERVICE_API_KEY: 'mem_live_\u2026' }, 'apiKey'],
  ])('it says in a line what is wrong with %s', async (_, settings, name) => {
    const { said, complaint, code } = await chat([], settings)
    expect({ said, code }).toEqual({ said: '', code: 1 })
    expect(complaint).toMatch(/^.+\(--help shows more\)\n$/)
    expect(complaint).toContain(name)
  })

  it('it says in a line that nothing answers at the address', async () => {
    const settings = { MEMORY_SERVICE_URL: 'http://127.0.0.1:9', MEMORY_SERVICE_API_KEY: 'mem_live_1' }
    const { complaint } = await chat([], settings, 'I live in Lisbon.\n\n')
    expect(complaint).toMatch(/^ {2}.+\n$/)
  })

  it('it shows its use', async () => {
    const { said, code } = await chat(['--help'], { MEMORY_DATA_DIR: '/nowhere' })
    expect({ said, code }).toMatchObject({ said: expect.stringContaining('npm run example'), code: 0 })
  })
})
