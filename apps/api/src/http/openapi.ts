import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import { limits } from '@memory/shared/catalogue/limits'
import { type Access, isScope, limitOf, type Operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
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

/** What every operation reads, and every answer may have. */
const shared = {
  parameters: {
    Prefer: {
      name: 'Prefer',
      in: 'header' as const,
      description:
        '`handling=strict` makes a field of body or query that the operation does not have a 422 (RFC 7240); without it such a field is ignored and named in `X-Ignored-Fields`.',
      schema: { type: 'string' as const, examples: ['handling=strict'] },
    },
  },
  headers: {
    'Preference-Applied': {
      description: 'That unknown fields were refused, as `Prefer` asked.',
      schema: { type: 'string' as const, const: 'handling=strict' },
    },
    'X-Ignored-Fields': {
      description: `Fields that were sent and ignored, ${limits.ignoredFields} at most; names are percent-encoded.`,
      schema: { type: 'string' as const, examples: ['body.metdata, query.limt'] },
    },
  },
}
const answerHeaders = Object.fromEntries(
  Object.keys(shared.headers).map((name) => [name, { $ref: `#/components/headers/${name}` as const }]),
)

/** The OpenAPI 3.1 document of these operations. */
export function createOpenApi(operations: readonly Operation[], version: string) {
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
    // Where the document came from: whatever address or proxy that was, requests go the same way.
    servers: [{ url: './' }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    components: {
      ...shared,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'For servers and scripts: a key of an organization, from POST /v1/api-keys. It may also be sent as `Authorization: Bearer`.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'For users: the access_token of POST /v1/auth/login, which lives 15 minutes. The page /docs takes it from the answer.',
        },
      },
    },
    paths,
  })
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const body = operation.body
  const headers = headersOf(operation, true)
  const { id, tag, summary, description, params, query, access } = operation
  const accessNote = accessNotes[access as 'user'] ?? `An API key needs the scope \`${access}\`.`
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    description: [description, accessNote].filter((text) => text).join('\n\n'),
    security: securityOf(access),
    parameters: [{ $ref: '#/components/parameters/Prefer' }],
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
        headers: {
          ...answerHeaders,
          ...(operation.queries === undefined ? {} : allowanceHeaders),
          ...(hasVersion(operation) ? versionHeaders : {}),
          ...(operation.tagged ? tagHeaders : {}),
        },
        content: { [operation.media ?? 'application/json']: { schema: operation.response } },
      },
      ...(operation.tagged
        ? {
            304: {
              description: 'Nothing of the answer that `If-None-Match` names has changed',
              headers: { ...answerHeaders, ...tagHeaders },
            },
          }
        : {}),
      ...errorResponses(operation),
    },
  }
}

const accessNotes: Partial<Record<Access, string>> = {
  anyone: '',
  user: 'Needs a user’s access token; API keys are refused.',
  platform_admin: 'Needs the access token of a platform admin.',
}

function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'anyone') return []
  return isScope(access) ? [{ apiKey: [] }, { accessToken: [] }] : [{ accessToken: [] }]
}

function accessErrors(access: Access): ErrorCode[] {
  if (access === 'anyone') return []
  const all = [
    'not_authenticated',
    'invalid_api_key',
    'token_expired',
    'token_revoked',
    'invalid_token',
    'organization_not_found',
  ] as const
  if (isScope(access)) return [...all, 'insufficient_scope']
  return [
    ...all,
    'user_token_required',
    ...(access === 'platform_admin' ? ['platform_admin_required' as const] : []),
  ]
}

function errorResponses(operation: Operation): ZodOpenApiResponsesObject {
  const codes: ErrorCode[] = [
    ...(operation.errors ?? []),
    'repeated_header',
    'too_many_requests',
    'internal',
    'unavailable',
  ]
  codes.push(...accessErrors(operation.access), 'malformed_json', 'malformed_content_type', 'body_too_large')
  if (limitOf(operation) !== undefined) codes.push('too_many_attempts')
  if (operation.idempotent) codes.push('idempotent_twin_running')
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    const { status, detail } = errors[code]
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), detail])])
  }
  const answers: ZodOpenApiResponsesObject = {}
  for (const [status, details] of byStatus)
    answers[`${status as 400}`] = errorAnswer(details.join('; '), Detail, headersOfError[status])
  // Also for operations without parameters: a client may ask each to refuse unknown fields.
  answers['422'] = errorAnswer('The request is not valid', ValidationDetail)
  return answers
}

type Headers = ZodOpenApiResponseObject['headers']

const integer = { type: 'integer' as const }

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: integer } }

const hasVersion = ({ versioned, response }: Operation): boolean =>
  versioned === true && response instanceof z.ZodObject && 'version' in response.shape

const versionHeaders: Headers = {
  ETag: { description: 'Of the `version`, for `If-Match`.', schema: { type: 'string' as const } },
}

const tagHeaders: Headers = {
  ETag: { description: 'The `etag`, for `If-None-Match`.', schema: { type: 'string' as const } },
}

/** Headers of operations that count queries, sent when the plan limits these. */
const allowanceHeaders: Headers = {
  'RateLimit-Limit': {
    description: 'Queries of a day. Absent where the plan has no limit.',
    schema: integer,
  },
  'RateLimit-Remaining': { description: 'Queries left of the day.', schema: integer },
  'RateLimit-Reset': { description: 'Seconds until the day ends, at midnight UTC.', schema: integer },
}

/** The headers that every answer of such a status has. */
const headersOfError: Record<number, Headers> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string', const: 'Bearer' } } },
  429: retryAfter,
  503: retryAfter,
}

function errorAnswer(description: string, schema: z.ZodType, headers?: Headers) {
  return {
    description,
    headers: { ...answerHeaders, ...headers },
    content: { 'application/json': { schema } },
  }
}
