import { readFileSync, writeFileSync } from 'node:fs'
import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import { protectedCategories } from '@memory/engine/categories/categories'
import { conflictKinds } from '@memory/engine/sleep/conflicts'
import { userStatuses } from '@memory/identity/administration/schema'
import { latencyPeriods, usageDivisions, usagePeriods } from '@memory/identity/usage/schema'
import { deliveryStatuses } from '@memory/identity/webhooks/outcomes'
import { operations as benchmarked } from '@memory/memory/acceleration/workloads'
import { conflictStatuses } from '@memory/memory/conflicts/schema'
import { runKinds } from '@memory/memory/runs/schema'
import { BatchStoreTexts } from '@memory/memory/schema'
import { BatchStoreVectors } from '@memory/memory/vectors/vector-schema'
import { auditActions } from '@memory/shared/catalogue/audit-actions'
import { errors, sharperDetails } from '@memory/shared/catalogue/errors'
import { queueNames } from '@memory/shared/catalogue/jobs'
import { limits } from '@memory/shared/catalogue/limits'
import { notifiedEvents } from '@memory/shared/catalogue/notifications'
import type { Operation } from '@memory/shared/catalogue/operation'
import { jobStates } from '@memory/shared/platform/queue/kept-jobs'
import openapiTS, { astToString } from 'openapi-typescript'
import { batchLists } from '../src/operations.ts'

interface Described {
  parameters?: object[]
  responses: Record<string, { headers?: unknown }>
}

/** Types of the API as its description has them; `npm run build:types` writes them, and `npm test` compares. */
export async function renderTypes(): Promise<string> {
  const document = createOpenApi(
    routes.map((route) => route.operation),
    '',
  )
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path) as Described[]) {
      // Errors are classes of their own, alike for all operations.
      for (const [status, response] of Object.entries(operation.responses)) {
        if (status >= '400') delete operation.responses[status]
        else delete response.headers
      }
      // What all operations share, the client sends by itself.
      operation.parameters = operation.parameters?.filter((parameter) => !('$ref' in parameter)) ?? []
    }
  }
  const { parameters, headers, ...components } = document.components ?? {}
  document.components = components
  const nodes = await openapiTS(document as never, {
    // What has a default may be left out.
    defaultNonNullable: false,
    alphabetize: true,
  })
  return `// Written by packages/sdk/scripts/generate.ts from the service's OpenAPI document.\n${astToString(nodes)}`
}

interface Schema {
  $ref?: string
  type?: string
  maxItems?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Looks up what a description refers to. */
type Lookup = (schema: Schema | undefined) => Schema | undefined

/** What the client has to know of operations beyond their types: which may be sent twice, whose they are, what they hold. */
export function renderFacts(): string {
  const operations = routes.map((route) => route.operation)
  const document = createOpenApi(operations, '')
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>
  const resolved: Lookup = (schema) =>
    schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) as string]
  const bodies = new Map(
    operations.map((operation) => {
      const described = document.paths?.[operation.path]?.[operation.method] as
        | { requestBody?: { content: Record<string, { schema: Schema }> } }
        | undefined
      return [operation, resolved(described?.requestBody?.content['application/json']?.schema)]
    }),
  )
  const places = operations.flatMap((operation) => {
    const place = placeOfSubject(operation, bodies.get(operation), resolved)
    return place === undefined ? [] : [[routeOf(operation), place] as const]
  })
  const batches = Object.entries(batchLists).map(([route, list]) => {
    const operation = operations.find((each) => routeOf(each) === route) as Operation
    return [route, { items: itemsMax(bodies.get(operation), list, resolved), bytes: bytesMax(operation) }]
  })
  const reading = operations.filter(({ access, method }) => access === 'memory:read' && method === 'post')
  const listed = operations.filter(({ method, path }) => {
    const described = document.paths?.[path]?.[method] as
      | { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }
      | undefined
    return Object.values(described?.responses ?? {}).some(
      ({ content }) => resolved(content?.['application/json']?.schema)?.type === 'array',
    )
  })
  const keyed = operations.filter(({ idempotent }) => idempotent)
  const free = operations.filter(({ subjects }) => subjects === 'none')
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return `// Written by packages/sdk/scripts/generate.ts from the service's operations.

export const version = ${JSON.stringify(version)}

/** Characters that a text to store, and a query, may have. */
export const textCharsMax = ${limits.textChars}
export const queryCharsMax = ${limits.queryChars}

/** Characters that an Idempotency-Key may have. */
export const idempotencyKeyMax = ${limits.idempotencyKeyChars}

/** Items that a page of a list, and of the versions of a pattern, may have. */
export const listMax = ${limits.listMax}
export const versionsMax = ${limits.versionsMax}

/** Fields that items of a batch of texts, and of vectors, may have. */
export const storeFields = {
  text: ${show(Object.keys(BatchStoreTexts.body.shape.items.out.element.shape))},
  vector: ${show(Object.keys(BatchStoreVectors.body.shape.patterns.out.element.shape))},
} as const

/** Categories of which a memory is protected unless somebody says otherwise. */
export const protectedCategories: ReadonlySet<string> = new Set(${show([...protectedCategories])})

/** Posts that change nothing. */
export const readingPosts: ReadonlySet<string> = new Set(${show(reading.map(routeOf))})

/** What an Idempotency-Key makes repeatable. */
export const keyedRoutes: ReadonlySet<string> = new Set(${show(keyed.map(routeOf))})

/** What answers a list, and no object. */
export const listRoutes: ReadonlySet<string> = new Set(${show(listed.map(routeOf))})

/** Where an operation takes whose memory is meant: in its path, query or body, or in each item of a list of its body. */
export const subjectPlaces: Readonly<Record<string, string>> = ${show(Object.fromEntries(places))}

/** Operations that work on nothing that is stored. */
export const storelessRoutes: ReadonlySet<string> = new Set(${show(free.map(routeOf))})

/** Events that an organization is told of, and its webhooks with it. */
export const notifiedEvents = ${show(notifiedEvents)} as const

/** What the audit log records. */
export const auditActions = ${show(auditActions)} as const

/** What errors say, by what they are called: the answer has the text alone. */
export const errorDetails = ${show({ ...Object.fromEntries(Object.entries(errors).map(([code, { detail }]) => [code, detail])), ...sharperDetails })} as const

/** Values that operations take and answer with, in the order in which they are told. */
export const userStatuses = ${show(userStatuses)} as const
export const queueNames = ${show(queueNames)} as const
export const jobStates = ${show(jobStates)} as const
export const deliveryStatuses = ${show(deliveryStatuses)} as const
export const conflictKinds = ${show(conflictKinds)} as const
export const conflictStatuses = ${show(conflictStatuses)} as const
export const runKinds = ${show(runKinds)} as const
export const usageDivisions = ${show(usageDivisions)} as const
export const usagePeriods = ${show(usagePeriods)} as const
export const latencyPeriods = ${show(latencyPeriods)} as const

/** What benchmarks of the native kernels time. */
export const benchmarkedKernels = ${show(benchmarked)} as const

/** What one request of a batch may hold. */
export const batchLimits: Readonly<Record<string, { items: number; bytes: number }>> = ${show(Object.fromEntries(batches))}
`
}

const show = (value: unknown) => JSON.stringify(value, null, 2)

const routeOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`

const bytesMax = ({ bodyBytes = limits.bodyBytes }: Pick<Operation, 'bodyBytes'>) => bodyBytes

/** Of what PATCH changes the subject is no selector: it moves a pattern to somebody else. */
function placeOfSubject({ method, path, query }: Operation, body: Schema | undefined, resolved: Lookup) {
  if (!path.startsWith('/v1/memory/') || method === 'patch') return undefined
  if (path.includes('{subject}')) return 'path'
  if ('subject' in (query?.shape ?? {})) return 'query'
  const properties = body?.properties ?? {}
  if ('subject' in properties) return 'body'
  return Object.keys(properties).find(
    (name) => resolved(resolved(properties[name])?.items)?.properties?.subject !== undefined,
  )
}

function itemsMax(body: Schema | undefined, list: string, resolved: Lookup): number {
  const described = resolved(body?.properties?.[list])
  const { maxItems } =
    [described, ...(described?.anyOf ?? [])].find((each) => each?.maxItems !== undefined) ?? {}
  if (maxItems === undefined) throw new Error(`${list} has no limit`)
  return maxItems
}

const fenceSource = new URL('../../shared/src/platform/fence.ts', import.meta.url)

/** The fence around what a model is shown of a memory, as the service has it: the client depends on nothing. */
export function renderFence(): string {
  return `// Written by packages/sdk/scripts/generate.ts from packages/shared/src/platform/fence.ts.\n${readFileSync(fenceSource, 'utf8')}`
}

const invisibleSource = new URL('../../shared/src/catalogue/invisible.ts', import.meta.url)

/** What the service takes for a text with nothing to see in it, as the service has it. */
export function renderInvisible(): string {
  return `// Written by packages/sdk/scripts/generate.ts from packages/shared/src/catalogue/invisible.ts.\n${readFileSync(invisibleSource, 'utf8')}`
}

export const typesFile = new URL('../src/generated/openapi.ts', import.meta.url)
export const factsFile = new URL('../src/generated/facts.ts', import.meta.url)
export const fenceFile = new URL('../src/generated/fence.ts', import.meta.url)
export const invisibleFile = new URL('../src/generated/invisible.ts', import.meta.url)

if (import.meta.main) {
  writeFileSync(typesFile, await renderTypes())
  writeFileSync(factsFile, renderFacts())
  writeFileSync(fenceFile, renderFence())
  writeFileSync(invisibleFile, renderInvisible())
}
