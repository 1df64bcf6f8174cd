import type { ValidationEntry } from '@memory/shared/catalogue/errors'
import type { z } from 'zod'
import { type DetailOptions, entriesMax, toDetail, type Where } from './detail.ts'
import { unwrap } from './schema-path.ts'

/** The schemas of an operation's parts; a part without one is not looked at. */
export interface RequestSchemas {
  params?: z.ZodType | undefined
  query?: z.ZodType | undefined
  headers?: z.ZodType | undefined
  body?: z.ZodType | undefined
}

/** The parts of a request. `body` is the parsed JSON, undefined when the request had none. */
export interface RequestParts {
  params?: unknown
  query?: unknown
  headers?: unknown
  body?: unknown
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

export interface RequestValue<Schemas extends RequestSchemas> {
  params: Output<Schemas['params']>
  query: Output<Schemas['query']>
  headers: Output<Schemas['headers']>
  body: Output<Schemas['body']>
}

export type ParsedRequest<Schemas extends RequestSchemas> =
  | { readonly ok: true; readonly value: RequestValue<Schemas> }
  | { readonly ok: false; readonly detail: ValidationEntry[] }

/** FastAPI's order of errors. */
const parts = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
] as const satisfies readonly (readonly [keyof RequestSchemas, Where])[]

/** Parses all parts of a request, or collects what is wrong with any of them. */
export function parseRequest<Schemas extends RequestSchemas>(
  schemas: Schemas,
  request: RequestParts,
  options: DetailOptions = {},
): ParsedRequest<Schemas> {
  const value: Record<string, unknown> = {
    params: undefined,
    query: undefined,
    headers: undefined,
    body: undefined,
  }
  let detail: ValidationEntry[] | undefined
  for (const [part, where] of parts) {
    const schema = schemas[part]
    if (schema === undefined) continue
    const raw = request[part] === undefined ? absent(schema, where) : request[part]
    const parsed = schema.safeParse(raw)
    if (parsed.success) {
      value[part] = parsed.data
    } else {
      detail ??= []
      detail.push(...toDetail(parsed.error.issues, raw, where, { ...options, schema }))
    }
  }
  if (detail !== undefined) return { ok: false, detail: detail.slice(0, entriesMax) }
  return { ok: true, value: value as unknown as RequestValue<Schemas> }
}

/**
 * What a part that the request lacks is parsed as: empty. Where a body then lacks a field, or should be no
 * object at all, it is the body itself that is missing.
 */
function absent(schema: z.ZodType, where: Where): unknown {
  if (where !== 'body') return {}
  if (unwrap(schema)._zod.def.type !== 'object') return undefined
  const issues = schema.safeParse({}).error?.issues ?? []
  return issues.some((issue) => issue.code !== 'custom') ? undefined : {}
}
