import { Badge, Box, Paper, Progress, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Nothing } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { queryClient } from '../../queries.ts'
import { Bars } from './bars.tsx'

type History = AnswerOf<'GET /v1/memory/regime/history'>
export type Regime = History['history'][number]

const regimes = ['normal', 'high_surprise', 'anomaly', 'recovery'] as const

/** The colours of the strip, which the shares below it name. */
const colours: Record<Regime, string> = {
  normal: 'teal.8',
  high_surprise: 'orange.8',
  anomaly: 'red.9',
  recovery: 'indigo.8',
}

/** The regime that the space is in, and what follows from it. */
export function RegimeNow() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const regime = useQuery({
    queryKey: ['regime', ...key],
    queryFn: ({ signal }) => client.engine.regime({ signal }),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('engine.regime')}>
      <Title order={2} size="h3">
        {t('engine.regime')}
      </Title>
      <Text size="sm">{t('engine.regimeText')}</Text>
      <Asked query={regime}>
        {({ regime, policy_overrides: policy }) => (
          <Stack gap="xs" mt="sm">
            <div>
              <Badge size="lg" variant="outline">
                {t(`regime.${regime}`)}
              </Badge>
            </div>
            <Text>{t(`regime.text.${regime}`)}</Text>
            <Facts
              label={t('engine.policy')}
              facts={[
                [t('engine.exact'), t(policy.force_exact ? 'yes' : 'no'), t('engine.exactText')],
                [t('engine.bypass'), t(policy.bypass_consolidation ? 'yes' : 'no'), t('engine.bypassText')],
                [t('engine.rate'), numbers(policy.learning_rate_multiplier, 3), t('engine.rateText')],
              ]}
            />
          </Stack>
        )}
      </Asked>
      <InjectAnomaly />
    </Paper>
  )
}

function InjectAnomaly() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const numbers = useNumbers()
  const injecting = useMutation({
    mutationFn: () => client.engine.injectAnomaly({}),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  return (
    <Stack gap="xs" mt="sm" align="flex-start">
      <Confirm label={t('engine.inject')} text={t('engine.injectText')} doing={injecting} />
      {injecting.data === undefined ? null : (
        <Text role="status" size="sm">
          {t('engine.injected', { steps: numbers(injecting.data.burst_duration) })}
        </Text>
      )}
    </Stack>
  )
}

/** The regimes of the last steps: a strip, shares, and each stretch with when it began. */
export function RegimeHistory({ last }: { last: number }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const history = useQuery({
    queryKey: ['regime history', ...key, last],
    queryFn: ({ signal }) => client.engine.regimeHistory({ last_n: last }, { signal }),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('engine.regimeHistory')}>
      <Title order={2} size="h3">
        {t('engine.regimeHistory')}
      </Title>
      <Asked query={history}>
        {(answer) =>
          answer.history.length === 0 ? (
            <Nothing title={t('engine.noHistory')}>
              <Text>{t('engine.noHistoryText')}</Text>
            </Nothing>
          ) : (
            <Stack gap="sm">
              <Text size="sm">
                {t('engine.steps', { count: answer.history.length })}{' '}
                {t('engine.transitions', { count: answer.transitions })}
              </Text>
              <Strip stretches={stretchesOf(answer)} />
              <Bars
                label={t('engine.shares')}
                most={1}
                bars={regimes.map((regime) => ({
                  name: t(`regime.${regime}`),
                  value: answer.distribution[regime],
                  color: colours[regime],
                  shown: t('percent', { value: numbers(answer.distribution[regime] * 100, 1) }),
                }))}
              />
              <details>
                <summary>{t('chart.table')}</summary>
                <Stretches stretches={stretchesOf(answer)} />
              </details>
            </Stack>
          )
        }
      </Asked>
    </Paper>
  )
}

/** Steps in a row of one regime. */
interface Stretch {
  /** Of the first of them, in the history. */
  at: number
  regime: Regime
  steps: number
  began: string
}

function stretchesOf({ history, timestamps }: History): Stretch[] {
  const stretches: Stretch[] = []
  for (const [at, regime] of history.entries()) {
    const last = stretches.at(-1)
    if (last?.regime === regime) last.steps++
    else stretches.push({ at, regime, steps: 1, began: timestamps[at] as string })
  }
  return stretches
}

function Strip({ stretches }: { stretches: Stretch[] }) {
  const steps = stretches.reduce((sum, each) => sum + each.steps, 0)
  return (
    <Box aria-hidden="true">
      <Progress.Root size="xl" radius="sm">
        {stretches.map(({ at, regime, steps: own }) => (
          <Progress.Section key={at} value={(own / steps) * 100} color={colours[regime]} aria-hidden="true" />
        ))}
      </Progress.Root>
    </Box>
  )
}

function Stretches({ stretches }: { stretches: Stretch[] }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <Table.ScrollContainer
      minWidth={300}
      mah="20rem"
      style={{ overflow: 'auto' }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table aria-label={t('engine.regimeHistory')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('chart.time')}</Table.Th>
            <Table.Th>{t('engine.regime')}</Table.Th>
            <Table.Th>{t('engine.stepsOf')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stretches.map(({ at, regime, steps, began }) => (
            <Table.Tr key={at}>
              <Table.Td>
                <When at={began} />
              </Table.Td>
              <Table.Td>{t(`regime.${regime}`)}</Table.Td>
              <Table.Td>{numbers(steps)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
