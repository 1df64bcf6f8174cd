import { createOpenApi } from '@memory/api/http/openapi'
import { routes } from '@memory/api/routes'
import type { Operation } from '@memory/shared/catalogue/operation'
import { expect } from 'vitest'
import { z } from 'zod'
import { Client } from './client.ts'
import type { Answer } from './requests.ts'
import type { ClientOptions, TestServer } from './server.ts'

/** Every operation of the API. */
export const operations: readonly Operation[] = routes.map((route) => route.operation)

/** Their description. */
export const document = createOpenApi(operations, '0')

const Detail = z.strictObject({ detail: z.string().min(1) })
const ValidationDetail = z.strictObject({
  detail: z
    .array(
      z.strictObject({
        type: z.string().min(1),
        loc: z.tuple([z.enum(['path', 'query', 'header', 'body'])], z.union([z.string(), z.int()])),
        msg: z.string().min(1),
        input: z.unknown().optional(),
        ctx: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .min(1),
})

/** A client each of whose answers must be one that the operation documents, with no field more or less. */
export class ConformingClient extends Client {
  override async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await super.request(method, path, body, headers)
    expectConforming(method, path, answer)
    return answer
  }
}

/** A client of a new organization, or of the one that the options name. */
export async function newConformingClient(
  server: TestServer,
  options?: ClientOptions,
): Promise<ConformingClient> {
  return new ConformingClient(server.url, await server.newClient(options))
}

/** Checks status and body against the operation that a request names; without one, the body of an error. */
export function expectConforming(method: string, path: string, answer: Answer): void {
  const what = `${method} ${path} answered ${answer.status}`
  const operation = findOperation(method, path)
  if (operation !== undefined) {
    const documented = document.paths?.[operation.path]?.[operation.method]?.responses ?? {}
    expect(Object.keys(documented), `${what}, which ${operation.id} documents`).toContain(
      String(answer.status),
    )
    if (answer.status === (operation.status ?? 200)) {
      // An object schema drops what it doesn't know, so a field too many makes the two differ.
      expect(operation.response.parse(answer.body), what).toEqual(answer.body)
      return
    }
  }
  if (operation === undefined && answer.status < 400) return
  const fault = (answer.status === 422 ? ValidationDetail : Detail).safeParse(answer.body)
  expect(fault.error?.message, what).toBeUndefined()
}

function findOperation(method: string, path: string): Operation | undefined {
  const { pathname } = new URL(path, 'http://service')
  return operations.find((operation) => {
    const template = operation.path.split('/')
    const segments = pathname.split('/')
    return (
      operation.method.toUpperCase() === method &&
      template.length === segments.length &&
      template.every((part, i) => part === segments[i] || (part.startsWith('{') && segments[i] !== ''))
    )
  })
}
