import { Alert, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { conflictKinds, conflictStatuses } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import type { ConflictsSearch } from '../../searches.ts'
import { ConflictCard } from './conflict-card.tsx'
import { SleepNow } from './run-now.tsx'
import { type Conflict, UndoResolution } from './undo-resolution.tsx'

const route = getRouteApi('/inside/conflicts')

const listed = 10

/** What sleep has found to say nearly the same, or to contradict each other. */
export function Conflicts() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const { kind, state, cursor } = route.useSearch()
  const [said, setSaid] = useState<{ text: string; undoable: Conflict | undefined }>()
  const say = (text: string, undoable?: Conflict) => setSaid({ text, undoable })
  const conflicts = useQuery({
    queryKey: ['conflicts', ...key, kind, state, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.patterns.conflicts({ kind, status: state ?? 'open', cursor, limit: listed }, { signal }),
  })
  return (
    <Page title={t('conflicts.title')} text={t('conflicts.text')}>
      <Filters kind={kind} state={state} />
      {said === undefined ? null : (
        <Alert role="status" variant="outline" title={said.text}>
          {said.undoable === undefined ? null : (
            <UndoResolution
              key={said.undoable.conflict_id}
              conflict={said.undoable}
              onUndone={() => say(t('conflicts.reopened'))}
            />
          )}
        </Alert>
      )}
      <Asked query={conflicts}>
        {({ conflicts, next_cursor: next }) => (
          <>
            {conflicts.length > 0 ? null : <None isNarrowed={(kind ?? state ?? cursor) !== undefined} />}
            <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
              {conflicts.map((conflict) => (
                <ConflictCard key={conflict.conflict_id} conflict={conflict} onSaid={say} />
              ))}
            </Stack>
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function Filters({ kind, state }: Pick<ConflictsSearch, 'kind' | 'state'>) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return (
    <Group>
      <NativeSelect
        label={t('conflicts.kind')}
        data={[
          { value: '', label: t('conflicts.kind.all') },
          ...conflictKinds.map((value) => ({ value, label: t(`conflicts.kind.${value}`) })),
        ]}
        value={kind ?? ''}
        onChange={({ target }) =>
          void navigate({ search: { state, kind: conflictKinds.find((each) => each === target.value) } })
        }
      />
      <NativeSelect
        label={t('conflicts.state')}
        data={conflictStatuses.map((value) => ({ value, label: t(`conflicts.state.${value}`) }))}
        value={state ?? 'open'}
        onChange={({ target }) =>
          void navigate({
            search: {
              kind,
              state: conflictStatuses.filter((each) => each !== 'open').find((each) => each === target.value),
            },
          })
        }
      />
    </Group>
  )
}

function None({ isNarrowed }: { isNarrowed: boolean }) {
  const { t } = useTranslation()
  if (isNarrowed) return <Nothing title={t('conflicts.noneSuch')} />
  return (
    <Nothing title={t('conflicts.none')}>
      <Text>{t('conflicts.how')}</Text>
      <SleepNow />
    </Nothing>
  )
}
