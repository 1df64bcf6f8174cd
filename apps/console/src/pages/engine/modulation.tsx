import { Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Chart } from '../../parts/chart.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { queryClient } from '../../queries.ts'

/** The signal that the regime follows: now, what it is measured against, and its course. */
export function Modulation({ last }: { last: number }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const now = useQuery({
    queryKey: ['modulation', ...key],
    queryFn: ({ signal }) => client.engine.neuromodulation({ signal }),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('modulation')}>
      <Title order={2} size="h3">
        {t('modulation')}
      </Title>
      <Text size="sm">{t('modulation.text')}</Text>
      <Asked query={now}>
        {({ signal, gate, calibration }) => (
          <Facts
            label={t('modulation')}
            facts={[
              [t('modulation.signal'), numbers(signal, 3), t('modulation.signalText')],
              [t('modulation.gate'), numbers(gate, 3), t('modulation.gateText')],
              [t('modulation.mean'), numbers(calibration.ema_mean, 3), t('modulation.meanText')],
              [t('modulation.std'), numbers(calibration.ema_std, 3), t('modulation.stdText')],
              [
                t('modulation.calibrated'),
                <When key="calibrated" at={calibration.last_calibrated} />,
                t('modulation.calibratedText'),
              ],
            ]}
          />
        )}
      </Asked>
      <Course last={last} />
      <Calibrate />
    </Paper>
  )
}

function Course({ last }: { last: number }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const history = useQuery({
    queryKey: ['modulation history', ...key, last],
    queryFn: ({ signal }) => client.engine.neuromodulationHistory({ window: last }, { signal }),
  })
  return (
    <Asked query={history}>
      {({ signals, gates, timestamps }) =>
        timestamps.length === 0 ? null : (
          <Chart
            label={t('modulation.course')}
            times={timestamps.map((time) => new Date(time))}
            lines={[
              { name: t('modulation.signal'), values: signals },
              { name: t('modulation.gate'), values: gates },
            ]}
          />
        )
      }
    </Asked>
  )
}

function Calibrate() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const numbers = useNumbers()
  const calibrating = useMutation({
    mutationFn: () => client.engine.calibrate({}),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  const { data } = calibrating
  return (
    <Stack gap="xs" mt="sm" align="flex-start">
      <Confirm label={t('modulation.calibrate')} text={t('modulation.calibrateText')} doing={calibrating} />
      {data === undefined ? null : (
        <Text role="status" size="sm">
          {t('modulation.done', {
            before: numbers(data.previous_mean, 3),
            now: numbers(data.new_mean, 3),
          })}
        </Text>
      )}
    </Stack>
  )
}
