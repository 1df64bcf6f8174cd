import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newConformingClient } from '../support/conforms.ts'
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
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> }
}

let server: TestServer
let document: Document
let operations: { method: string; path: string; operation: Described }[]

beforeAll(async () => {
  server = await startServer({ PUBLIC_BASE_URL: 'https://memory.example/' })
  document = (await (await server.newClient()).get('/openapi.json')).body
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
})

afterAll(() => server.close())

/** Every schema within a value, whatever it stands in. */
function* schemasIn(value: unknown): Generator<Schema> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Schema
  for (const each of Object.values(value)) yield* schemasIn(each)
}

describe('GET /openapi.json', () => {
  it('is an OpenAPI 3.1 document of this version and address', () => {
    expect(Object.keys(document).toSorted()).toEqual(
      ['components', 'info', 'openapi', 'paths', 'servers', 'tags'].toSorted(),
    )
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.info).toMatchObject({ title: 'Memory Service', version: server.context.version })
    expect(document.servers).toEqual([{ url: 'https://memory.example' }])
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    })
  })

  it('refers to nothing that it lacks', () => {
    const references = [...schemasIn(document)].flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref]))
    expect(references.length).toBeGreaterThan(20)
    for (const reference of references) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1]
      expect(document.components.schemas, reference).toHaveProperty(String(name))
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
      expect(Object.keys(operation.responses), path).toEqual(expect.arrayContaining(['200', '500', '503']))
      for (const response of Object.values(operation.responses)) {
        expect(response.description).toMatch(/\S/)
        expect(response.content).toHaveProperty(['application/json', 'schema'])
      }
    }
  })

  it('lets no answer have a field that it does not name', () => {
    const answers = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map(({ content }) => content['application/json']?.schema),
    )
    const names = new Set(answers.map((schema) => schema?.$ref?.split('/').at(-1)))
    for (const name of names) {
      const { properties, additionalProperties } = document.components.schemas[String(name)] ?? {}
      expect(Object.keys(properties ?? {}).length, name).toBeGreaterThan(0)
      expect(additionalProperties, name).toBe(false)
    }
  })

  it('asks for an API key where one is needed, and says which scope', async () => {
    const nobody = await newConformingClient(server)
    for (const { method, path, operation } of operations) {
      const { status } = await nobody.request(
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, 'some-id'),
        undefined,
        { 'X-API-Key': '' },
      )
      const open = operation.security.length === 0
      expect(status, `${method} ${path}`).toBe(open ? 200 : 401)
      if (open) continue
      expect(operation.security).toEqual([{ apiKey: [] }])
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403']))
      expect(operation.description).toMatch(/Needs the scope `(memory:(read|write)|ops:run)`/)
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
    const limit = document.paths['/v1/memory/patterns']?.get?.parameters?.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', schema: { minimum: 1, maximum: 200, default: 50 } })
  })

  it('says which bodies may be absent', async () => {
    const ada = await newConformingClient(server)
    for (const { method, path, operation } of operations) {
      if (operation.requestBody === undefined) continue
      const { status, body } = await ada.request(method.toUpperCase(), path.replace(/\{\w+\}/, 'some-id'))
      const missing = status === 422 && JSON.stringify(body.detail[0].loc) === '["body"]'
      const refusedAsAbsent = missing && body.detail[0].type === 'missing'
      expect(refusedAsAbsent, `${method} ${path}`).toBe(operation.requestBody.required)
    }
  })

  it('offers Idempotency-Key on what stores, and there alone', () => {
    const offering = operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => /^idempotency-key$/i.test(name)))
      .map(({ operation }) => operation.operationId)
    expect(offering).toEqual(['storeText', 'batchStoreTexts', 'storeVector', 'batchStoreVectors'])
  })

  it('marks what is deprecated, and that alone', () => {
    const deprecated = operations.filter(({ operation }) => operation.deprecated)
    expect(deprecated.map(({ path }) => path)).toEqual(['/v1/memory/query/semantic'])
  })

  it('gives examples that the service takes', async () => {
    const ada = await newConformingClient(server)
    for (const { method, path, operation } of operations) {
      const reference = operation.requestBody?.content['application/json']?.schema.$ref
      if (reference === undefined || path.includes('{')) continue
      const schema = document.components.schemas[reference.split('/').at(-1) as string]
      const examples = Object.entries(schema?.properties ?? {}).flatMap(([name, { examples }]) =>
        Array.isArray(examples) ? [[name, examples[0]] as const] : [],
      )
      if (examples.length === 0) continue
      if (!(schema?.required ?? []).every((name) => examples.some(([given]) => given === name))) continue
      const { status } = await ada.request(method.toUpperCase(), path, Object.fromEntries(examples))
      expect(status, `${method} ${path}`).toBe(200)
    }
  })
})

describe('GET /docs', () => {
  it('shows the description without asking for a key', async () => {
    const response = await fetch(`${server.url}/docs`)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(await (await fetch(`${server.url}/docs/start.js`)).text()).toContain('/openapi.json')
  })
})
