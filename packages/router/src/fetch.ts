import { fieldsOf, readJson } from './body.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { errorAnswerOf } from './error-answer.ts'
import { admit, clientOf, type MemoryRouterOptions, prefixOf } from './options.ts'

export { type Hooks, type MemoryRouterOptions, RefusedError, type Scope } from './options.ts'

/**
 * The five endpoints as a function of requests, for runtimes that speak fetch. It rejects with what a hook throws, but for
 * a `RefusedError`.
 */
export function createMemoryHandler(
  options: MemoryRouterOptions<Request>,
): (request: Request) => Promise<Response> {
  const client = clientOf(options)
  const { search = 'recall' } = options
  const prefix = prefixOf(options)
  const find = ({ url }: Request): Endpoint | undefined => {
    const { pathname } = new URL(url)
    const name = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length + 1) : ''
    return Object.hasOwn(endpoints, name) ? endpoints[name] : undefined
  }
  const handle = async (request: Request): Promise<Response> => {
    const endpoint = find(request)
    if (endpoint === undefined) return json(404, { detail: 'Not Found' })
    const method = request.method === 'HEAD' ? 'GET' : request.method
    if (method !== endpoint.method) {
      return json(405, { detail: 'Method Not Allowed' }, { Allow: endpoint.method })
    }
    try {
      const keptTo = await admit(options, request)
      const body = endpoint.method === 'POST' ? fieldsOf(await readJson(request)) : {}
      return json(200, await endpoint.answer({ client, body, ...keptTo, search, signal: request.signal }))
    } catch (error) {
      const answer = errorAnswerOf(error)
      if (answer === undefined) throw error
      return json(answer.status, answer.body, answer.headers)
    }
  }
  return async (request) => {
    const response = await handle(request)
    return request.method === 'HEAD' ? new Response(null, response) : response
  }
}

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}
