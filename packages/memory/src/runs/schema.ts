import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'
import { sleepCounts } from '../sleep/schema.ts'

const when = z.iso.datetime()
const count = z.int().min(0)

/** What a space does with itself. */
export const runKinds = ['sleep', 'exploration'] as const
export type RunKind = (typeof runKinds)[number]

export const runCauses = ['asked', 'scheduled'] as const

const Run = z
  .object({
    run_id: z.string().meta({ description: 'Starts with `run_`.' }),
    kind: z.enum(runKinds),
    cause: z.enum(runCauses).meta({
      description:
        'asked: by a request. scheduled: the space was due, since it was used and then left alone.',
    }),
    began_at: when,
    ended_at: when.nullable().meta({
      description: 'null: a scheduled sleep that has not come to the end of the space yet, and goes on.',
    }),
    sleep: z
      .object(sleepCounts)
      .nullable()
      .meta({ id: 'SleepCounts', description: 'What a sleep did so far; null for an exploration.' }),
    exploration: z
      .object({
        total_explored: count,
        compositions_valid: count.meta({ description: 'Pairs whose composition was valid.' }),
      })
      .nullable()
      .meta({ id: 'ExplorationCounts', description: 'What an exploration did; null for a sleep.' }),
    error: z.string().nullable().meta({
      description:
        'Code of the error that the run ended in: what it had done by then stays. abandoned: whoever asked for it hung up, which ended it. null: it ended well, or goes on.',
    }),
  })
  .meta({ id: 'Run' })

export const ListRuns = operation({
  id: 'listRuns',
  method: 'get',
  path: '/v1/memory/runs',
  tag: 'Consolidation',
  summary: 'Sleeps and explorations of the space, and what each did',
  description: `Newest first; the last ${limits.runRecords} are kept. A sleep that the regime bypassed did nothing and is no run.`,
  access: 'memory:read',
  query: z.object({
    cursor: f.queryString(0, 200).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
    kind: f.queryEnum(runKinds).optional().meta({ description: 'Default: both.' }),
  }),
  response: z.object({ runs: z.array(Run), next_cursor: z.string().nullable() }).meta({ id: 'RunList' }),
})
