import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const count = z.int()
const bytes = z.int().meta({ description: 'Bytes.' })
const held = { entries: count, bytes }
const lookups = {
  hits: count.meta({ description: 'Since the process started.' }),
  misses: count,
}

export const ReadHealth = operation({
  id: 'readHealth',
  method: 'get',
  path: '/v1/admin/health',
  tag: 'Administration',
  summary: 'How the process that answers is',
  description:
    'What runs, what it stands on, and what it has measured. Where several processes answer, it is of one of them; `/metrics` of each has more.',
  access: 'platform_admin',
  response: z
    .object({
      status: z
        .enum(['ready', 'degraded', 'not_ready'])
        .meta({ description: 'As `/readyz` says it; `not_ready` where that answers 503.' }),
      reason: z
        .string()
        .nullable()
        .meta({ description: 'Why the process is not ready, and what to do; null where it is.' }),
      version: z.string(),
      commit: z.string().nullable().meta({ description: 'null where nobody knows.' }),
      node: z.string(),
      started_at: z.iso.datetime(),
      database: z.object({
        kind: z.enum(['embedded', 'postgres']),
        version: z.string().meta({ description: 'Of PostgreSQL, also where it is embedded.' }),
        migration: z.string().meta({ description: 'The last of the tables’.' }),
      }),
      redis: z
        .object({
          answers: z.boolean(),
          version: z.string().nullable().meta({ description: 'null while it does not answer.' }),
        })
        .nullable()
        .meta({ description: 'null where `REDIS_URL` names none.' }),
      kernels: z.enum(['native', 'javascript']),
      encoder: z.object({ model: z.string(), dimensions: count }),
      threads: z.object({
        count,
        queued: count.meta({ description: 'Tasks that wait for a thread.' }),
      }),
      disk: z
        .object({ free_bytes: bytes, total_bytes: bytes })
        .nullable()
        .meta({ description: 'Of the data folder; null where the system does not say.' }),
      memory: z.object({
        resident_bytes: bytes,
        heap_bytes: bytes.meta({ description: 'Of JavaScript, in use.' }),
        buffer_bytes: bytes.meta({ description: 'Outside of its heap.' }),
      }),
      caches: z.object({
        embeddings: z.object({ ...held, ...lookups }),
        payloads: z.object({ ...held, ...lookups, evictions: count }),
        index: z.object({ spaces: count, bytes }),
        lexical: z.object({ bytes }),
      }),
    })
    .meta({ id: 'Health' }),
  errors: ['unavailable'],
})
