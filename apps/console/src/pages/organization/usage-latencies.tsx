import { Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { latencyPeriods } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Nothing } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Choice } from './choice.tsx'

type Period = (typeof latencyPeriods)[number]

const percentiles = ['p50', 'p95', 'p99'] as const
const operations = ['store', 'retrieve', 'recall', 'explain', 'consolidate'] as const

/** How long requests took: percentiles, by operation. */
export function UsageLatencies({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const latency = useQuery({
    queryKey: ['usage', ...key, 'latency', period],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.usage.latency({ period }, { signal }),
  })
  const shown = (ms: number) => t('usage.ms', { value: numbers(ms, ms < 10 ? 2 : 0) })
  return (
    <section aria-label={t('usage.latency')}>
      <Title order={2} size="h3">
        {t('usage.latency')}
      </Title>
      <Text size="sm" mb="xs">
        {t('usage.latencyText')}
      </Text>
      <Choice
        label={t('usage.period')}
        values={latencyPeriods}
        textOf={(each) => t(`usage.latency.${each}`)}
        value={period}
        onChange={onChange}
      />
      <Asked query={latency}>
        {({ total_requests: total, percentiles: ofAll, by_operation: each }) => {
          // Of operations that nobody asked for there is nothing to say: 0 is no time.
          const rows = operations.filter((name) => each[name].p99 > 0)
          return total === 0 ? (
            <Nothing title={t('usage.noLatency')} />
          ) : (
            <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table aria-label={t('usage.latency')}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('usage.by.operation')}</Table.Th>
                    {percentiles.map((name) => (
                      <Table.Th key={name} ta="end">
                        {name}
                      </Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rows.map((name) => (
                    <Table.Tr key={name}>
                      <Table.Td>{t(`usage.operation.${name}`)}</Table.Td>
                      {percentiles.map((p) => (
                        <Table.Td key={p} ta="end">
                          {shown(each[name][p])}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                  <Table.Tr>
                    <Table.Th>{t('usage.operation.all')}</Table.Th>
                    {percentiles.map((p) => (
                      <Table.Td key={p} ta="end">
                        {shown(ofAll[p])}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }}
      </Asked>
    </section>
  )
}
