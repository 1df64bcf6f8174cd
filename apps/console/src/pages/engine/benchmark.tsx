import { Button, Checkbox, Group, NumberInput, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AbortedError, benchmarkedKernels as kernels } from 'memory-service-sdk'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { useOnce } from '../../parts/once.ts'
import { useMemory } from '../../parts/use-place.ts'
import { Measured } from './measured.tsx'

/** What the operation runs unless told, and takes at most. */
const iterations = { usual: 100, most: 10_000 }

/** Times the kernels that are chosen, both ways. */
export function Benchmark() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<readonly string[]>(kernels)
  const [count, setCount] = useState<number | string>(iterations.usual)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const running = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController()
      const body = {
        operations: kernels.filter((kernel) => chosen.includes(kernel)),
        n_iterations: Number(count),
      }
      const answer = await client.engine.benchmark(body, { signal: abort.current.signal })
      return { ...answer, at: new Date() }
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['acceleration'] }),
  })
  const { data, error, isPending } = running
  // The form takes no promise of it: its button that stops the benchmark can be pressed meanwhile.
  const { begin } = useOnce(running)
  return (
    <Paper withBorder p="md" component="section" aria-label={t('benchmark')}>
      <Stack>
        <Title order={2} size="h3">
          {t('benchmark')}
        </Title>
        <Text size="sm">{t('benchmark.text')}</Text>
        <Form label={t('benchmark')} onSend={() => begin()}>
          <Checkbox.Group
            label={t('benchmark.kernels')}
            value={[...chosen]}
            onChange={(values) => setChosen(values)}
          >
            <Stack gap="xs" mt="xs">
              {kernels.map((kernel) => (
                <Checkbox
                  key={kernel}
                  value={kernel}
                  label={t(`kernel.${kernel}`)}
                  description={t(`kernel.about.${kernel}`)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <NumberInput
            label={t('benchmark.iterations')}
            w="14rem"
            required
            min={1}
            max={iterations.most}
            allowDecimal={false}
            hideControls
            value={count}
            onChange={setCount}
          />
          <Group>
            <Button type="submit" loading={isPending} disabled={chosen.length === 0}>
              {t('benchmark.run')}
            </Button>
            {isPending ? (
              <>
                <Button variant="default" onClick={() => abort.current?.abort()}>
                  {t('cancel')}
                </Button>
                <Text role="status" size="sm">
                  {t('benchmark.underWay')}
                </Text>
              </>
            ) : null}
          </Group>
        </Form>
        {error === null ? null : error instanceof AbortedError ? (
          <Text role="status">{t('benchmark.cancelled')}</Text>
        ) : (
          <ErrorNote error={error} />
        )}
        {data === undefined ? null : <Measured {...data} />}
      </Stack>
    </Paper>
  )
}
