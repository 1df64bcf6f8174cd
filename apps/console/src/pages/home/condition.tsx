import { SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Figure } from '../../parts/figure.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'

/** How the service and the space are: whether it answers, and in what regime. */
export function Condition() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => client.service.ready({ signal }),
  })
  const regime = useQuery({
    queryKey: ['regime', ...key],
    queryFn: ({ signal }) => client.engine.regime({ signal }),
  })
  return (
    <section aria-label={t('overview.condition')}>
      <Title order={2} size="h3" mb="xs">
        {t('overview.condition')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Asked query={ready}>
          {({ status, version, database }) => (
            <Figure
              name={t('overview.health')}
              value={t(`overview.health.${status}`)}
              note={t(status === 'ready' ? 'overview.runs' : 'overview.degraded', {
                version,
                database: t(`overview.database.${database}`),
              })}
            />
          )}
        </Asked>
        <Asked query={regime}>
          {({ regime }) => (
            <Figure
              name={t('engine.regime')}
              value={t(`regime.${regime}`)}
              note={
                <>
                  {t(`regime.text.${regime}`)}{' '}
                  <PageLink to="/engine" underline="always">
                    {t('engine.title')}
                  </PageLink>
                </>
              }
            />
          )}
        </Asked>
      </SimpleGrid>
    </section>
  )
}

const percentiles = ['p50', 'p75', 'p90', 'p95', 'p99'] as const

/** How long the requests of a day took. */
export function Latency() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const latency = useQuery({
    queryKey: ['latency', ...key],
    queryFn: ({ signal }) => client.usage.latency({ period: '24h' }, { signal }),
  })
  return (
    <section aria-label={t('overview.latency')}>
      <Title order={2} size="h3" mb="xs">
        {t('overview.latency')}
      </Title>
      <Asked query={latency}>
        {({ percentiles: values, total_requests: count }) =>
          count === 0 ? (
            <Text>{t('overview.noRequests')}</Text>
          ) : (
            <>
              <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }}>
                {percentiles.map((percentile) => (
                  <Figure
                    key={percentile}
                    name={t('overview.percentile', { value: percentile.slice(1) })}
                    value={t('overview.ms', { value: numbers(values[percentile], 1) })}
                  />
                ))}
              </SimpleGrid>
              <Text size="xs" c="dimmed" mt="xs">
                {t('overview.latencyText', { count })}
              </Text>
            </>
          )
        }
      </Asked>
    </section>
  )
}
