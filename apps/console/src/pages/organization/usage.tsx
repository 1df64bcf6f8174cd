import { SimpleGrid, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { PermissionError, usagePeriods } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Chart } from '../../parts/chart.tsx'
import { Figure } from '../../parts/figure.tsx'
import { OfOrganization } from '../../parts/of-organization.tsx'
import { Page } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import type { UsageSearch } from '../../searches.ts'
import { Choice } from './choice.tsx'
import { UsageBreakdown } from './usage-breakdown.tsx'
import { UsageLatencies } from './usage-latencies.tsx'

const route = getRouteApi('/inside/usage')

const dayMs = 24 * 3_600_000

export function Usage() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (changed: Partial<UsageSearch>) =>
    void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changed }) })
  const period = search.period ?? '30d'
  return (
    <Page title={t('usage.title')} text={t('usage.text')}>
      <Month />
      <OfOrganization>{({ id }) => <WholeOrganization id={id} />}</OfOrganization>
      <Choice
        label={t('usage.period')}
        values={usagePeriods}
        textOf={(each) => t(`usage.period.${each}`)}
        value={period}
        onChange={(period) => change({ period })}
      />
      <OverTime period={period} />
      <UsageBreakdown
        since={new Date(Math.floor(Date.now() / dayMs - Number.parseInt(period, 10) + 1) * dayMs)}
        search={search}
        onChange={change}
      />
      <UsageLatencies period={search.latency ?? '24h'} onChange={(latency) => change({ latency })} />
    </Page>
  )
}

function Month() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const usage = useQuery({
    queryKey: ['usage', ...key],
    queryFn: ({ signal }) => client.usage.summary({ signal }),
  })
  return (
    <section aria-label={t('usage.space')}>
      <Title order={2} size="h3" mb="xs">
        {t('usage.space')}
      </Title>
      <Asked query={usage}>
        {({ patterns, api_calls: calls, storage_mb: mb, rate_limit: queries }) => (
          <SimpleGrid minColWidth="10rem">
            <Figure name={t('usage.requests')} value={numbers(calls.total)} />
            <Figure
              name={t('usage.memories')}
              value={numbers(patterns.used)}
              note={patterns.limit < 0 ? undefined : t('overview.of', { limit: numbers(patterns.limit) })}
            />
            <Figure name={t('usage.storage')} value={t('overview.mb', { value: numbers(mb, 2) })} />
            <Figure
              name={t('usage.today')}
              value={numbers(queries.current)}
              note={t('usage.peak', { value: numbers(queries.peak_usage) })}
            />
          </SimpleGrid>
        )}
      </Asked>
    </section>
  )
}

/** Of both spaces; for who runs the organization. */
function WholeOrganization({ id }: { id: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const numbers = useNumbers()
  const usage = useQuery({
    queryKey: ['usage', 'organization', id],
    queryFn: ({ signal }) => client.usage.organization(id, { signal }),
  })
  if (usage.error instanceof PermissionError) {
    return (
      <Text size="sm" c="dimmed">
        {t('usage.organizationRefused')}
      </Text>
    )
  }
  return (
    <section aria-label={t('usage.organization')}>
      <Title order={2} size="h3" mb="xs">
        {t('usage.organization')}
      </Title>
      <Asked query={usage}>
        {({ totals }) => (
          <SimpleGrid minColWidth="10rem">
            <Figure name={t('usage.requests')} value={numbers(totals.api_calls)} />
            <Figure name={t('usage.memories')} value={numbers(totals.patterns)} />
            <Figure
              name={t('usage.storage')}
              value={t('overview.mb', { value: numbers(totals.storage_mb, 2) })}
            />
          </SimpleGrid>
        )}
      </Asked>
    </section>
  )
}

function OverTime({ period }: { period: NonNullable<UsageSearch['period']> }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const granularity = period === '365d' ? 'weekly' : 'daily'
  const history = useQuery({
    queryKey: ['usage', ...key, 'history', period],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.usage.history({ period, granularity }, { signal }),
  })
  return (
    <section aria-label={t('usage.overTime')}>
      <Title order={2} size="h3" mb="xs">
        {t('usage.overTime')}
      </Title>
      <Asked query={history}>
        {({ data_points: points, granularity }) => {
          const times = points.map(({ date }) => new Date(date))
          return (
            <SimpleGrid minColWidth="18rem" autoFlow="auto-fit">
              <Chart
                label={t(granularity === 'weekly' ? 'usage.callsChartWeeks' : 'usage.callsChart')}
                times={times}
                areDays
                digits={0}
                lines={[
                  { name: t('usage.allLine'), values: points.map((point) => point.api_calls) },
                  { name: t('usage.storesLine'), values: points.map((point) => point.stores) },
                  { name: t('usage.retrievesLine'), values: points.map((point) => point.retrieves) },
                ]}
              />
              <Chart
                label={t('usage.heldChart')}
                times={times}
                areDays
                digits={0}
                lines={[{ name: t('usage.memories'), values: points.map((point) => point.patterns_total) }]}
              />
            </SimpleGrid>
          )
        }}
      </Asked>
    </section>
  )
}
