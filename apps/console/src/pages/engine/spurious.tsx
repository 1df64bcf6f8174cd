import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type AnswerOf, ConflictError } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Pairs } from './pairs.tsx'

const route = getRouteApi('/inside/engine/spurious')

/** Pairs of memories that a search would take for a mixture of both. */
export function Spurious() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const { page = 1 } = route.useSearch()
  const queryClient = useQueryClient()
  const [isStopped, setStopped] = useState(false)
  const queryKey = ['spurious', ...key]
  // It is asked for by the button alone: it takes seconds. Its answer stays while pages are turned.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => onceFree(() => client.engine.detectSpurious({ signal })),
  })
  const begin = () => {
    setStopped(false)
    void refetch()
  }
  const stop = () => {
    setStopped(true)
    void queryClient.cancelQueries({ queryKey })
  }
  return (
    <Page title={t('spurious.title')} text={t('spurious.text')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('spurious.runText')}</Text>
        <Group gap="xs">
          <Button loading={isFetching} onClick={begin}>
            {t(data === undefined ? 'spurious.run' : 'spurious.again')}
          </Button>
          {isFetching ? (
            <Button variant="default" onClick={stop}>
              {t('cancel')}
            </Button>
          ) : null}
        </Group>
        {isFetching ? (
          <Text role="status" size="sm">
            {t('runs.underWay')}
          </Text>
        ) : null}
        {isStopped ? <Text role="status">{t('spurious.stopped')}</Text> : null}
      </Stack>
      {error === null ? null : <ErrorNote error={error} />}
      {data === undefined ? null : <Found answer={data} page={page} />}
    </Page>
  )
}

/** One search at a time: a search that was stopped a moment ago is under way until its step ends. */
async function onceFree<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let left = 8; ; left--) {
    try {
      return await ask()
    } catch (error) {
      if (left === 0 || !(error instanceof ConflictError)) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

function Found({
  answer: { spurious_pairs: pairs, total_checked: count, spurious_rate: rate },
  page,
}: {
  answer: AnswerOf<'POST /v1/memory/explore/detect-spurious'>
  page: number
}) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  if (count === 0) return <Nothing title={t('spurious.tooFew')} />
  return (
    <>
      <Nothing title={t('spurious.checked', { count })}>
        <Text>
          {pairs.length === 0
            ? t('spurious.none')
            : t('spurious.found', { found: numbers(pairs.length), share: numbers(rate * 100, 1) })}
        </Text>
      </Nothing>
      <Pairs
        label={t('spurious.title')}
        page={page}
        parameter="page"
        pairs={pairs.map((pair) => ({ pair }))}
      />
    </>
  )
}
