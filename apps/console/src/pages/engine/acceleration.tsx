import { Badge, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { benchmarkedKernels as kernels } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Page } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Benchmark } from './benchmark.tsx'

/** Whether native kernels compute, and how much faster they are than JavaScript, as measured. */
export function Acceleration() {
  const { t } = useTranslation()
  return (
    <Page title={t('acceleration.title')} text={t('acceleration.text')}>
      <Status />
      <Benchmark />
    </Page>
  )
}

function Status() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const status = useQuery({
    queryKey: ['acceleration', ...key],
    queryFn: ({ signal }) => client.engine.acceleration({ signal }),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('acceleration.now')}>
      <Title order={2} size="h3">
        {t('acceleration.now')}
      </Title>
      <Asked query={status}>
        {({ rust_available: isNative, speedup_factors: factors }) => (
          <Stack gap="xs" mt="xs">
            <div>
              <Badge size="lg" variant="outline">
                {t(isNative ? 'acceleration.native' : 'acceleration.javascript')}
              </Badge>
            </div>
            <Text size="sm">{t(isNative ? 'acceleration.nativeText' : 'acceleration.javascriptText')}</Text>
            {Object.keys(factors).length === 0 ? null : (
              <>
                <Text size="sm">{t('acceleration.factors')}</Text>
                <Facts
                  label={t('acceleration.now')}
                  facts={kernels.map((kernel) => [
                    t(`kernel.${kernel}`),
                    factors[kernel] === undefined
                      ? null
                      : t('acceleration.times', { value: numbers(factors[kernel], 2) }),
                    t(`kernel.about.${kernel}`),
                  ])}
                />
              </>
            )}
          </Stack>
        )}
      </Asked>
    </Paper>
  )
}
