import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import type { Operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { headersOf } from './endpoint.ts'

const Detail = z.object({ detail: z.string() }).meta({ id: 'Error' })

const ValidationDetail = z
  .object({
    detail: z.array(
      z.object({
        type: z.string(),
        loc: z.array(z.union([z.string(), z.int()])),
        msg: z.string(),
        input: z.unknown().optional(),
        ctx: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  })
  .meta({ id: 'ValidationError' })

/** The OpenAPI 3.1 document of these operations. */
export function createOpenApi(operations: readonly Operation[], version: string, serverUrl: string) {
  const paths: ZodOpenApiPathsObject = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    path[operation.method] = describe(operation)
    paths[operation.path] = path
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Memory Service',
      version,
      description:
        'The memory that AI applications lack: text facts and vectors, found by meaning. Errors carry `detail`: a sentence, or for 422 a list with one entry a field.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
    paths,
  })
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const body = operation.body
  const headers = headersOf(operation)
  const { id, tag, summary, description, params, query, scope } = operation
  const scopeNote = scope === null ? undefined : `Needs the scope \`${scope}\`.`
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    description: [description, scopeNote].filter((text) => text !== undefined).join('\n\n'),
    security: scope === null ? [] : [{ apiKey: [] }],
    requestParams: {
      ...(params === undefined ? {} : { path: params }),
      ...(query === undefined ? {} : { query }),
      ...(Object.keys(headers.shape).length === 0 ? {} : { header: headers }),
    },
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.safeParse({}).success,
            content: { 'application/json': { schema: body } },
          },
        }),
    responses: {
      [String(operation.status ?? 200)]: {
        description: 'Success',
        content: { 'application/json': { schema: operation.response } },
      },
      ...errorResponses(operation),
    },
  }
}

function errorResponses(operation: Operation): ZodOpenApiResponsesObject {
  const codes: ErrorCode[] = [...(operation.errors ?? []), 'internal', 'unavailable']
  if (operation.scope !== null) codes.push('not_authenticated', 'invalid_api_key', 'insufficient_scope')
  if (operation.body !== undefined) codes.push('malformed_json', 'malformed_content_type', 'body_too_large')
  if (operation.idempotent) codes.push('idempotent_twin_running')
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    const { status, detail } = errors[code]
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), detail])])
  }
  const answers: ZodOpenApiResponsesObject = {}
  for (const [status, details] of byStatus)
    answers[`${status as 400}`] = errorAnswer(details.join('; '), Detail)
  if (canBeInvalid(operation)) {
    answers['422'] = errorAnswer('The request is not valid', ValidationDetail)
  }
  return answers
}

function canBeInvalid(operation: Operation): boolean {
  const { body, query, params } = operation
  return (body ?? query ?? params) !== undefined || Object.keys(headersOf(operation).shape).length > 0
}

function errorAnswer(description: string, schema: z.ZodType) {
  return { description, content: { 'application/json': { schema } } }
}
