import { NativeSelect, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type AnswerOf, runKinds } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import type { RunsSearch } from '../../searches.ts'
import { RunCounts } from './run-counts.tsx'

type Run = AnswerOf<'GET /v1/memory/runs'>['runs'][number]

const listed = 20

/** Sleeps and explorations of the space, newest first, with what each did. */
export function RunList({ kind, cursor }: Pick<RunsSearch, 'kind' | 'cursor'>) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const navigate = useNavigate()
  const runs = useQuery({
    queryKey: ['runs', ...key, kind, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.engine.runs({ kind, cursor, limit: listed }, { signal }),
  })
  const isNarrowed = (kind ?? cursor) !== undefined
  return (
    <Stack>
      <Text>{t('runs.listText')}</Text>
      <NativeSelect
        w="14rem"
        label={t('runs.kind')}
        data={[
          { value: '', label: t('runs.kind.all') },
          ...runKinds.map((value) => ({ value, label: t(`runs.kind.${value}`) })),
        ]}
        value={kind ?? ''}
        onChange={({ target }) => {
          const chosen = runKinds.find((each) => each === target.value)
          void navigate({
            to: '.',
            search: (before: object) => ({ ...before, kind: chosen, cursor: undefined }),
          })
        }}
      />
      <Asked query={runs}>
        {({ runs, next_cursor: next }) => (
          <>
            {runs.length === 0 ? (
              <Nothing title={t(isNarrowed ? 'runs.noneSuch' : 'runs.none')} />
            ) : (
              <List runs={runs} />
            )}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </Stack>
  )
}

function List({ runs }: { runs: Run[] }) {
  const { t } = useTranslation()
  return (
    <Listing
      label={t('runs.list')}
      heads={[t('runs.began'), t('runs.kind'), t('runs.cause'), t('runs.took'), t('runs.did')]}
    >
      {runs.map((run) => (
        <OneRun key={run.run_id} run={run} />
      ))}
    </Listing>
  )
}

function OneRun({
  run: { kind, cause, began_at: began, ended_at: ended, sleep, exploration, error },
}: {
  run: Run
}) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <Table.Tr>
      <Table.Td>
        <When at={began} />
      </Table.Td>
      <Table.Td>{t(`runs.kind.${kind}`)}</Table.Td>
      <Table.Td>{t(`runs.cause.${cause}`)}</Table.Td>
      <Table.Td>
        {ended === null
          ? t('runs.goesOn')
          : t('runs.seconds', { value: numbers((Date.parse(ended) - Date.parse(began)) / 1_000, 3) })}
      </Table.Td>
      <Table.Td>
        {error === null ? null : (
          <Text size="sm">
            {error === 'abandoned' ? t('runs.stopped') : t('runs.failed', { code: error })}
          </Text>
        )}
        <RunCounts counts={sleep ?? exploration ?? {}} />
      </Table.Td>
    </Table.Tr>
  )
}
