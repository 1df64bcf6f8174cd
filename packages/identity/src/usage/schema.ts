import * as f from '@memory/shared/catalogue/fields'
import { limits } from '@memory/shared/catalogue/limits'
import { operation, usageClasses } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const tag = 'Usage'
const when = z.iso.datetime()
const count = z.int()
const ms = z.number().meta({ description: 'Milliseconds.' })
const percentage = z.number().meta({ description: '0 to 100; of an unlimited plan 0.' })
const storage = z.number().meta({ description: 'Megabytes of 1,000,000 bytes.' })

/** A calendar month. */
const Month = z
  .object({ start: when, end: when.meta({ description: 'The first moment that is no longer of it.' }) })
  .meta({ id: 'UsagePeriod', description: 'The current calendar month, UTC.' })

export const SummarizeUsage = operation({
  id: 'summarizeUsage',
  method: 'get',
  path: '/v1/usage/summary',
  tag,
  summary: 'What the space has used this month',
  description:
    'Requests under /v1/memory that succeeded. Those that ended in an error count nothing, as they count no query.',
  access: 'usage:read',
  response: z
    .object({
      period: Month,
      patterns: z.object({
        used: count,
        limit: count.meta({ description: '-1 stands for unlimited.' }),
        percentage,
      }),
      api_calls: z.object({
        total: count,
        stores: count,
        retrieves: count,
        recalls: count,
        explains: count,
        consolidations: count,
        other: count,
      }),
      storage_mb: storage,
      rate_limit: z.object({
        current: count.meta({ description: 'Queries of the current UTC day.' }),
        peak_usage: count.meta({ description: 'Queries of the day of the period that had most.' }),
      }),
    })
    .meta({ id: 'UsageSummary' }),
})

export const usagePeriods = ['7d', '30d', '90d', '365d'] as const
const granularities = ['hourly', 'daily', 'weekly'] as const

export const ReadUsageHistory = operation({
  id: 'readUsageHistory',
  method: 'get',
  path: '/v1/usage/history',
  tag,
  summary: 'How the use of the space developed',
  description:
    'Every point is there, whether anything happened or not; the last one has begun. Weeks begin on Monday, and the first counts from the period’s first day. Hours are kept for eight days: of a day before that the first hour has all.',
  access: 'usage:read',
  query: z.object({
    period: f.queryEnum(usagePeriods, '30d'),
    granularity: f.queryEnum(granularities, 'daily'),
  }),
  response: z
    .object({
      period: z.enum(usagePeriods),
      granularity: z.enum(granularities),
      data_points: z.array(
        z
          .object({
            date: z.string().meta({
              description:
                'Begin of the point, UTC: the date of a day, or of a week’s Monday; of an hour with its time.',
              examples: ['2026-11-22', '2026-11-22T14:00:00.000Z'],
            }),
            api_calls: count,
            stores: count,
            retrieves: count,
            patterns_total: count.meta({ description: 'When the point ended; of the last one, now.' }),
            storage_mb: storage,
          })
          .meta({ id: 'UsagePoint' }),
      ),
    })
    .meta({ id: 'UsageHistory' }),
})

const brief = z.object({ p50: ms, p95: ms, p99: ms })
export const latencyPeriods = ['1h', '6h', '24h', '7d'] as const

export const ReadLatencies = operation({
  id: 'readLatencies',
  method: 'get',
  path: '/v1/usage/latency',
  tag,
  summary: 'How long the space’s requests took',
  description:
    'From the arrival of a request to the sending of its answer, for requests that succeeded. Accurate to 2 %; 0 where there were none. The period reaches back to a multiple of five minutes, seven days to a full hour.',
  access: 'usage:read',
  query: z.object({
    period: f.queryEnum(latencyPeriods, '24h'),
    operation: f.queryEnum(usageClasses).optional(),
  }),
  response: z
    .object({
      period: z.enum(latencyPeriods),
      operation: z.enum(usageClasses).nullable().meta({ description: 'null: all of them.' }),
      percentiles: z.object({ p50: ms, p75: ms, p90: ms, p95: ms, p99: ms }),
      by_operation: z
        .object({ store: brief, retrieve: brief, recall: brief, explain: brief, consolidate: brief })
        .meta({ description: 'Of every operation, whichever was asked for.' }),
      total_requests: count.meta({ description: 'What the percentiles are of.' }),
    })
    .meta({ id: 'UsageLatency' }),
})

export const ReadOrganizationUsage = operation({
  id: 'readOrganizationUsage',
  method: 'get',
  path: '/v1/usage/organization/{org_id}',
  tag,
  summary: 'What an organization has used this month',
  description: 'Both spaces, live and test. For API keys of the organization, and for its administrators.',
  access: 'usage:read',
  params: z.object({ org_id: f.uuid() }),
  response: z
    .object({
      org_id: z.guid(),
      period: Month,
      totals: z.object({ api_calls: count, patterns: count, storage_mb: storage }),
      by_key: z.array(
        z
          .object({
            key_id: z.string().meta({
              description: '`key_` and the key’s id; `key_session` for users with an access token.',
              examples: ['key_9a740b44-4680-4f1d-b986-26ec865b0107'],
            }),
            name: z.string(),
            api_calls: count,
            percentage: z.number().meta({ description: 'Of all requests, 0 to 100.' }),
          })
          .meta({
            id: 'KeyUsage',
            description: 'Of keys that were used, revoked ones too; most used first.',
          }),
      ),
    })
    .meta({ id: 'OrganizationUsage' }),
  errors: ['organization_admin_required'],
})

export const usageDivisions = ['operation', 'key', 'subject'] as const

export const BreakDownUsage = operation({
  id: 'breakDownUsage',
  method: 'get',
  path: '/v1/usage/breakdown',
  tag,
  summary: 'What the space’s use is made of',
  description:
    'By operation and by key: requests as the summary counts them, most first. By subject: patterns that are there now, in the order of the subjects’ names, and how many of them were stored within the time; that also takes the scope `memory:read`. Requests are kept by the hour, and by the day once they are eight days old: `since` and `until` are rounded down to such an hour or day, and the answer has them so. Times that follow on each other, asked at one time, count nothing twice; one that begins and ends in the same hour or day is empty.',
  access: 'usage:read',
  query: z.object({
    by: f.queryEnum(usageDivisions, 'operation'),
    since: f.queryTimestamp().optional().meta({ description: 'The beginning of this month unless said.' }),
    until: f.queryTimestamp().optional().meta({
      description: 'No longer of it; unless said, all up to now, with the hour that has begun.',
    }),
    cursor: f.queryString(0, 1_000).optional().meta({ description: '`next_cursor` of the page before.' }),
    limit: f.queryInteger(1, limits.listMax, limits.listDefault),
  }),
  response: z
    .object({
      by: z.enum(usageDivisions),
      since: when,
      until: when.nullable(),
      total: count.meta({
        description:
          'What all items, on whichever page, come to; by subject with the patterns of no subject.',
      }),
      items: z.array(
        z
          .object({
            of: z.string().meta({
              description:
                'The operation (`store`, `retrieve`, `recall`, `explain`, `consolidate`, `other`); the key (`key_` and its id, `key_session` for users with an access token); the subject.',
              examples: ['retrieve', 'key_9a740b44-4680-4f1d-b986-26ec865b0107', 'ada'],
            }),
            name: z.string().nullable().meta({ description: 'Of a key; else null.' }),
            count: count.meta({ description: 'Requests, or by subject the patterns that are there.' }),
            percentage: z.number().meta({ description: 'Of the total, 0 to 100.' }),
            stored: count.nullable().meta({
              description: 'By subject: how many of them were stored within the time; else null.',
            }),
          })
          .meta({ id: 'UsageShare' }),
      ),
      next_cursor: z.string().nullable(),
    })
    .meta({ id: 'UsageBreakdown' }),
})
