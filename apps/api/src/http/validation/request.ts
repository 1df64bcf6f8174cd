import type { ValidationEntry } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import type { z } from 'zod'
import { type DetailOptions, entriesMax, toDetail, type Where } from './detail.ts'
import { unwrap } from './schema-path.ts'
import { findUnknown, type Handling } from './unknown-fields.ts'

/** The schemas of an operation's parts. */
export interface RequestSchemas {
  params?: z.ZodType | undefined
  query?: z.ZodType | undefined
  headers?: z.ZodType | undefined
  body?: z.ZodType | undefined
}

/** The parts of a request. `query` and `body`, which is the parsed JSON, are undefined when it had none. */
interface RequestParts {
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

export type ParsedRequest<Schemas extends RequestSchemas> = {
  /** Unknown fields of body and query, in the form of the answer's header; undefined when there are none. */
  readonly ignored?: readonly string[] | undefined
} & (
  | { readonly ok: true; readonly value: RequestValue<Schemas> }
  | { readonly ok: false; readonly detail: ValidationEntry[] }
)

/** The parts of a request, in the order in which FastAPI lists errors. */
const parts = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['body', 'body'],
] as const satisfies readonly (readonly [keyof RequestSchemas, Where])[]

const lenient: Handling = { strict: false, onSelector: undefined }

/**
 * Parses all parts of a request, or collects the faults of all of them.
 * @param handling how fields of query and body are handled that the schemas do not have
 */
export function parseRequest<Schemas extends RequestSchemas>(
  schemas: Schemas,
  request: RequestParts,
  options: DetailOptions = {},
  handling: Handling = lenient,
): ParsedRequest<Schemas> {
  const value: Record<string, unknown> = {
    params: undefined,
    query: undefined,
    headers: undefined,
    body: undefined,
  }
  let detail: ValidationEntry[] | undefined
  let ignored: string[] | undefined
  for (const [part, where] of parts) {
    const schema = schemas[part]
    const sent = request[part]
    const issues: z.core.$ZodIssue[] = []
    const raw = sent === undefined && schema !== undefined ? absent(schema, where) : sent
    if (schema !== undefined) {
      const parsed = schema.safeParse(raw)
      if (parsed.success) value[part] = parsed.data
      else issues.push(...parsed.error.issues)
    }
    if (sent !== undefined && (where === 'query' || where === 'body')) {
      const unknown = findUnknown(schema, sent, where, handling)
      issues.push(...unknown.refused)
      // The body's come first in the header, although the body is the last part here.
      if (unknown.ignored.length > 0) ignored = [...unknown.ignored, ...(ignored ?? [])]
    }
    if (issues.length > 0) {
      detail ??= []
      detail.push(...toDetail(issues, raw, where, schema === undefined ? options : { ...options, schema }))
    }
  }
  ignored = ignored?.slice(0, limits.ignoredFields)
  if (detail !== undefined) return { ok: false, detail: detail.slice(0, entriesMax), ignored }
  return { ok: true, value: value as unknown as RequestValue<Schemas>, ignored }
}

/**
 * An absent part is parsed as an empty one. But for a body that needs fields, or is to be no object, the fault should be that
 * the body itself is missing.
 */
function absent(schema: z.ZodType, where: Where): unknown {
  if (where !== 'body') return {}
  if (unwrap(schema)._zod.def.type !== 'object') return undefined
  const issues = schema.safeParse({}).error?.issues ?? []
  return issues.some((issue) => issue.code !== 'custom') ? undefined : {}
}
