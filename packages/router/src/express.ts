import express, { type Request, type Response, type Router } from 'express'
import { bodyBytesMax, bodyErrors, fieldsOf, parseJson, requireJsonType } from './body.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { errorAnswerOf } from './error-answer.ts'
import { admit, clientOf, type MemoryRouterOptions, prefixOf } from './options.ts'

/** The five endpoints as a router of Express. What a hook throws, but for a `RefusedError`, goes to Express. */
export function createMemoryRouter(options: MemoryRouterOptions<Request>): Router {
  const client = clientOf(options)
  const { search = 'recall' } = options
  const router = express.Router({ caseSensitive: true, strict: true })
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = `${prefixOf(options)}/${name}`
    router[endpoint.method === 'POST' ? 'post' : 'get'](path, async (req, res) => {
      const signal = whenAbandoned(res)
      try {
        const keptTo = await admit(options, req)
        const body = await readBody(endpoint, req, res)
        res.json(await endpoint.answer({ client, body, ...keptTo, search, signal }))
      } catch (error) {
        if (signal.aborted) return
        const answer = errorAnswerOf(error)
        if (answer === undefined) throw error
        res.status(answer.status).set(answer.headers).json(answer.body)
      }
    })
    router.all(path, (req, res, next) => {
      // What other origins may do is the application's to say.
      if (req.method === 'OPTIONS') next()
      else res.status(405).set('Allow', endpoint.method).json({ detail: 'Method Not Allowed' })
    })
  }
  return router
}

const reader = express.raw({ limit: bodyBytesMax, type: () => true })

/** An application may have parsed the body before. @throws RefusedError */
async function readBody({ method }: Endpoint, req: Request, res: Response): Promise<Record<string, unknown>> {
  if (method === 'GET') return {}
  requireJsonType(req.get('content-type'))
  await new Promise<void>((resolve, reject) => {
    reader(req, res, (error?: unknown) => {
      if (error === undefined) resolve()
      else reject((error as { status?: number }).status === 413 ? bodyErrors.size() : bodyErrors.json())
    })
  })
  const { body } = req
  return fieldsOf(Buffer.isBuffer(body) ? parseJson(new TextDecoder().decode(body)) : body)
}

/** Fires when the connection closes before the answer is sent. */
function whenAbandoned(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
