/**
 * The service in a process of its own, with two operations more that do nothing: one open to anyone, one that asks who
 * calls. Its parent gets the port, and further tokens of a session when it asks for them.
 */
import { createApp } from '@memory/api/app'
import { createContext } from '@memory/api/context'
import { endpoint } from '@memory/api/http/endpoint'
import { createApiServer } from '@memory/api/http/server'
import { createKey } from '@memory/identity/keys/service'
import type { Subject } from '@memory/identity/tokens/access-tokens'
import { operation } from '@memory/shared/catalogue/operation'
import { readConfig } from '@memory/shared/platform/config'
import { addressOf, listen } from '@memory/shared/platform/http-server'
import { createLog } from '@memory/shared/platform/log'
import express from 'express'
import { z } from 'zod'

/** What the parent asks for, and what it gets. */
export interface Asked {
  subject: Subject
  tokens: number
}
export interface Given {
  key: string
  tokens: string[]
}

const nothing = (path: string, access: 'anyone' | 'memory:read') =>
  endpoint(
    operation({
      id: 'nothing',
      method: 'get',
      path,
      tag: 'Bench',
      summary: 'Nothing',
      access,
      response: z.object({ status: z.literal('ok') }),
    }),
    async () => ({ status: 'ok' as const }),
  )

const context = await createContext(readConfig(process.env), createLog)
const app = express()
for (const { operation, handle } of [nothing('/open', 'anyone'), nothing('/asked', 'memory:read')]) {
  app.get(operation.path, (req, res) => handle(context, req, res))
}
app.use(createApp(context))
const server = await listen(createApiServer(app), 0, '127.0.0.1', 'PORT')

process.on('message', async ({ subject, tokens }: Asked) => {
  const { organizationId } = subject
  const { key } = await createKey(context.database.queries, organizationId as string, {
    name: 'bench',
    environment: 'live',
    scopes: ['memory:read'],
    expiresAt: null,
  })
  const issued: string[] = []
  for (let i = 0; i < tokens; i++) issued.push(await context.callers.accessTokens.issue(subject))
  process.send?.({ key, tokens: issued } satisfies Given)
})
process.once('disconnect', async () => {
  server.closeAllConnections()
  await context.close()
  process.exit()
})
process.send?.(addressOf(server).port)
