import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { MemoryCard } from '../../parts/memory-card.tsx'
import { useMemory } from '../../parts/use-place.ts'

/** As many as are shown of what would go. */
const shown = 50

/** What forgetting says that it would do. */
export type Found = AnswerOf<'DELETE /v1/memory/text/forget'>

/** What would be forgotten, and what would stay although it is similar. */
export function WouldGo({ found: { forgotten, pattern_ids: ids, kept, versions } }: { found: Found }) {
  const { t } = useTranslation()
  const reasons = new Map(kept.map(({ pattern_id, reason }) => [pattern_id, t(`forget.kept.${reason}`)]))
  return (
    <>
      <Title order={2} size="h3">
        {t('forget.wouldGo', { count: forgotten })}
      </Title>
      {ids.length === 0 ? null : <Memories ids={ids.slice(0, shown)} />}
      {ids.length > shown ? <Text>{t('forget.andMore', { count: ids.length - shown })}</Text> : null}
      {versions === undefined ? null : <Text>{t('forget.versions', { versions })}</Text>}
      {kept.length === 0 ? null : (
        <>
          <Title order={2} size="h3">
            {t('forget.wouldStay', { count: kept.length })}
          </Title>
          <Memories ids={kept.slice(0, shown).map(({ pattern_id }) => pattern_id)} reasons={reasons} />
        </>
      )}
    </>
  )
}

function Memories({ ids, reasons }: { ids: string[]; reasons?: Map<string, string> }) {
  const { client, key } = useMemory()
  const found = useQuery({
    queryKey: ['memories', ...key, 'by id', ids],
    queryFn: ({ signal }) => client.patterns.getMany({ pattern_ids: ids }, { signal }),
  })
  return (
    <Asked query={found}>
      {({ patterns }) => (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {patterns.flatMap((pattern) =>
            pattern === null ? (
              []
            ) : (
              <MemoryCard key={pattern.pattern_id} memory={pattern}>
                {reasons?.has(pattern.pattern_id) ? (
                  <Text size="xs">{reasons.get(pattern.pattern_id)}</Text>
                ) : null}
              </MemoryCard>
            ),
          )}
        </Stack>
      )}
    </Asked>
  )
}
