/** The models that the reference answers were recorded with, built from the catalogue's fields and from plain zod. */
import * as f from '@memory/shared/catalogue/fields'
import type { Fault } from '@memory/shared/catalogue/fields-faults'
import { z } from 'zod'
import type { DetailOptions } from '../../apps/api/src/http/validation/detail.ts'
import type { RequestSchemas } from '../../apps/api/src/http/validation/request.ts'
import reference from './fastapi-validation-errors.json' with { type: 'json' }

export interface Example {
  case: string
  request: { method: string; path: string; content_type?: string; json?: unknown; raw_body?: string }
  status: number
  response: unknown
}

export const examples = reference.examples as readonly Example[]

const assertion: Fault = {
  type: 'assertion_error',
  msg: 'Assertion failed, custom must not be worse',
  ctx: { error: {} },
}

const Custom = f.plainString().superRefine((value, context) => {
  if (value === 'bad') context.addIssue({ code: 'custom', message: 'custom must not be bad' })
  if (value === 'worse') context.addIssue({ code: 'custom', params: { fault: assertion } })
})

const Item = z.object({
  name: f.plainString(2, 8),
  count: f.integer(1, 100).default(1),
  ratio: z.number().gt(0).lt(1).default(0.5),
  active: f.boolean().default(true),
  tags: f.list(f.plainString(), 0, 3).default([]),
  ids: z.array(z.int()).min(1).default([1]),
  meta: z.object({ source: f.plainString(), tags: z.array(z.string()).default([]) }).nullish(),
  attrs: z.record(z.string(), z.unknown()).default({}),
  kind: z.literal(['a', 'b']).default('a'),
  one: z.literal('only').default('only'),
  color: f.choice(['red', 'green', 'blue']).default('red'),
  uid: f.uuid().nullish(),
  at: f.timestamp().nullish(),
  email: f.email().nullish(),
  url: f.httpUrl().nullish(),
  slug: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .nullish(),
  union: z.union([z.int(), z.array(z.int())]).default(1),
  custom: Custom.nullish(),
})

const Range = z
  .object({ start: f.integer(0), end: f.integer(0) })
  .refine(({ start, end }) => end >= start, 'end must be >= start')

const Search = z.object({
  q: f.queryString(1, 5),
  limit: f.queryInteger(1, 50, 5),
  flag: f.queryBoolean(false),
  ratio: f.queryNumber().optional(),
  since: f.timestamp().optional(),
  kind: z.literal(['a', 'b']).optional(),
  uid: f.uuid().optional(),
})

interface Endpoint {
  readonly path: RegExp
  readonly schemas: RequestSchemas
  readonly options?: DetailOptions
}

export const endpoints: readonly Endpoint[] = [
  { path: /^\/items$/, schemas: { body: Item } },
  { path: /^\/items\/(?<item_id>[^/]+)$/, schemas: { params: z.object({ item_id: f.uuid() }) } },
  { path: /^\/strict$/, schemas: { body: z.strictObject({ name: f.plainString() }) } },
  { path: /^\/range$/, schemas: { body: Range } },
  { path: /^\/many$/, schemas: { body: z.array(Item) } },
  {
    path: /^\/embed$/,
    schemas: { body: z.object({ a: f.plainString(), b: f.integer(0) }) },
    // FastAPI has no parent to show for fields that are parameters of the function.
    options: { missingInputNull: true },
  },
  { path: /^\/search$/, schemas: { query: Search } },
  { path: /^\/num\/(?<n>[^/]+)$/, schemas: { params: z.object({ n: f.queryInteger(1) }) } },
  {
    path: /^\/hdr$/,
    schemas: { headers: z.object({ 'x-key': f.queryString(3), 'x-n': f.queryInteger() }) },
  },
]
