import { readFileSync } from 'node:fs'
import { MemoryClient } from 'memory-service-sdk'
import { describe, expect, it } from 'vitest'
import {
  factsFile,
  fenceFile,
  invisibleFile,
  renderFacts,
  renderFence,
  renderInvisible,
  renderTypes,
  typesFile,
} from '../../packages/sdk/scripts/generate.ts'
import { listRoutes } from '../../packages/sdk/src/generated/facts.ts'
import { operations } from '../support/operations.ts'

/** What stands for ids, a body and options alike. */
const anyId = 1

type Call = (...given: unknown[]) => Promise<unknown>

interface Sent {
  route: string
  body: unknown
  headers: Headers
}

/** Sends nothing; answers with what would have been sent. */
function recordingClient() {
  const sent: Sent[] = []
  const client = new MemoryClient({
    baseUrl: 'https://memory.example/api/',
    accessToken: 'token',
    fetch: async (url, { method, body, headers }) => {
      const { pathname } = new URL(url)
      const route = `${method} ${pathname.replace(/^\/api/, '')}`
      sent.push({
        route,
        body: typeof body === 'string' ? JSON.parse(body) : body,
        headers: headers as Headers,
      })
      if ([...listRoutes].some((each) => patternOf(each).test(route))) return Response.json([])
      // Pages without items, and no further ones.
      return Response.json({
        ...{
          patterns: [],
          conflicts: [],
          runs: [],
          receipts: [],
          subjects: [],
          items: [],
          versions: [],
          entries: [],
          data: [],
          deliveries: [],
          jobs: [],
          backups: [],
          organizations: [],
          users: [],
          next_cursor: null,
        },
        ...{ has_more: false, pagination: { page: 1, per_page: 20, total: 0, total_pages: 0 } },
      })
    },
  })
  return { client, sent }
}

/** Every method of the client, by its name. */
function methodsOf(client: MemoryClient): [string, Call][] {
  return Object.entries(client).flatMap(([group, methods]) =>
    Object.entries(methods as Record<string, Call>).map(
      ([name, method]) => [`${group}.${name}`, method] as [string, Call],
    ),
  )
}

/** Asks for the stream, which is followed for as long as nobody stops it. */
async function begin(client: MemoryClient): Promise<void> {
  const ending = new AbortController()
  const asked = client.notifications.stream({ signal: ending.signal }).next()
  ending.abort()
  await expect(asked).rejects.toThrow('aborted')
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, String(anyId))}$`)

describe('the client', () => {
  it('has the types of the OpenAPI document: `npm run build:types` writes them', async () => {
    expect(readFileSync(typesFile, 'utf8')).toBe(await renderTypes())
    expect(readFileSync(factsFile, 'utf8')).toBe(renderFacts())
    expect(readFileSync(fenceFile, 'utf8')).toBe(renderFence())
    expect(readFileSync(invisibleFile, 'utf8')).toBe(renderInvisible())
  })

  it('reaches every operation, each by one method, and nothing else', async () => {
    const { client, sent } = recordingClient()
    const reached = new Map<string, string[]>()
    for (const [name, method] of methodsOf(client)) {
      // Iterators are further ways to lists.
      if (/\.all/.test(name)) continue
      // Ids where the path has them; whatever is left over is input and options.
      if (name === 'notifications.stream') await begin(client)
      else await method(anyId, anyId, anyId)
      const { route } = sent.pop() as Sent
      const operation = operations.find(
        ({ method, path }) =>
          route.startsWith(`${method.toUpperCase()} `) && patternOf(path).test(route.split(' ')[1] as string),
      )
      expect(operation, `${name} sends ${route}`).toBeDefined()
      const id = operation?.id as string
      reached.set(id, [...(reached.get(id) ?? []), name])
    }
    // The second way to forget is for clients whose DELETE has no body.
    const needed = operations.map(({ id }) => id).filter((id) => id !== 'forgetTextsByPost')
    expect([...reached.keys()].toSorted()).toEqual(needed.toSorted())
    expect([...reached.values()].filter((names) => names.length > 1)).toEqual([])
  })

  it('iterates over every list that has pages', async () => {
    const { client, sent } = recordingClient()
    const routes: string[] = []
    for (const [name, method] of methodsOf(client)) {
      if (!/\.all/.test(name)) continue
      const id = {
        'webhooks.allDeliveries': '{webhook_id}',
        'patterns.allHistory': '{pattern_id}',
        'admin.allJobs': '{queue}',
      }[name]
      const items = (id === undefined ? method() : method(anyId)) as unknown as AsyncIterable<unknown>
      for await (const item of items) expect.unreachable(`${name} has ${item}`)
      routes.push((sent.pop() as Sent).route.replace(`/${anyId}`, `/${id}`))
    }
    const paged = operations.filter(({ query }) =>
      Object.keys(query?.shape ?? {}).some((field) => field === 'cursor' || field === 'page'),
    )
    expect(paged.length).toBeGreaterThan(3)
    expect(routes.toSorted()).toEqual(
      paged.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    )
  })

  it('sends an Idempotency-Key with what one makes repeatable, another one each call, and with nothing else', async () => {
    const { client, sent } = recordingClient()
    const idempotent = operations
      .filter(({ idempotent }) => idempotent)
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    for (const [name, method] of methodsOf(client)) {
      if (/\.all/.test(name)) continue
      await method(anyId, anyId, anyId)
      await method(anyId, anyId, anyId)
      const requests = sent.splice(0)
      const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
      const isKeyed = requests.some(({ route }) => idempotent.some((each) => patternOf(each).test(route)))
      expect(
        keys.every((key) => (isKeyed ? /^[0-9a-f]{32}$/.test(key ?? '') : key === null)),
        name,
      ).toBe(true)
      if (isKeyed) expect(keys[0]).not.toBe(keys[1])
    }
    await client.subjects.erase('ada', { idempotencyKey: 'erase-ada' })
    expect(sent.pop()?.headers.get('idempotency-key')).toBe('erase-ada')
  })

  it('sends bodies as JSON, queries as parameters, and ids escaped', async () => {
    const { client, sent } = recordingClient()
    await client.vectors.delete([1, 0.5])
    await client.patterns.get('pat_/?#')
    await client.patterns.list({ limit: 2, cursor: 'a b' })
    await client.vectors.get(7)
    await client.text.stats()
    expect(sent.map(({ route, body }) => [route, body])).toEqual([
      ['DELETE /v1/memory/pattern', [1, 0.5]],
      ['GET /v1/memory/patterns/pat_%2F%3F%23', undefined],
      ['GET /v1/memory/patterns', undefined],
      ['GET /v1/memory/pattern/7', undefined],
      ['GET /v1/memory/text/stats', undefined],
    ])
    expect(sent.map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/json',
      ...Array<null>(4).fill(null),
    ])
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer token')
  })

  it('asks for a version', async () => {
    const { client, sent } = recordingClient()
    await client.patterns.update('ext:a/b', { metadata_patch: { a: null } }, { ifMatch: 7 })
    expect(sent[0]?.route).toBe('PATCH /v1/memory/patterns/ext%3Aa%2Fb')
    expect(sent[0]?.headers.get('if-match')).toBe('"7"')
  })

  it.each(['', '.', '..', undefined, null])(
    'refuses the id %j, which would name another path',
    async (id) => {
      const { client, sent } = recordingClient()
      await expect(client.patterns.delete(id as string)).rejects.toThrow(TypeError)
      expect(sent).toEqual([])
    },
  )

  it.each(['half\ud800', '\udfffhalf'])(
    'refuses %j, of which URLs and headers would make somebody else, before anything is sent',
    async (half) => {
      const { client, sent } = recordingClient()
      const said = 'has half a character (a lone surrogate)'
      for (const [call, place] of [
        [client.patterns.list({ subject: half }), 'subject'],
        [client.patterns.delete(half), 'The id for DELETE /v1/memory/patterns/{pattern_id}'],
        [client.subjects.erase(half), 'The id for DELETE /v1/memory/subjects/{subject}'],
        [client.text.stats({ actor: half }), 'The header X-Memory-Actor'],
        [client.text.store({ text: 'a' }, { idempotencyKey: half }), 'The header Idempotency-Key'],
        [client.text.stats({ headers: { 'X-Own': half } }), 'The header X-Own'],
      ] as const) {
        await expect(call).rejects.toThrow(new TypeError(`${place} ${said}`))
      }
      expect(() => client.forSubject(half)).toThrow(TypeError)
      expect(sent).toEqual([])
      await client.patterns.list({ subject: '\ud83c\udf75' })
      expect(sent).toHaveLength(1)
    },
  )

  it('refuses options that do not go together, an address that is none, and headers that can not be sent', async () => {
    expect(() => new MemoryClient({ apiKey: 'key', accessToken: 'token' })).toThrow('not both')
    const { client, sent } = recordingClient()
    for (const [call, name] of [
      [client.text.stats({ actor: 'a\nb' }), 'X-Memory-Actor'],
      [client.text.stats({ actor: 'ada ' }), 'X-Memory-Actor'],
      [client.text.store({ text: 'a' }, { idempotencyKey: '\tkey' }), 'Idempotency-Key'],
      [client.text.stats({ headers: { 'X-Own': 'secret\r' } }), 'X-Own'],
    ] as const) {
      const said = `The header ${name} has a line break in it, or white space at its ends`
      await expect(call).rejects.toThrow(new TypeError(said))
    }
    expect(sent).toEqual([])
  })

  it.each(['nowhere', '127.0.0.1:8000', 'localhost:8000', 'ftp://memory.example', ''])(
    'says what is wrong with the address %j',
    (baseUrl) => {
      expect(() => new MemoryClient({ baseUrl })).toThrow(
        new TypeError(
          `baseUrl is ${JSON.stringify(baseUrl)}, and should be an http or https address, as in http://127.0.0.1:8000`,
        ),
      )
    },
  )

  it.each(['https://memory.example/v1', 'https://memory.example/v1/', 'https://memory.example/v1/memory'])(
    'says that %s has the path that the client adds',
    (baseUrl) => {
      expect(() => new MemoryClient({ baseUrl })).toThrow(
        `baseUrl is ${JSON.stringify(baseUrl)}, and the client adds /v1 by itself: give https://memory.example`,
      )
    },
  )

  it.each(['https://memory.example/?key=1', 'https://memory.example/#docs', 'https://ada@memory.example'])(
    'says that %s is more than an address',
    (baseUrl) => {
      expect(() => new MemoryClient({ baseUrl })).toThrow(
        'should be an address alone: https://memory.example',
      )
    },
  )

  it('says so without the password in it', () => {
    expect(() => new MemoryClient({ baseUrl: 'https://ada:secret@memory.example' })).toThrow(
      new TypeError('baseUrl is "…@memory.example", and should be an address alone: https://memory.example'),
    )
  })

  it.each([
    ['mem_...', true],
    ['mem_live_...', true],
    ['YOUR_API_KEY', true],
    ['your-key', true],
    ['<api-key>', true],
    ['{MEMORY_SERVICE_API_KEY}', true],
    ['$MEMORY_SERVICE_API_KEY', true],
    ['mem_live_xxxxxxxxxxxx', true],
    ['mem_test_changeme', true],
    // As the service makes them, whatever letters chance puts next to each other.
    [`mem_live_${'yourXXXX'.padEnd(49, 'a')}`, false],
    ['key', false],
  ])('takes %s for a placeholder: %j', (apiKey, isPlaceholder) => {
    const make = () => new MemoryClient({ apiKey })
    if (isPlaceholder) expect(make).toThrow(/^apiKey is the placeholder of an example/)
    else expect(make).not.toThrow()
  })

  it.each([
    ['apiKey', 'mem_live_…', 'apiKey contains "…"'],
    ['apiKey', ' mem_live_0', 'apiKey contains " "'],
    ['apiKey', 'mem_live_0\n', 'apiKey contains "\\n"'],
    ['accessToken', '<токен>', 'accessToken contains "т"'],
    ['apiKey', '', 'apiKey is empty'],
  ])('says what is wrong with the %s %j', (name, given, said) => {
    expect(() => new MemoryClient({ [name]: given })).toThrow(said)
    expect(() => new MemoryClient({ [name]: given })).toThrow(TypeError)
  })

  it('sends an actor of any letters as UTF-8', async () => {
    const { client, sent } = recordingClient()
    await client.text.stats({ actor: 'Жанна' })
    expect(Buffer.from(sent[0]?.headers.get('x-memory-actor') ?? '', 'latin1').toString()).toBe('Жанна')
  })
})
