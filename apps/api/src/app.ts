import { ApiError } from '@memory/shared/catalogue/errors'
import express, { type Express, type RequestHandler } from 'express'
import { consoleRoutes } from './console/routes.ts'
import type { Context } from './context.ts'
import { assetOf, sendAsset } from './http/asset.ts'
import { mountConsole } from './http/console.ts'
import { mountDocs } from './http/docs.ts'
import {
  cors,
  observeRequests,
  refuseRepeatedHeaders,
  refuseWhileDraining,
  requestId,
  securityHeaders,
  timeRequests,
  withServerTiming,
} from './http/edge.ts'
import type { Endpoint } from './http/endpoint.ts'
import { errorAnswers, refuseWrites, sendError } from './http/error-answers.ts'
import { answerMcp, type MakeServer } from './http/mcp/mcp.ts'
import { OwnRequests } from './http/mcp/own-requests.ts'
import { answerOauth } from './http/oauth/oauth.ts'
import { createOpenApi } from './http/openapi.ts'
import { addExamples } from './http/openapi-examples.ts'
import { parseQuery } from './http/parse-query.ts'
import { liveness, readiness } from './ops/health.ts'
import { routes } from './routes.ts'

/**
 * The HTTP application. All its state is in `context`.
 * @param makeMcpServer replaces the service's MCP server in tests
 */
export function createApp(context: Context, makeMcpServer?: MakeServer): Express {
  const { config, log, metrics } = context
  const app = express()
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  app.set('etag', false)
  app.set('x-powered-by', false)
  app.set('query parser', parseQuery)
  app.set('trust proxy', config.http.trustedProxies)
  withServerTiming(app.response)

  app.use(
    inSequence(
      requestId,
      securityHeaders,
      observeRequests(log, metrics),
      timeRequests,
      refuseRepeatedHeaders,
      cors(config.http.corsOrigins),
      refuseWhileDraining(context, liveness.operation.path, readiness.operation.path),
      answerDirectly(context, [...routes, ...consoleRoutes]),
      ...(config.http.mcp
        ? [answerMcp(context, new OwnRequests(app), makeMcpServer), answerOauth(context)]
        : []),
    ),
  )
  mountRoutes(app, context, routes)
  mountDescription(app, context)
  mountRoutes(app, context, consoleRoutes)
  mountConsole(app)
  app.use((_req, res) => sendError(res, new ApiError('not_found')))
  app.use(errorAnswers(log, metrics))
  return app
}

/**
 * Several handlers as one. Express matches every handler against every request, which costs more than most of these
 * handlers themselves.
 */
function inSequence(...handlers: RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    const run = (at: number): void => {
      const handler = handlers[at]
      if (handler === undefined) next()
      else handler(req, res, (error?: unknown) => (error === undefined ? run(at + 1) : next(error)))
    }
    run(0)
  }
}

/** A shortcut past Express' slower router, for requests whose path has no parameters and whose URL has no query. */
function answerDirectly(context: Context, endpoints: readonly Endpoint[]): RequestHandler {
  const byRequest = new Map(
    endpoints
      .filter(({ operation }) => !operation.path.includes('{'))
      .map((endpoint) => [`${endpoint.operation.method.toUpperCase()} ${endpoint.operation.path}`, endpoint]),
  )
  return (req, res, next) => {
    const endpoint = byRequest.get(`${req.method} ${req.url}`)
    if (endpoint === undefined) {
      next()
      return
    }
    res.locals.route = endpoint.operation.path
    endpoint.handle(context, req, res).catch(next)
  }
}

/** Mounts paths without parameters first: `/a/{id}` would also match `/a/list` (OpenAPI gives it the same precedence). */
function mountRoutes(app: Express, context: Context, endpoints: readonly Endpoint[]): void {
  const byPath = Map.groupBy(endpoints, ({ operation }) => operation.path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const paths = [...byPath].sort(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')))
  for (const [path, own] of paths) {
    for (const endpoint of own) {
      const { operation } = endpoint
      app[operation.method](path, async (req, res) => {
        res.locals.route = operation.path
        await endpoint.handle(context, req, res)
      })
    }
    const allowed = own.map(({ operation }) => operation.method.toUpperCase())
    app.all(path, (_req, res) => {
      res.setHeader('Allow', (allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed).join(', '))
      sendError(res, new ApiError('method_not_allowed'))
    })
  }
}

/** The description of the API, built when it is first asked for. */
function mountDescription(app: Express, context: Context): void {
  const operations = routes.map((route) => route.operation)
  const describe = () => {
    const document = createOpenApi(operations, context.version)
    addExamples(document, operations)
    return Buffer.from(JSON.stringify(document))
  }
  const description = assetOf('application/json', describe, 'never')
  app.get('/openapi.json', async (req, res) => {
    res.locals.route = '/openapi.json'
    await sendAsset(req, res, description)
  })
  app.all('/openapi.json', refuseWrites)
  mountDocs(app)
}
