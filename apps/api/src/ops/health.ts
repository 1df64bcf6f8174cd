import { operation } from '@memory/shared/catalogue/operation'
import { readReadiness } from '@memory/shared/ops/readiness'
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
  // Whoever restarts on it would otherwise restart what is merely busy.
  unqueued: true,
  response: z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' }),
})

const Readiness = operation({
  id: 'readiness',
  method: 'get',
  path: '/readyz',
  tag,
  summary: 'Whether the service can answer requests',
  description:
    '503 while it starts, drains or has no database, and once another process was started with another encoder. `degraded`: requests are answered, but background work waits for the job queue, the database only reads (its disk is nearly full, or PostgreSQL is a standby or read-only), or `fsync` is off in PostgreSQL.',
  access: 'anyone',
  response: z
    .object({
      status: z.enum(['ready', 'degraded']),
      database: z.enum(['embedded', 'postgres']),
      queue: z.enum(['embedded', 'postgres', 'redis']),
      version: z.string(),
    })
    .meta({ id: 'Readiness' }),
  errors: ['unavailable'],
})

/** Checks no dependency: a process that answers at all need not be restarted. */
export const liveness = endpoint(Liveness, async () => ({ status: 'ok' as const }))

export const readiness = endpoint(Readiness, ({ context }) => readReadiness(context))
