import { randomUUID } from 'node:crypto'
import { AddressGate } from '@memory/identity/webhooks/address-gate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Anonymous, newUser } from '../support/accounts.ts'
import { type ConformingClient, newConformingClient } from '../support/conforms.ts'
import { startServer, type TestServer } from '../support/server.ts'

interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  [keyword: string]: unknown
}

interface Described {
  operationId: string
  tags: string[]
  deprecated?: boolean
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema; example?: unknown }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<
    string,
    {
      description: string
      content?: Record<string, { schema: Schema }>
      headers?: Record<string, { schema: Schema }>
    }
  >
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, object>
    parameters: Record<string, { name: string; in: string }>
    headers: Record<string, object>
  }
}

let server: TestServer
let document: Document
let operations: { method: string; path: string; operation: Described }[]

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: 'https://memory.example/' })
  // Names in examples are nobody's.
  server.context.webhooks.gate = new AddressGate([], async () => [{ address: '1.1.1.1', family: 4 }])
  document = (await (await server.newClient()).get('/openapi.json')).body
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
})

afterAll(() => server.close())

/** Somebody new to whom an operation is open. */
async function callerOf({ security }: Described): Promise<Anonymous | ConformingClient> {
  if (security.length === 2) return newConformingClient(server)
  return security.length === 1 ? newUser(server, { platformAdmin: true }) : new Anonymous(server.url)
}

/** A path with ids of the form that it wants, which are nobody's. */
const filled = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => (/^(org|key|user)_id$/.test(name) ? randomUUID() : 'some-id'))

/** The example of a body: its own, or those of its fields where every field that must be there has one. */
function exampleOf({ examples, properties = {}, required = [] }: Schema = {}): object | undefined {
  if (Array.isArray(examples)) return examples[0]
  const given = Object.entries(properties).flatMap(([name, { examples }]) =>
    Array.isArray(examples) ? [[name, examples[0]] as const] : [],
  )
  if (given.length === 0) return undefined
  return required.every((name) => given.some(([each]) => each === name))
    ? Object.fromEntries(given)
    : undefined
}

/** Every schema within a value, whatever it stands in. */
function* schemasIn(value: unknown): Generator<Schema> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Schema
  for (const each of Object.values(value)) yield* schemasIn(each)
}

describe('GET /openapi.json', () => {
  it('has a name for each object of a choice that has objects in it, as generators of clients need', () => {
    const unnamed: Schema[] = []
    const visit = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { anyOf = [] } = schema as Schema
      const objects = anyOf.filter(({ type }) => type === 'object')
      if (anyOf.length > 2 && objects.length > 1) unnamed.push(...objects)
      Object.values(schema).forEach(visit)
    }
    visit(document)
    expect(unnamed).toEqual([])
  })

  it('is an OpenAPI 3.1 document of this version and address', () => {
    expect(Object.keys(document).toSorted()).toEqual(
      ['components', 'info', 'openapi', 'paths', 'servers', 'tags'].toSorted(),
    )
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: 'Memory Service', version: server.context.version })
    expect(document.servers).toEqual([{ url: './' }])
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    })
  })

  it('refers to nothing that it lacks', () => {
    const references = [...schemasIn(document)].flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref]))
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const [, kind, name] = /^#\/components\/(schemas|parameters|headers)\/([\w-]+)$/.exec(reference) ?? []
      expect(document.components[kind as 'headers'], reference).toHaveProperty(String(name))
    }
  })

  it('is written in JSON Schema 2020-12, with types that it has', () => {
    const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
    const schemas = [...schemasIn(document.components.schemas)].filter(({ type }) => typeof type === 'string')
    expect(schemas.length).toBeGreaterThan(30)
    for (const schema of schemas) {
      expect(types).toContain(schema.type)
      expect(schema).not.toHaveProperty('nullable')
      if (schema.type === 'array') expect(schema).toHaveProperty('items')
      const properties = Object.keys(schema.properties ?? {})
      expect(properties).toEqual(expect.arrayContaining(schema.required ?? []))
    }
  })

  it('gives every operation an id of its own, a tag and a summary', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const tags = document.tags.map(({ name }) => name)
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/\S/)
      expect(tags).toEqual(expect.arrayContaining(operation.tags))
    }
  })

  it('declares the parameters of each path, all of them required', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name }) => name)).toEqual(named)
      for (const parameter of declared) expect(parameter.required).toBe(true)
    }
  })

  it('says of each answer what it is, in JSON', () => {
    for (const { path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      expect(statuses, path).toEqual(expect.arrayContaining(['500', '503']))
      expect(
        statuses.filter((status) => status.startsWith('2')),
        path,
      ).toHaveLength(1)
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response.description).toMatch(/\S/)
        if (status === '304') {
          expect(response.content, path).toBeUndefined()
          continue
        }
        // What is downloaded is a file.
        const file = /\/(?:download|export|stream)$/.exec(path)?.[0]
        const files: Record<string, string> = {
          '/download': 'application/zip',
          '/export': 'application/x-ndjson',
          '/stream': 'text/event-stream',
        }
        const type =
          (status === '200' && operation.requestBody === undefined && files[file ?? '']) || 'application/json'
        expect(response.content, path).toHaveProperty([type, 'schema'])
      }
    }
  })

  it('lets no answer have a field that it does not name', () => {
    const answers = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map(({ content }) => content?.['application/json']?.schema),
    )
    for (const whole of answers) {
      const answer = whole?.items ?? whole
      if (answer === undefined) continue
      const name = answer.$ref?.split('/').at(-1)
      const schema = name === undefined ? answer : document.components.schemas[name]
      expect(Object.keys(schema?.properties ?? {}).length, JSON.stringify(answer)).toBeGreaterThan(0)
      expect(schema?.additionalProperties, JSON.stringify(answer)).toBe(false)
    }
  })

  it('asks for a key or token where one is needed, and says which scope a key needs', async () => {
    const nobody = new Anonymous(server.url)
    for (const { method, path, operation } of operations) {
      const what = `${method} ${path}`
      const { status } = await nobody.request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'some-id'))
      const open = operation.security.length === 0
      expect(status === 401, what).toBe(!open)
      if (open) continue
      expect(Object.keys(operation.responses), what).toEqual(expect.arrayContaining(['401', '403']))
      if (operation.security.length === 2) {
        expect(operation.security, what).toEqual([{ apiKey: [] }, { accessToken: [] }])
        expect(operation.description, what).toMatch(
          /An API key needs the scope `(memory|usage|notifications|webhooks|ops):(read|write|run)`/,
        )
      } else {
        expect(operation.security, what).toEqual([{ accessToken: [] }])
        expect(operation.description, what).toMatch(/Needs (a user’s|the) access token/)
      }
    }
  })

  it('refuses an API key where it says that a user’s token is needed', async () => {
    const ada = await newConformingClient(server)
    const forUsers = operations.filter(({ operation }) => operation.security.length === 1)
    for (const { method, path } of forUsers) {
      const { status, body } = await ada.request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'some-id'))
      expect([status, body], `${method} ${path}`).toEqual([
        403,
        { detail: 'This endpoint requires a user access token' },
      ])
    }
  })

  it('documents 422 wherever a parameter, header or body can be wrong', () => {
    for (const { method, path, operation } of operations) {
      if ((operation.parameters ?? []).length === 0 && operation.requestBody === undefined) continue
      expect(Object.keys(operation.responses), `${method} ${path}`).toContain('422')
    }
  })

  it('shows the bounds of the contract', () => {
    const { schemas } = document.components
    const property = (schema: string, name: string) => schemas[schema]?.properties?.[name]
    expect(property('StoreTextRequest', 'text')).toMatchObject({ minLength: 1, maxLength: 10_000 })
    expect(property('EmbedTextRequest', 'text')).toMatchObject({ minLength: 1, maxLength: 10_000 })
    expect(property('BatchStoreTextsRequest', 'items')).toMatchObject({ minItems: 1, maxItems: 50 })
    expect(property('RetrieveTextsRequest', 'query')).toMatchObject({ minLength: 1, maxLength: 5_000 })
    expect(property('RetrieveTextsRequest', 'top_k')).toMatchObject({ minimum: 1, maximum: 50, default: 5 })
    expect(property('CompareTextsRequest', 'text_a')).toMatchObject({ minLength: 1, maxLength: 5_000 })
    expect(property('ForgetTextsRequest', 'threshold')).toMatchObject({
      minimum: 0.5,
      maximum: 1,
      default: 0.85,
    })
    const vector = { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 8_192 }
    expect(property('StoreVectorRequest', 'key')).toMatchObject(vector)
    expect(property('QueryVectorsRequest', 'embedding')).toMatchObject(vector)
    expect(property('QueryVectorsRequest', 'top_k')).toMatchObject({ minimum: 1, maximum: 100, default: 1 })
    expect(property('RetrieveVectorsRequest', 'top_k')).toMatchObject({ maximum: 100, default: 5 })
    expect(property('QuerySemanticRequest', 'top_k')).toMatchObject({ maximum: 50, default: 5 })
    expect(property('ComposeVectorsRequest', 'keys')?.anyOf?.[0]).toMatchObject({ minItems: 2, maxItems: 10 })
    expect(property('ComposeFractionalRequest', 'alpha')).toMatchObject({
      minimum: 0,
      maximum: 1,
      default: 0.5,
    })
    expect(property('BatchStoreVectorsRequest', 'patterns')).toMatchObject({ minItems: 1, maxItems: 5_000 })
    expect(property('BatchRetrieveVectorsRequest', 'queries')).toMatchObject({ minItems: 1, maxItems: 1_000 })
    expect(property('EvaluateEfeRequest', 'pathways')?.default).toEqual(['exact', 'energy', 'attention'])
    expect(property('RunBenchmarkRequest', 'operations')?.default).toEqual(['cosine', 'einsum', 'hdc_bind'])
    const limit = document.paths['/v1/memory/patterns']?.get?.parameters?.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', schema: { minimum: 1, maximum: 200, default: 50 } })
  })

  it('says which bodies may be absent', async () => {
    for (const { method, path, operation } of operations) {
      // A billing event is signed as a whole before it is read.
      if (operation.requestBody === undefined || path === '/v1/billing/webhook') continue
      const { status, body } = await (await callerOf(operation)).request(method.toUpperCase(), filled(path))
      const missing = status === 422 && JSON.stringify(body.detail[0].loc) === '["body"]'
      const refusedAsAbsent = missing && body.detail[0].type === 'missing'
      expect(refusedAsAbsent, `${method} ${path}`).toBe(operation.requestBody.required)
    }
  })

  it('offers Idempotency-Key on what stores or forgets, and there alone', () => {
    const offering = operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => /^idempotency-key$/i.test(name)))
      .map(({ operation }) => operation.operationId)
    expect(offering).toEqual([
      'storeText',
      'batchStoreTexts',
      'forgetTexts',
      'forgetTextsByPost',
      'eraseSubject',
      'storeVector',
      'batchStoreVectors',
    ])
  })

  it('tells the headers that errors come with, which they do', async () => {
    for (const { method, path, operation } of operations) {
      if (operation.responses['401']?.headers === undefined)
        expect(operation.responses['401']).toBeUndefined()
      if (operation.security.length === 0) continue
      const response = await fetch(server.url + filled(path), { method: method.toUpperCase() })
      expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([
        401,
        operation.responses['401']?.headers?.['WWW-Authenticate']?.schema.const,
      ])
    }
    const limited = operations.find(({ path }) => path === '/v1/auth/login')?.operation.responses['429']
    expect(Object.keys(limited?.headers ?? {})).toContain('Retry-After')
  })

  it('says of every operation how it takes fields that it does not have', () => {
    expect(document.components.parameters.Prefer).toMatchObject({ name: 'Prefer', in: 'header' })
    const shared = ['Preference-Applied', 'X-Ignored-Fields']
    expect(Object.keys(document.components.headers).toSorted()).toEqual(shared)
    for (const { path, operation } of operations) {
      expect(operation.parameters, path).toContainEqual({ $ref: '#/components/parameters/Prefer' })
      for (const { headers } of Object.values(operation.responses)) {
        expect(Object.keys(headers ?? {}), path).toEqual(expect.arrayContaining(shared))
      }
      expect(Object.keys(operation.responses), path).toContain('422')
    }
  })

  it('marks what is deprecated, and that alone', () => {
    const deprecated = operations.filter(({ operation }) => operation.deprecated)
    expect(deprecated.map(({ path }) => path)).toEqual(['/v1/memory/query/semantic'])
  })

  it('gives examples that their schemas allow', () => {
    const { schemas } = document.components
    const faults = operations.flatMap(({ method, path, operation }) => {
      const bodies = Object.values(operation.requestBody?.content ?? {})
      const described = [...(operation.parameters ?? []), ...bodies].filter(
        ({ example }) => example !== undefined,
      )
      return described.flatMap(({ schema, example }) => {
        // As zod has references.
        const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll(
          '#/components/schemas/',
          '#/$defs/',
        )
        const { error } = z.fromJSONSchema(JSON.parse(text)).safeParse(example)
        return error === undefined ? [] : [`${method} ${path}: ${error.message}`]
      })
    })
    expect(faults).toEqual([])
  })

  it('gives examples that the service takes', async () => {
    for (const { method, path, operation } of operations) {
      const reference = operation.requestBody?.content['application/json']?.schema.$ref
      if (reference === undefined) continue
      const schema = document.components.schemas[reference.split('/').at(-1) as string]
      const example = exampleOf(schema)
      const isOfMemory = operation.security.length === 2
      if (example === undefined) {
        // A billing event is one of several shapes, each plain from its schema.
        expect(isOfMemory || path === '/v1/billing/webhook', `${method} ${path} has no example`).toBe(true)
        continue
      }
      const caller = await callerOf(operation)
      const { status } = await caller.request(method.toUpperCase(), filled(path), example)
      // Tokens, accounts and ids of examples are nobody's.
      const isTaken = isOfMemory && !path.includes('{') ? [200, 201].includes(status) : status !== 422
      expect(isTaken, `${method} ${path}: ${status}`).toBe(true)
    }
  })
})

describe('GET /docs', () => {
  it('shows the description without asking for a key', async () => {
    const response = await fetch(`${server.url}/docs`)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(await (await fetch(`${server.url}/docs/start.js`)).text()).toContain("'openapi.json'")
  })
})
