import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics, registerGauges } from '@memory/api/ops/metrics'
import { registerWebhookMetrics } from '@memory/identity/webhooks/metrics'
import { errors } from '@memory/shared/catalogue/errors'
import { notifiedEvents } from '@memory/shared/catalogue/notifications'
import { plans, unlimited } from '@memory/shared/catalogue/plans'
import { scopes } from '@memory/shared/catalogue/scopes'
import { registerOutboxBacklog, registerQueueMetrics } from '@memory/shared/ops/metrics'
import { systemClock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { listMigrations } from '@memory/shared/platform/database/migrations'
import { expect, it } from 'vitest'
import { root } from './workspace.ts'

const textOf = (page: string) => readFileSync(join(root, 'docs', page), 'utf8')

it('concepts.md has the plans as they are', () => {
  const show = (n: number) => (n === unlimited ? 'unlimited' : n.toLocaleString('en'))
  for (const [name, { patterns, queriesPerDay, apiKeys, members }] of Object.entries(plans)) {
    const cells = [patterns, queriesPerDay, apiKeys, members].map(show)
    expect(textOf('concepts.md')).toContain(`| ${[name, ...cells].join(' | ')} |`)
  }
})

it('accounts.md has every scope, webhooks.md every event', () => {
  for (const scope of scopes) expect(textOf('guides/accounts.md')).toContain(`\`${scope}\``)
  for (const event of notifiedEvents) expect(textOf('guides/webhooks.md')).toContain(`| \`${event}\` |`)
})

it('getting-started.md explains errors that there are', () => {
  const [, table = ''] = textOf('getting-started.md').split('## Errors that you may meet')
  const told = [...table.matchAll(/^\| (\d{3}) (.+?) \|/gm)]
  expect(told.length).toBeGreaterThan(8)
  const known = Object.values(errors).map(({ status, detail }) => `${status} ${detail}`)
  for (const [, status, details = ''] of told) {
    for (const [, detail = ''] of details.matchAll(/`([^`]+)`/g)) {
      expect(known).toContain(`${status} ${detail.replace(/: memory:write required$/, '')}`)
    }
  }
})

it('operating.md names metrics that there are', () => {
  const metrics = createMetrics()
  const size = () => ({ entries: 0, bytes: 0, count: 0 })
  registerGauges(metrics, {
    queuedTasks: () => 0,
    cachedEmbeddings: size,
    cachedPayloads: size,
    residentSpaces: size,
    residentTexts: () => 0,
  })
  const absent = () => Promise.reject(new Error('There is no queue.'))
  registerQueueMetrics(metrics.registry, { counts: absent, totals: absent })
  registerOutboxBacklog(metrics.registry, {} as Queries)
  registerWebhookMetrics(metrics.registry, { queries: {} as Queries, clock: systemClock })
  const names = metrics.registry.getMetricsAsArray().map(({ name }) => name)
  const [, section = ''] = /## Health, metrics, logs([\s\S]*?)\n## /.exec(textOf('operating.md')) ?? []
  const told = [...section.matchAll(/`(memory_\w+)`/g)].map(([, name]) => name)
  expect(told.length).toBeGreaterThan(8)
  expect(told.filter((name) => !names.includes(name as string))).toEqual([])
})

it('operating.md says of every table what bounds it, and of no other', () => {
  const [, section = ''] = textOf('operating.md').split('## What is kept, and what bounds it')
  const rows =
    section
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? []
  const named = rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  )
  const made = listMigrations().flatMap(({ statements }) =>
    [...statements.matchAll(/create table (?:if not exists )?app\.(\w+)/g)].map(([, name]) => name),
  )
  expect(named.toSorted()).toEqual([...new Set(made)].sort())
})
