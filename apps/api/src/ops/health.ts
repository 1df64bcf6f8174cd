import { operation } from '@memory/shared/catalogue/operation'
import { ping } from '@memory/shared/platform/database/database'
import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'

const tag = 'Operation'

const Liveness = operation({
  id: 'liveness',
  method: 'get',
  path: '/healthz',
  tag,
  summary: 'Whether the process is alive',
  access: 'anyone',
  response: z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' }),
})

const Readiness = operation({
  id: 'readiness',
  method: 'get',
  path: '/readyz',
  tag,
  summary: 'Whether the service can answer requests',
  description: '503 while it starts, drains or has no database.',
  access: 'anyone',
  response: z
    .object({ status: z.literal('ready'), database: z.enum(['embedded', 'postgres']), version: z.string() })
    .meta({ id: 'Readiness' }),
  errors: ['unavailable'],
})

/** Touches no dependency: a process that answers need not be restarted. */
export const liveness = endpoint(Liveness, async () => ({ status: 'ok' as const }))

export const readiness = endpoint(Readiness, async ({ context }) => {
  await ping(context.database.queries)
  return { status: 'ready' as const, database: context.database.kind, version: context.version }
})
