import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../apps/api/src/http/examples.ts'
import { type ServiceProcess, startService } from '../process/service-process.ts'
import { until } from '../support/until.ts'
import { inBackground } from './in-background.ts'

interface Link {
  operationId: string
  parameters?: Record<string, string>
  requestBody?: unknown
}

interface Described {
  operationId: string
  description: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { links?: Record<string, Link> }>
}

interface Prepared {
  method: string
  path: string
  operation: Described
  parameters: Record<string, unknown>
  body: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'memory-examples-'))
let service: ServiceProcess
/** As the document has them; answers fill them in, by its links. */
let requests: Map<string, Prepared>
const credentials: Record<string, string> = {}

beforeAll(async () => {
  service = await startService(join(folder, 'data'))
  credentials['X-API-Key'] = readFileSync(join(folder, 'data', 'local-api-key'), 'utf8').trim()
  const document = await (await fetch(`${service.url}/openapi.json`)).json()
  requests = new Map(
    Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { method, path, operation, ...exampleOf(operation) },
      ]),
    ),
  )
})

afterAll(async () => {
  await service?.stop('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

function exampleOf({ parameters = [], requestBody }: Described) {
  return {
    parameters: Object.fromEntries(
      parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
    ),
    body: requestBody?.content['application/json']?.example,
  }
}

/** Sends the example of an operation, with what earlier answers gave, and passes on what its own answer gives. */
async function execute(id: string): Promise<{ status: number; text: string }> {
  const { method, path, operation, parameters, body } = requests.get(id) as Prepared
  const query = new URLSearchParams()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  )
  for (const { name, in: place } of operation.parameters ?? [])
    if (place === 'query' && name in parameters) query.set(name, String(parameters[name]))
  const response = await fetch(`${service.url}${filled}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...credentialsFor(operation, path),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  passOn(operation.responses[response.status]?.links, text)
  return { status: response.status, text }
}

/** The key, where keys are taken and no organization is named, else the token: as the reference page does. */
function credentialsFor({ security }: Described, path: string): Record<string, string> {
  const names = security.flatMap((each) => Object.keys(each))
  const { Authorization = '', ...key } = credentials
  if (names.includes('apiKey') && !path.includes('/organization')) return key
  return names.length > 0 ? { Authorization } : {}
}

function passOn(links: Record<string, Link> | undefined, text: string): void {
  const answer = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}
  if (answer.access_token) credentials.Authorization = `Bearer ${answer.access_token}`
  for (const { operationId, parameters = {}, requestBody } of Object.values(links ?? {})) {
    const prepared = requests.get(operationId) as Prepared
    for (const [name, value] of Object.entries(parameters)) {
      const given = taken(answer, value)
      if (given !== undefined) prepared.parameters[name] = given
    }
    if (requestBody !== undefined) prepared.body = taken(answer, requestBody)
  }
}

/** A value with the parts of an answer that it names. */
function taken(answer: unknown, value: unknown): unknown {
  const [, pointer] = typeof value === 'string' ? (/^\$response\.body#\/(.+)$/.exec(value) ?? []) : []
  if (pointer !== undefined)
    return pointer
      .split('/')
      .reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], answer)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => taken(answer, each))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, taken(answer, each)]))
}

/** Success, the code of the error that is expected, or what came. */
function outcomeOf(status: number, text: string, code: ErrorCode | undefined): string {
  if (status < 300) return 'success'
  const isExpected =
    code !== undefined &&
    status === errors[code].status &&
    // What the plan allows is said in numbers.
    (text.includes(errors[code].detail) || (code === 'plan_exceeded' && text.includes('plan allows')))
  return isExpected ? code : `${status} ${text}`
}

describe('the examples of requests', () => {
  it('are there for every operation, and for no other', () => {
    expect(Object.keys(examples).toSorted()).toEqual([...requests.keys()].toSorted())
  })

  it('have a body and every parameter that is required, and no time that passes', () => {
    for (const [id, { operation, parameters, body }] of requests) {
      expect(body !== undefined, id).toBe(operation.requestBody !== undefined)
      const required = (operation.parameters ?? []).filter((each) => each.required).map(({ name }) => name)
      expect(Object.keys(parameters), id).toEqual(expect.arrayContaining(required))
      expect(JSON.stringify(body ?? null), id).not.toMatch(/"(expires_at|occurred_at)"/)
    }
  })

  it('are answered with success by a new service, but for those whose descriptions say otherwise', async () => {
    const answered: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const [id, { after = [], refused }] of Object.entries(examples)) {
      for (const other of after) expect((await execute(other)).status, `${other} before ${id}`).toBe(200)
      const [first, sign] = inBackground[id] ?? []
      if (first !== undefined)
        await until(async () => (await execute(first)).text.includes(sign as string), `${first} for ${id}`)
      const { status, text } = await execute(id)
      expected[id] = refused === undefined ? 'success' : refused.code
      answered[id] = outcomeOf(status, text, refused?.code)
      if (refused !== undefined)
        expect(requests.get(id)?.operation.description).toContain(
          `The example is answered with ${errors[refused.code].status} until`,
        )
    }
    expect(answered).toEqual(expected)
  })
})
