import { Box, Group, Progress, Stack, Text, Title } from '@mantine/core'
import type { AnswerOf } from 'memory-service-sdk'
import { benchmarkedKernels as kernels } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { useNumbers, useTimes } from '../../parts/when.tsx'

type Answer = AnswerOf<'POST /v1/memory/acceleration/benchmark'>
type Timing = Answer['results'][string]

/** What a benchmark measured: for each kernel both times as bars, and their ratio. */
export function Measured({
  results,
  n_iterations: count,
  total_duration_ms: took,
  at,
}: Answer & { at: Date }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const times = useTimes()
  return (
    <Stack component="section" aria-label={t('measured')}>
      <Title order={3} size="h4">
        {t('measured')}
      </Title>
      <Text size="sm">{t('measured.text', { count, took: numbers(took / 1_000, 2), at: times(at) })}</Text>
      {kernels.map((kernel) => {
        const timing = results[kernel]
        return timing === undefined ? null : <OneKernel key={kernel} kernel={kernel} timing={timing} />
      })}
    </Stack>
  )
}

function OneKernel({ kernel, timing }: { kernel: (typeof kernels)[number]; timing: Timing }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { rust_ms: native, python_ms: javascript, speedup } = timing
  const longest = Math.max(native ?? 0, javascript, Number.MIN_VALUE)
  const bars = [
    { name: t('measured.native'), ms: native, color: undefined },
    { name: t('measured.javascript'), ms: javascript, color: 'orange.9' },
  ]
  return (
    <Stack gap={4} component="section" aria-label={t(`kernel.${kernel}`)}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t(`kernel.${kernel}`)}
        </Text>
        {speedup === null ? null : (
          <Text size="sm">{t('measured.ratio', { value: numbers(speedup, 2) })}</Text>
        )}
      </Group>
      {bars.map(({ name, ms, color }) => {
        const shown = ms === null ? t('measured.notThere') : t('measured.ms', { value: numbers(ms, 6) })
        return (
          <Box key={name}>
            <Group justify="space-between" gap="xs">
              <Text size="xs">{name}</Text>
              <Text size="xs">{shown}</Text>
            </Group>
            {ms === null ? null : (
              <Progress
                aria-label={`${name}: ${shown}`}
                value={(ms / longest) * 100}
                color={color}
                size="md"
              />
            )}
          </Box>
        )
      })}
    </Stack>
  )
}
