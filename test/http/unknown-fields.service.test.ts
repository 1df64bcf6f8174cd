import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { isStrict } from '@memory/api/http/handling'
import { limits } from '@memory/shared/catalogue/limits'
import { type Operation, removes, selects } from '@memory/shared/catalogue/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { unwrap } from '../../apps/api/src/http/validation/schema-path.ts'
import { misspeltMax } from '../../apps/api/src/http/validation/unknown-fields.ts'
import { Anonymous, newUser, type User } from '../support/accounts.ts'
import { newConformingClient } from '../support/conforms.ts'
import { bodyOf, operations, parametersOf, pathWith } from '../support/operations.ts'
import type { Answer } from '../support/requests.ts'
import { startServer, type TestServer } from '../support/server.ts'

const strict = { Prefer: 'handling=strict' }

let server: TestServer
let admin: User

beforeAll(async () => {
  server = await startServer()
  admin = await newUser(server, { platformAdmin: true })
})

afterAll(() => server.close())

/** Sends a request with a body whatever its method is, as fetch does not. */
async function send(
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string | string[]> = {},
): Promise<Answer> {
  const sent = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const request = sendRequest(server.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${admin.accessToken}`,
      'Content-Type': 'application/json',
      'Content-Length': sent.length,
      ...headers,
    },
  })
  request.end(sent)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  const answered = new Headers()
  for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value))
  return { status: response.statusCode ?? 0, headers: answered, body: JSON.parse(await text(response)) }
}

/** What is no id. */
const others: Record<string, string> = { pattern_idx: '1', version: '1', queue: 'chores' }

/** An operation's path with ids of the form that it wants, which are nobody's. */
const pathOf = (operation: Operation): string => {
  const ids = parametersOf(operation).map((name) => [name, others[name] ?? randomUUID()])
  return pathWith(operation, Object.fromEntries(ids))
}

/** A valid request of an operation, with further fields in its query and at the top of its body. */
function ask(operation: Operation, query: string[], body: object, headers: Record<string, string> = {}) {
  const parameters = new URLSearchParams(query.map((name) => [name, 'x']))
  if (operation.query?.shape.confirm !== undefined) parameters.set('confirm', 'all')
  const path = `${pathOf(operation)}?${parameters}`
  const made = operation.body === undefined ? {} : structuredClone(bodyOf(operation))
  const fields = Array.isArray(made) ? made : { ...(made as object), ...body }
  return send(operation.method.toUpperCase(), path, fields, headers)
}

type Loc = (string | number)[]

const forbidden = ({ status, body }: Answer): Loc[] =>
  status === 422
    ? body.detail.flatMap((entry: { type: string; loc: Loc }) =>
        entry.type === 'extra_forbidden' ? [entry.loc] : [],
      )
    : []

/** Of every operation but the one whose requests are signed, which has a test of its own. */
const asked = operations.filter(({ id }) => id !== 'receiveBillingEvent')
const named = (chosen: readonly Operation[]) => chosen.map((operation) => [operation.id, operation] as const)
/** The body of one is a list, which has no fields. */
const takesFields = ({ body }: Operation) => body === undefined || unwrap(body) instanceof z.ZodObject

describe('a field that an operation does not have', () => {
  it.each(named(asked))('%s refuses where it is asked to be strict', async (_id, operation) => {
    const answer = await ask(operation, ['limt'], { metdata: 1 }, strict)
    expect(answer.headers.get('preference-applied')).toBe('handling=strict')
    expect(answer.headers.get('x-ignored-fields')).toBeNull()
    expect(forbidden(answer)).toEqual([
      ['query', 'limt'],
      ...(takesFields(operation) ? [['body', 'metdata']] : []),
    ])
    expect(answer.body.detail).toContainEqual({
      type: 'extra_forbidden',
      loc: ['query', 'limt'],
      msg: 'Extra inputs are not permitted',
      // Where there are secrets, one may stand under a misspelt name.
      input: /\/auth\/|\/mfa\/|webhooks$|password|accept$/.test(operation.path)
        ? expect.stringMatching(/^(x|\[redacted\])$/)
        : expect.anything(),
    })
  })

  it.each(named(asked.filter(({ body }) => body !== undefined)))(
    '%s refuses within each object of the body',
    async (_id, operation) => {
      const { body } = operation
      if (body === undefined) return
      const places = objectsIn(body, structuredClone(bodyOf(operation)), ['body'])
      if (places.length === 0) return
      for (const { at } of places) at.metdata = 1
      const sent = places[0]?.root
      const answer = await send(operation.method.toUpperCase(), pathOf(operation), sent, strict)
      expect(forbidden(answer).toSorted()).toEqual(places.map(({ loc }) => [...loc, 'metdata']).toSorted())
    },
  )

  it('is ignored otherwise, and named, in answers of every status', async () => {
    const ada = await newConformingClient(server)
    const named = async (path: string, body: object, status: number) => {
      const answer = await ada.post(path, body)
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([status, null])
      return answer.headers.get('x-ignored-fields')
    }
    expect(await named('/v1/memory/text/store?limt=1', { text: 'a', metdata: {} }, 200)).toBe(
      'body.metdata, query.limt',
    )
    expect(await named('/v1/memory/text/store', { txt: 'a' }, 422)).toBe('body.txt')
    const items = [{ text: 'a' }, { text: 'b', metdata: {}, id: 1 }]
    expect(await named('/v1/memory/text/batch-store', { items, user_id: 'ada' }, 200)).toBe(
      'body.items.1.metdata, body.items.1.id, body.user_id',
    )
    expect(await named('/v1/memory/feedback', { pattern_id: 'none', useful: true, why: 'x' }, 404)).toBe(
      'body.why',
    )
    const reader = await newConformingClient(server, { scopes: ['memory:read'] })
    const refused = await reader.post('/v1/memory/text/store', { text: 'a', b: 1 })
    expect([refused.status, refused.headers.get('x-ignored-fields')]).toEqual([403, 'body.b'])
    const { headers } = await ada.post('/v1/memory/text/store', { text: 'a', metadata: { b: { c: 1 } } })
    expect(headers.get('x-ignored-fields')).toBeNull()
  })

  const ofItems = ['text', 'metadata', 'subject', 'external_id', 'expires_at', 'occurred_at', 'valid_to']
  it.each([
    ['text/batch-store', 'items', { text: 'a' }, ofItems],
    ['batch/store', 'patterns', { key: [1], value: [1] }, ['key', 'value', ...ofItems.slice(1)]],
    ['batch/retrieve', 'queries', { embedding: [1] }, ['embedding', 'top_k', 'subject', 'filter', 'before']],
  ])('of %s is refused beside the %s where each of them has it', async (path, list, item, names) => {
    const ada = await newConformingClient(server)
    // However much is ignored before it.
    const misspelt = Object.fromEntries(
      Array.from({ length: limits.ignoredFields + 1 }, (_, i) => [`f${i}`, 1]),
    )
    for (const name of names) {
      const answer = await ada.post(`/v1/memory/${path}`, {
        [list]: [{ ...item, ...misspelt }],
        [name]: 'ada',
      })
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toMatchObject([
        {
          type: 'extra_forbidden',
          loc: ['body', name],
          msg: `Extra inputs are not permitted: use \`body.${list}.*.${name}\``,
        },
      ])
    }
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toEqual([])
  })

  const fieldsInBody = ({ body }: Operation): string[] => {
    const inner = body && unwrap(body)
    if (!(inner instanceof z.ZodObject)) return []
    const inItems = Object.values(inner.shape).flatMap((field) => {
      const list = unwrap(field as z.ZodType)
      const item = list instanceof z.ZodArray ? unwrap(list.element) : undefined
      return item instanceof z.ZodObject ? Object.keys(item.shape) : []
    })
    return [...Object.keys(inner.shape), ...inItems]
  }
  const changing = asked.filter(
    (operation) =>
      operation.method !== 'get' && operation.access !== 'memory:read' && fieldsInBody(operation).length > 0,
  )

  it.each(named(changing))(
    'of the body of %s is refused in its query, with its place, whatever is sent in the body',
    async (_id, operation) => {
      const own = Object.keys(operation.query?.shape ?? {})
      const names = [...new Set(fieldsInBody(operation))].filter((name) => !own.includes(name))
      // However much is ignored before it.
      const others = Array.from({ length: limits.ignoredFields + 1 }, (_, i) => `zz${i}`)
      const answer = await ask(operation, [...(removes(operation) ? [] : others), ...names], {})
      expect(forbidden(answer)).toEqual(names.map((name) => ['query', name]))
      for (const { loc, msg } of answer.body.detail.filter(
        ({ loc: [part] }: { loc: Loc }) => part === 'query',
      ))
        expect(msg).toMatch(new RegExp(`: use \`body\\.(.+\\.)?${loc[1]}\`$`))
    },
  )

  it('of the body is refused in the query, and nothing is stored or found without it', async () => {
    const ada = await newConformingClient(server)
    for (const [path, body, place] of [
      ['text/store?subject=ada', { text: 'a' }, 'body.subject'],
      ['text/batch-store?subject=ada', { items: [{ text: 'a' }] }, 'body.items.*.subject'],
      ['text/store?on_conflict=error', { text: 'a', external_id: 'e' }, 'body.on_conflict'],
      ['store?subject=ada', { key: [1], value: [1] }, 'body.subject'],
      ['text/retrieve?subject=ada', { query: 'a' }, 'body.subject'],
      ['text/recall?filter=ada', { query: 'a' }, 'body.filter'],
    ] as const) {
      const { status, body: said } = await ada.post(`/v1/memory/${path}`, body)
      expect([path, status, said.detail?.[0].msg]).toEqual([
        path,
        422,
        expect.stringContaining(`\`${place}\``),
      ])
    }
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toEqual([])
    // Lists take theirs in the query.
    expect((await ada.get('/v1/memory/patterns?subject=ada&limit=1')).status).toBe(200)
  })

  it('is not looked for in metadata and filters', async () => {
    const ada = await newConformingClient(server)
    const own = { user_id: 'ada', tags: ['x'], filters: { where: 1 } }
    await ada.store([{ text: 'mine', metadata: own }])
    const found = await ada.post(
      '/v1/memory/text/retrieve',
      { query: 'mine', filter: { user_id: 'ada' } },
      strict,
    )
    expect([found.status, found.body.results.length]).toEqual([200, 1])
  })

  it('is looked for where anybody is answered, and where there are no fields', async () => {
    const { headers } = await send('GET', '/healthz?verbose=1', {}, { Authorization: '' })
    expect(headers.get('x-ignored-fields')).toBe('query.verbose')
    const store = await send('POST', '/v1/auth/logout-all', Buffer.from('null'), strict)
    expect(store.status).toBe(200)
    admin = await newUser(server, { platformAdmin: true })
  })
})

/** The objects of a body whose fields the schema names, with where they are. */
function objectsIn(
  schema: z.core.$ZodType,
  value: unknown,
  loc: Loc,
  root = value,
): { at: Record<string, unknown>; loc: Loc; root: unknown }[] {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod
  if (def.type === 'array') {
    return (value as unknown[]).flatMap((item, i) => objectsIn(def.element, item, [...loc, i], root))
  }
  if (def.type !== 'object') return []
  const at = value as Record<string, unknown>
  const within = Object.entries(def.shape).flatMap(([name, field]) =>
    at[name] == null ? [] : objectsIn(field, at[name], [...loc, name], root),
  )
  return [{ at, loc, root }, ...within]
}

/** Ways to write a name of several words. */
const writings = (name: string): string[] => {
  const words = name.split('_')
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return [
    name,
    words.map((word, i) => (i === 0 ? word : capital(word))).join(''),
    words.map(capital).join(''),
    name.toUpperCase(),
    words.join('-'),
    `$${name}`,
  ].filter((each, i, all) => all.indexOf(each) === i)
}

const ofOthers = [
  ...['filters', 'where', 'user_id', 'agent_id', 'run_id', 'session_id', 'namespace', 'container_tag'],
  ...[
    'container_tags',
    'collection',
    'bank_id',
    'group_id',
    'tags',
    'app_id',
    'thread_id',
    'tenant',
    'tenant_id',
  ],
  ...[
    'where_document',
    'metadata_filter',
    'query_filter',
    'must',
    'collection_name',
    'user',
    'end_user',
    'scope',
  ],
  ...['partition', 'entity_id', 'subject_id', 'conversation_id', 'space', 'space_id'],
]
const foreign = ofOthers.flatMap(writings)
/** So many at a time as an answer names. */
const inTurn = [foreign.slice(0, 80), foreign.slice(80)]

describe('a selector of another product', () => {
  const selecting = asked.filter(selects)

  it.each(named(selecting))('is refused by %s, however it is written', async (_id, operation) => {
    const known = Object.keys(operation.query?.shape ?? {})
    for (const names of inTurn) {
      const inQuery = await ask(operation, names, {})
      expect(forbidden(inQuery)).toEqual(
        names.filter((name) => !known.includes(name)).map((n) => ['query', n]),
      )
      if (!takesFields(operation)) continue
      const inBody = await ask(operation, [], Object.fromEntries(names.map((name) => [name, 'ada'])))
      expect(forbidden(inBody)).toEqual(names.map((name) => ['body', name]))
      for (const { msg } of inBody.body.detail)
        expect(msg).toMatch(/^Extra inputs are not permitted: .*filter/)
    }
  })

  it.each(named(selecting))(
    'has siblings that %s refuses where it has none: filter and subject',
    async (_id, op) => {
      const fields = ['filter', 'filter[user]', 'subject'].filter(
        (name) => !(op.body instanceof z.ZodObject && name in op.body.shape),
      )
      const inQuery = ['filter', 'filter[user]', 'subject'].filter(
        (name) => !(name in (op.query?.shape ?? {})),
      )
      expect(forbidden(await ask(op, inQuery, {}))).toEqual(inQuery.map((name) => ['query', name]))
      if (!takesFields(op)) return
      const inBody = await ask(op, [], Object.fromEntries(fields.map((name) => [name, { user: 'ada' }])))
      expect(forbidden(inBody)).toEqual(fields.map((name) => ['body', name]))
    },
  )

  it.each(named(selecting))('is as_of, where %s answers of now alone', async (_id, operation) => {
    const times = writings('as_of').filter((name) => !(name in (operation.query?.shape ?? {})))
    expect(forbidden(await ask(operation, times, {}))).toEqual(times.map((name) => ['query', name]))
    if (!takesFields(operation)) return
    const { body } = operation
    const inBody = writings('as_of').filter((name) => !(body instanceof z.ZodObject && name in body.shape))
    const answer = await ask(operation, [], Object.fromEntries(inBody.map((name) => [name, '2026-01-01'])))
    expect(forbidden(answer)).toEqual(inBody.map((name) => ['body', name]))
    for (const { msg } of answer.body.detail) expect(msg).toMatch(/[`.]as_of`$/)
  })

  it('is ignored, and named, by what neither finds nor removes anything', () => {
    const others = operations.filter((operation) => !selects(operation))
    expect(others.filter(({ path }) => path.startsWith('/v1/memory/')).map(({ id }) => id)).toEqual([
      'storeText',
      'batchStoreTexts',
      'giveFeedback',
      'compareTexts',
      'embedText',
      'changePattern',
      'revertPattern',
      'resolveConflict',
      'reopenConflict',
      'verifyReceipt',
      'issueSubjectToken',
      'storeVector',
      'batchStoreVectors',
      'composeVectors',
      'runAccelerationBenchmark',
    ])
    for (const { access, method } of others) {
      expect(access === 'anyone' || !['get', 'delete'].includes(method)).toBe(true)
    }
  })

  it.each(named(asked.filter((op) => !selects(op) && op.access.startsWith('memory:') && takesFields(op))))(
    'is no reason for %s to refuse',
    async (_id, operation) => {
      const answer = await ask(operation, [], { user_id: 'ada' })
      expect([200, 404, 409]).toContain(answer.status)
      expect(answer.headers.get('x-ignored-fields')).toBe('body.user_id')
    },
  )

  it('names the field that selects', async () => {
    const ada = await newConformingClient(server)
    const told = async (path: string, body: object) => (await ada.post(path, body)).body.detail
    expect(await told('/v1/memory/text/recall', { query: 'q', user_id: 'ada', limit: 3 })).toEqual([
      {
        type: 'extra_forbidden',
        loc: ['body', 'user_id'],
        msg: 'Extra inputs are not permitted: select by metadata with `body.filter`',
        input: 'ada',
      },
    ])
    expect(await told('/v1/memory/belief/classify', { query: 'q', filter: { user: 'ada' } })).toEqual([
      {
        type: 'extra_forbidden',
        loc: ['body', 'filter'],
        msg: 'Extra inputs are not permitted: nothing is selected by it, and the operation has no `filter`',
        input: { user: 'ada' },
      },
    ])
  })

  it('is found behind any number of other fields', async () => {
    const ada = await newConformingClient(server)
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field${i}`, i]))
    const answer = await ada.post('/v1/memory/text/recall', { query: 'q', ...many, userId: 'ada' })
    expect(forbidden(answer)).toEqual([['body', 'userId']])
    expect(answer.headers.get('x-ignored-fields')?.split(', ')).toHaveLength(limits.ignoredFields)
  })

  it.each<[string, string, string, unknown, Record<string, string>, number]>([
    ['a filter beside confirm=all', 'DELETE', '/patterns?confirm=all', { filter: { user: 'ada' } }, {}, 422],
    ['a list of ids beside confirm=all', 'DELETE', '/patterns?confirm=all', ['pat_1', 'pat_2'], {}, 422],
    ['an id beside confirm=all', 'DELETE', '/patterns?confirm=all', 'pat_1', {}, 422],
    ['a user in the query', 'DELETE', '/patterns?confirm=all&user_id=ada', {}, {}, 422],
    [
      'a form',
      'DELETE',
      '/patterns?confirm=all',
      Buffer.from('user_id=ada'),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      400,
    ],
    ['what is no JSON', 'DELETE', '/patterns?confirm=all', Buffer.from('{"filter":'), {}, 400],
    ['more than is read', 'DELETE', '/patterns?confirm=all', { a: 'x'.repeat(limits.noBodyBytes) }, {}, 413],
    ['filters of a forget', 'DELETE', '/text/forget', { category: 'health', filters: {} }, {}, 422],
    ['filters of a forget by POST', 'POST', '/text/forget', { category: 'health', filters: {} }, {}, 422],
    ['a key with a user', 'DELETE', '/pattern?user_id=ada', [1, 2], {}, 422],
  ])('removes nothing: %s', async (_name, method, path, body, headers, status) => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'kept', metadata: { category: 'health' } }])
    await ada.post('/v1/memory/store', { key: [1, 2], value: [1] })
    const own = { Authorization: '', 'X-API-Key': ada.key, ...headers }
    expect((await send(method, `/v1/memory${path}`, body, own)).status).toBe(status)
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toHaveLength(2)
  })
})

/** What other operations of the service select by, those that read as well as those that remove. */
const narrowing = [
  ...['after', 'before', 'since', 'until', 'category', 'tier', 'query', 'q', 'pattern_id', 'pattern_ids'],
  ...['external_id', 'external_ids', 'pattern_index', 'pattern_indexes', 'pattern_idx', 'categories'],
]
/** What would spare something where it is removed, and hides nothing where it is read. */
const sparing = [
  ...['id', 'ids', 'memory_id', 'text', 'metadata', 'metadata[user]', 'key', 'embedding', 'created_at'],
  ...['updated_at', 'occurred_at', 'expires_at', 'valid_from', 'valid_to', 'include_superseded', 'protected'],
  ...['version', 'kind', 'status', 'prefix', 'search', 'limit', 'top_k', 'min_similarity', 'min_priority'],
  ...['threshold', 'guard', 'dry_run', 'environment', 'organization_id'],
  // Names of a rehearsal.
  ...[
    'dry',
    'simulate',
    'simulation',
    'preview',
    'rehearsal',
    'pretend',
    'noop',
    'what_if',
    'trial',
    'test_run',
  ],
  ...['check_only', 'count_only', 'validate_only', 'mock'],
]
/** How an answer is made: none of them says what it is about. */
const manners = [
  ...['explain', 'lang', 'read_only', 'time', 'reference_time', 'token_budget', 'format', 'order', 'cursor'],
  ...['dimensions', 'confirm', 'context', 'pathways', 'pathway', 'last_n', 'window', 'return_native_dim'],
  ...['key_a', 'key_b', 'text_a', 'text_b', 'pattern_a_id', 'pattern_b_id', 'alpha', 'new_value', 'queries'],
  ...['batch_size', 'context_keys', 'depth', 'magnitude', 'reason'],
]
const removing = asked.filter((operation) => selects(operation) && removes(operation))
const fieldsOf = (schema: Operation['query'] | Operation['body']): string[] => {
  const inner = schema && unwrap(schema)
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

describe('a selector of another operation', () => {
  const selecting = asked.filter(selects)

  it('is each field of an operation on memories that is not said to be its manner', () => {
    const all = selecting
      .filter(({ path }) => path.startsWith('/v1/memory/'))
      .flatMap(({ query, body }) => [...fieldsOf(query), ...fieldsOf(body)])
    const said = new Set(['filter', 'subject', 'as_of', ...narrowing, ...sparing, ...manners])
    expect(all.filter((name) => !said.has(name))).toEqual([])
  })

  it.each(named(selecting))('is refused by %s', async (_id, operation) => {
    const refused = removing.includes(operation) ? [...narrowing, ...sparing] : narrowing
    const query = refused.filter((name) => !fieldsOf(operation.query).includes(name))
    expect(forbidden(await ask(operation, query, {}))).toEqual(query.map((name) => ['query', name]))
    if (!takesFields(operation)) return
    const fields = refused.filter((name) => !fieldsOf(operation.body).includes(name))
    const inBody = await ask(operation, [], Object.fromEntries(fields.map((name) => [name, 'x'])))
    expect(forbidden(inBody)).toEqual(fields.map((name) => ['body', name]))
  })

  it.each(named(removing))('is refused by %s however it is written', async (_id, operation) => {
    const known = fieldsOf(operation.query)
    const names = ['before', 'pattern_ids', 'external_id', 'dry_run'].flatMap(writings)
    const query = names.filter((name) => !known.includes(name))
    expect(forbidden(await ask(operation, query, {}))).toEqual(query.map((name) => ['query', name]))
  })

  it('is ignored by what reads where it hides nothing, and named', async () => {
    const ada = await newConformingClient(server)
    const asked = { query: 'q', expires_at: null, text: 'q', limit: 1 }
    const answer = await ada.post('/v1/memory/text/retrieve', asked)
    expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([
      200,
      'body.expires_at, body.text, body.limit',
    ])
  })

  const filtering = selecting.filter(({ query, body }) =>
    [...fieldsOf(query), ...fieldsOf(body)].includes('filter'),
  )
  it.each(named(filtering))('is metadata, where %s has a filter', async (_id, operation) => {
    const place = fieldsOf(operation.body).includes('filter') ? 'body' : 'query'
    for (const name of ['metadata', 'metadata[user]', 'Metadata.user']) {
      const { body } = await ask(operation, [name], {})
      expect(body.detail).toMatchObject([
        { loc: ['query', name], msg: expect.stringContaining(`select by metadata with \`${place}.filter\``) },
      ])
    }
    if (!takesFields(operation)) return
    expect(forbidden(await ask(operation, [], { metadata: { user: 'x' } }))).toEqual([['body', 'metadata']])
  })

  /** Requests that remove all that `ada` has unless they are refused. */
  const wide: [string, string, string, object][] = [
    ['delete by subject', 'POST', '/patterns/delete', { subject: 'ada' }],
    ['delete by filter', 'POST', '/patterns/delete', { filter: { a: 1 } }],
    ['forget', 'DELETE', '/text/forget', { subject: 'ada' }],
    ['forget by POST', 'POST', '/text/forget', { subject: 'ada' }],
    ['empty the space', 'DELETE', '/patterns?confirm=all', {}],
    ['erase a subject', 'DELETE', '/subjects/ada', {}],
  ]

  it.each(wide)('removes nothing: %s', async (_name, method, path, body) => {
    const ada = await newConformingClient(server)
    await ada.store(['one', 'two', 'three'].map((text) => ({ text, subject: 'ada', metadata: { a: 1 } })))
    const own = { Authorization: '', 'X-API-Key': ada.key }
    const operation = removing.find(
      (op) =>
        op.method === method.toLowerCase() &&
        `/v1/memory${path}`.split('?')[0] === op.path.replace('{subject}', 'ada'),
    )
    const refused = [...narrowing, ...sparing].filter((name) => !fieldsOf(operation?.body).includes(name))
    for (const name of refused) {
      const answer = await send(method, `/v1/memory${path}`, { ...body, [name]: '2020-01-01' }, own)
      expect([name, answer.status, forbidden(answer)]).toEqual([name, 422, [['body', name]]])
      const url = `/v1/memory${path}${path.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=2020-01-01`
      const inQuery = await send(method, url, body, own)
      expect([name, inQuery.status, forbidden(inQuery)]).toEqual([name, 422, [['query', name]]])
    }
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toHaveLength(3)
  })

  it('names what selects in its place', async () => {
    const ada = await newConformingClient(server)
    const told = async (path: string, body: object) => {
      const answer = await ada.post(`/v1/memory/${path}`, body)
      return answer.body.detail.map(({ msg }: { msg: string }) => msg)
    }
    const because = (reason: string) => [`Extra inputs are not permitted: ${reason}`]
    const embedding = [1, 2]
    expect(await told('text/forget', { subject: 'ada', before: '2020-01-01' })).toEqual(
      because('select by `$occurred_at` with `body.filter`'),
    )
    expect(await told('patterns/delete', { subject: 'ada', category: 'health' })).toEqual(
      because('select by `$category` with `body.filter`'),
    )
    expect(await told('patterns/delete', { subject: 'ada', externalId: 'x' })).toEqual(
      because('use `body.external_ids`'),
    )
    expect(await told('patterns/delete', { subject: 'ada', query: 'bees' })).toEqual(
      because('the operation has no `query`'),
    )
    expect(await told('text/forget?category=health', { subject: 'ada' })).toEqual(
      because('use `body.category`'),
    )
    expect(await told('patterns/count', { tier: 'hot' })).toEqual(
      because('select by `$tier` with `body.filter`'),
    )
    expect(await told('patterns/search', { query: 'bees' })).toEqual(because('use `body.q`'))
    expect(await told('context', { query: 'q', after: '2020-01-01' })).toEqual(
      because('select by `$occurred_at` with `body.filter`'),
    )
    expect(await told('batch/retrieve', { queries: [{ embedding }], before: '2020-01-01' })).toEqual(
      because('use `body.queries.*.before`'),
    )
    expect(await told('belief/classify', { query: 'q', category: 'health' })).toEqual(
      because('the operation has no `category`'),
    )
  })

  it('is pointed to the filter of the object that it stands in', async () => {
    const ada = await newConformingClient(server)
    const queries = [{ embedding: [1, 2] }, { embedding: [1, 2], user_id: 'x', category: 'health' }]
    const { body } = await ada.post('/v1/memory/batch/retrieve', { queries, user_id: 'x' })
    expect(body.detail.map(({ loc, msg }: { loc: Loc; msg: string }) => [loc, msg.split(': ')[1]])).toEqual([
      [['body', 'queries', 1, 'user_id'], 'select by metadata with `body.queries.1.filter`'],
      [['body', 'queries', 1, 'category'], 'select by `$category` with `body.queries.1.filter`'],
      [['body', 'user_id'], 'select by metadata with `body.queries.*.filter`'],
    ])
  })
})

/** Ways to misspell a name by one letter, and long ones by two. */
const misspelt = (name: string): string[] => {
  const middle = Math.ceil(name.length / 2)
  const [a, b, rest] = [name.slice(0, middle), name.slice(middle, middle + 1), name.slice(middle + 1)]
  return [`${a}${rest}`, `${name}${name.at(-1)}`, `${name}x`, `x${name}`, `${a}${b}${b}${rest}`].flatMap(
    (each) => (each.replaceAll('_', '').length >= 3 ? [each, each.toUpperCase()] : []),
  )
}

describe('what is almost a field of an operation that removes', () => {
  it.each(named(removing))(
    'is refused by %s, as are the common selectors almost written',
    async (_id, operation) => {
      const own = [...fieldsOf(operation.query), ...fieldsOf(operation.body), 'filter', 'subject', 'dry_run']
      for (const name of own.filter((each) => each.length >= 3)) {
        const names = misspelt(name).filter((each) => !own.includes(each))
        expect(forbidden(await ask(operation, names, {}))).toEqual(names.map((each) => ['query', each]))
      }
      const fields = ['subjet', 'sbuject', 'fliter', 'filtr', 'dry_rn', 'dryRunn', 'dryrum']
      if (!takesFields(operation)) return
      const inBody = await ask(operation, [], Object.fromEntries(fields.map((each) => [each, 'x'])))
      expect(forbidden(inBody)).toEqual(fields.map((each) => ['body', each]))
    },
  )

  it('is named with the field that was probably meant, and nothing is removed', async () => {
    const ada = await newConformingClient(server)
    await ada.store(['one', 'two'].map((text) => ({ text, subject: 'ada' })))
    const told = async (path: string, body: object) => {
      const answer = await ada.post(`/v1/memory/${path}`, body)
      expect(answer.status).toBe(422)
      return answer.body.detail.map(({ msg }: { msg: string }) => msg.split(': ')[1])
    }
    expect(await told('text/forget', { query: 'one', treshold: 0.1, subjet: 'bob' })).toEqual([
      'perhaps `body.threshold` is meant',
      'perhaps `body.subject` is meant',
    ])
    expect(await told('patterns/delete?dryrn=true', { subject: 'ada' })).toEqual([
      'perhaps `body.dry_run` is meant',
    ])
    expect(await told('patterns/delete', { subject: 'ada', fliter: {} })).toEqual([
      'perhaps `body.filter` is meant',
    ])
    expect(await told('patterns/delete', { subject: 'ada', simulate: true })).toEqual(['use `body.dry_run`'])
    const erased = await ada.delete('/v1/memory/subjects/ada?dry_rn=true')
    expect(erased.body.detail[0].msg).toContain('the operation has no `dry_run`')
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toHaveLength(2)
  })

  it('is ignored by what reads, as is any other name by what removes', async () => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'one', subject: 'ada' }])
    const read = await ada.post('/v1/memory/text/retrieve', { query: 'one', subjet: 'bob' })
    expect([read.status, read.headers.get('x-ignored-fields')]).toEqual([200, 'body.subjet'])
    const others = { note: 'x', reason: 'x', comment: 'x', trace: 1, 记忆: 1, object: 'x' }
    const removed = await ada.post('/v1/memory/patterns/delete', { subject: 'ada', ...others })
    expect([removed.status, removed.headers.get('x-ignored-fields')]).toEqual([
      200,
      'body.note, body.reason, body.comment, body.trace, body.%E8%AE%B0%E5%BF%86, body.object',
    ])
  })

  it('is not told from more unknown names than are compared, which are refused as one', async () => {
    const ada = await newConformingClient(server)
    await ada.store([{ text: 'one', subject: 'ada' }])
    const remove = (count: number, last: object) => {
      const many = Object.fromEntries(Array.from({ length: count }, (_, n) => [`note ${n}`, n]))
      return ada.post('/v1/memory/patterns/delete', { subject: 'ada', ...many, ...last })
    }
    for (const last of [{ dry_rn: true }, { note: 1 }]) {
      const refused = await remove(misspeltMax, last)
      expect([refused.status, forbidden(refused)]).toEqual([422, [['body', Object.keys(last)[0]]]])
      expect(refused.body.detail[0].msg).toMatch(/more than 200 unknown fields$/)
    }
    expect((await remove(3 * misspeltMax, {})).body.detail).toHaveLength(1)
    // What the operation has, and selectors, are not counted.
    expect((await remove(misspeltMax, { user_id: 'bob' })).body.detail[0].loc).toEqual(['body', 'user_id'])
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toHaveLength(1)
    const removed = await remove(misspeltMax - 1, { note: 1 })
    expect([removed.status, removed.body.deleted]).toEqual([200, 1])
  })
})

describe('X-Ignored-Fields', () => {
  const ignored = async (body: string) => {
    const answer = await send('POST', '/v1/memory/text/store', Buffer.from(body))
    expect(answer.status).toBe(200)
    return answer.headers.get('x-ignored-fields')
  }
  const named = (...names: string[]) =>
    ignored(JSON.stringify({ text: 'a', ...Object.fromEntries(names.map((name) => [name, 1])) }))

  it('names 20 at most', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `f${i}x`)
    expect(await named(...names)).toBe(
      names
        .slice(0, 20)
        .map((name) => `body.${name}`)
        .join(', '),
    )
    const items = Array.from({ length: 50 }, () => ({ text: 'a', b: 1 }))
    const answer = await admin.post('/v1/memory/text/batch-store', { items })
    expect(answer.headers.get('x-ignored-fields')?.split(', ')).toEqual(
      Array.from({ length: 20 }, (_, i) => `body.items.${i}.b`),
    )
  })

  it('encodes what would read as something else, or can not be sent', async () => {
    expect(await named('a.b', 'a, b', '', '%', "!*'()", 'a\r\nX-Injected: 1', '记忆', '😀', '$-_')).toBe(
      [
        'a%2Eb',
        'a%2C%20b',
        '',
        '%25',
        '%21%2A%27%28%29',
        'a%0D%0AX-Injected%3A%201',
        '%E8%AE%B0%E5%BF%86',
        '%F0%9F%98%80',
        '%24-_',
      ]
        .map((name) => `body.${name}`)
        .join(', '),
    )
    expect(await ignored('{"text":"a","__proto__":1,"constructor":2,"\\ud800":3,"\\u0000":4}')).toBe(
      'body.__proto__, body.constructor, body.%EF%BF%BD, body.%00',
    )
  })

  it('cuts long names, at whole characters', async () => {
    expect(await named('a'.repeat(1_000_000))).toBe(`body.${'a'.repeat(100)}%E2%80%A6`)
    expect(await named('记'.repeat(1_000))).toBe(`body.${'%E8%AE%B0'.repeat(11)}%E2%80%A6`)
    expect(await named('a'.repeat(100))).toBe(`body.${'a'.repeat(100)}`)
  })
})

describe('Prefer', () => {
  it.each<[string, boolean]>([
    ['handling=strict', true],
    ['Handling=Strict', true],
    ['handling="strict"', true],
    ['handling = strict', true],
    ['respond-async, handling=strict', true],
    ['respond-async,,handling=strict; foo="a;b"', true],
    ['handling=strict;foo', true],
    ['wait=10; foo="handling=lenient, x", handling=strict', true],
    ['handling=lenient, handling=strict', false],
    ['handling=strict, handling=lenient', true],
    ['handling=lenient', false],
    ['handling', false],
    ['handling=', false],
    ['handling=""', false],
    ['handling=stricter', false],
    ['x-handling=strict', false],
    ['foo="handling=strict"', false],
    ['foo="a, handling=strict"', false],
    ['foo=bar; handling=strict', false],
    ['foo="\\", handling=strict"', false],
    ['', false],
    ['"', false],
  ])('%s is strict: %s', (prefer, expected) => {
    expect(isStrict({ prefer })).toBe(expected)
  })

  it('may be sent in several headers', async () => {
    const body = { text: 'a', b: 1 }
    const answer = await send('POST', '/v1/memory/text/store', body, {
      Prefer: ['respond-async', 'handling=strict'],
    })
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([422, 'handling=strict'])
  })

  it('is told to have been applied where there was nothing to refuse', async () => {
    const { status, headers } = await admin.get('/v1/memory/text/stats', strict)
    expect([status, headers.get('preference-applied')]).toEqual([200, 'handling=strict'])
  })

  it('puts what is unknown behind what is wrong, and shows no secret', async () => {
    const anybody = new Anonymous(server.url)
    const answer = await anybody.post(
      '/v1/auth/register',
      { email: 'no address', pasword: 'hunter2 hunter2', profile: { api_key: 'hunter2' } },
      strict,
    )
    expect(answer.body.detail.map(({ type, loc }: { type: string; loc: Loc }) => [type, loc])).toEqual([
      ['value_error', ['body', 'email']],
      ['missing', ['body', 'password']],
      ['extra_forbidden', ['body', 'pasword']],
      ['extra_forbidden', ['body', 'profile']],
    ])
    expect(JSON.stringify(answer.body)).not.toContain('hunter2')
    const asked = { query: 'q', apiKey: 'hunter2', nested: { token: 'hunter2', plain: 'shown' } }
    const found = await admin.post('/v1/memory/text/retrieve', asked, strict)
    expect(forbidden(found)).toEqual([
      ['body', 'apiKey'],
      ['body', 'nested'],
    ])
    expect(JSON.stringify(found.body)).not.toContain('hunter2')
    expect(JSON.stringify(found.body)).toContain('shown')
  })

  it('stores nothing when something is refused, and answers at most 100 entries', async () => {
    const ada = await newConformingClient(server)
    const patterns = Array.from({ length: 200 }, () => ({ key: [1], value: [1], id: 1 }))
    const answer = await ada.post('/v1/memory/batch/store', { patterns }, strict)
    expect(forbidden(answer)).toHaveLength(100)
    expect((await ada.get('/v1/memory/patterns')).body.patterns).toEqual([])
  })
})

it('pages of allowed origins may ask to be strict, and see what was ignored', async () => {
  const page = 'https://app.example'
  const other = await startServer({ CORS_ORIGINS: page })
  try {
    const ask = (method: string, headers: object) =>
      fetch(`${other.url}/v1/memory/text/stats`, { method, headers: { Origin: page, ...headers } })
    const preflight = await ask('OPTIONS', { 'Access-Control-Request-Method': 'GET' })
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toMatch(/\bPrefer\b/)
    const exposed = (await ask('GET', {})).headers.get('Access-Control-Expose-Headers')
    expect(exposed).toMatch(/\bX-Ignored-Fields\b.*\bPreference-Applied\b/)
  } finally {
    await other.close()
  }
})
