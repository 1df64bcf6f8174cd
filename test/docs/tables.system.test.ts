import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics, type Measured, registerReadings } from '@memory/api/ops/metrics'
import { notifiedEvents } from '@memory/shared/catalogue/notifications'
import { plans, unlimited } from '@memory/shared/catalogue/plans'
import { scopes } from '@memory/shared/catalogue/scopes'
import type { Watched } from '@memory/shared/ops/listener'
import { registerReadiness } from '@memory/shared/ops/metrics'
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

it('operating.md names metrics that there are', () => {
  const metrics = createMetrics()
  const measured = { database: {}, memory: {}, leaving: false, version: '' } as Measured & Watched
  registerReadings(metrics, measured)
  registerReadiness(metrics.registry, measured)
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
