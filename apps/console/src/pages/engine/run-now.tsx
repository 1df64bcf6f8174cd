import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AbortedError, type CallOptions } from 'memory-service-sdk'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useOnce } from '../../parts/once.ts'
import { useMemory } from '../../parts/use-place.ts'
import { type Counts, RunCounts } from './run-counts.tsx'

interface Ran extends Counts {
  /** The regime kept it from doing anything. */
  bypassed?: true | undefined
}

/** Has the space sleep now, and says what the sleep did. */
export function SleepNow() {
  const { t } = useTranslation()
  const { client } = useMemory()
  return (
    <RunNow
      label={t('runs.sleepNow')}
      done={t('runs.slept')}
      run={(options) => client.engine.sleep({}, options)}
    />
  )
}

/** Has the space explore now, and says what that found. */
export function ExploreNow() {
  const { t } = useTranslation()
  const { client } = useMemory()
  return (
    <RunNow
      label={t('runs.exploreNow')}
      done={t('runs.explored')}
      run={async (options) => {
        const { explorations, total_explored } = await client.engine.explore({}, options)
        const valid = explorations.filter(({ composition_valid: isValid }) => isValid)
        return { total_explored, compositions_valid: valid.length }
      }}
    />
  )
}

interface Props {
  label: string
  /** What is said once it is done. */
  done: string
  run: (options: CallOptions) => Promise<Ran>
}

function RunNow({ label, done, run }: Props) {
  const { t } = useTranslation()
  const { data, error, isPending, isStopping, begin, stop } = useRun(run)
  return (
    <Stack gap="xs" align="flex-start">
      <Group gap="xs">
        <Button loading={isPending} onClick={() => begin()}>
          {label}
        </Button>
        {isPending ? (
          <Button variant="default" disabled={isStopping} onClick={stop}>
            {t('cancel')}
          </Button>
        ) : null}
      </Group>
      {isPending ? (
        <Text role="status" size="sm">
          {t(isStopping ? 'runs.stopping' : 'runs.underWay')}
        </Text>
      ) : null}
      {error instanceof AbortedError ? (
        <Alert role="status" variant="outline" title={t('runs.stopped')}>
          {t('runs.stoppedText')}
        </Alert>
      ) : null}
      {error === null || error instanceof AbortedError ? null : <ErrorNote error={error} />}
      {data === undefined ? null : (
        <Alert role="status" variant="outline" title={data.bypassed ? t('runs.bypassed') : done}>
          {data.bypassed ? t('runs.bypassedText') : <RunCounts counts={data} />}
        </Alert>
      )}
    </Stack>
  )
}

/** A run that can be stopped; leaving the page does not stop it. */
function useRun(run: Props['run']) {
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const abort = useRef<AbortController>(undefined)
  const [isStopping, setStopping] = useState(false)
  const running = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController()
      setStopping(false)
      try {
        return await run({ signal: abort.current.signal })
      } catch (error) {
        // Its end, and what it had done by then, is noted a moment later: until then the list of runs would not have it.
        if (error instanceof AbortedError) await untilIdle(() => client.engine.brain())
        throw error
      }
    },
    onSettled: () => queryClient.invalidateQueries(),
  })
  const { begin } = useOnce(running)
  const stop = () => {
    setStopping(true)
    abort.current?.abort()
  }
  return { ...running, isStopping, begin, stop }
}

/** The service sees within a step of some milliseconds that nobody waits any more. */
const endsWithin = { tries: 20, pauseMs: 250 }

/** Waits until nothing consolidates the space, for a few seconds at most: somebody else may have begun meanwhile. */
async function untilIdle(ask: () => Promise<{ consolidation_status: string }>): Promise<void> {
  for (let tries = 0; tries < endsWithin.tries; tries++) {
    const brain = await ask().catch(() => undefined)
    if (brain === undefined || brain.consolidation_status === 'idle') return
    await new Promise((resolve) => setTimeout(resolve, endsWithin.pauseMs))
  }
}
