import express, { type Express, type Request } from 'express'
import { createMemoryRouter } from 'memory-service-router'
import { type MemoryClient, MemoryError, RateLimitError, ValidationError } from 'memory-service-sdk'
import { Assistant, type Reply } from './assistant.ts'

/**
 * The assistant as a web application: `POST /chat {message}`, and the user's own memory under `/memory`.
 * @param userOf who is signed in; undefined for nobody
 */
export function createAssistantApp(
  client: MemoryClient,
  userOf: (req: Request) => string | undefined,
  reply?: Reply,
): Express {
  const app = express()
  app.use(express.json())
  app.use(
    createMemoryRouter({
      client,
      prefix: '/memory',
      scope: (req: Request) => {
        const user = userOf(req)
        return user === undefined ? undefined : { user }
      },
    }),
  )
  app.post('/chat', async (req, res) => {
    const user = userOf(req)
    const message: unknown = req.body?.message
    if (user === undefined) res.status(401).json({ detail: 'Sign in first' })
    else if (typeof message !== 'string') res.status(422).json({ detail: 'message must be a text' })
    else res.json(await new Assistant(client, user, reply).respond(message))
  })
  const onError: express.ErrorRequestHandler = (error, _req, res, next) => {
    if (error instanceof ValidationError || error instanceof RateLimitError) {
      // What the user can do something about: say it otherwise, or later.
      if (error.retryAfterS !== undefined) res.set('Retry-After', String(error.retryAfterS))
      res.status(error.status).json({ detail: error.detail })
    } else if (error instanceof MemoryError) res.status(502).json({ detail: error.message })
    else next(error)
  }
  app.use(onError)
  return app
}
