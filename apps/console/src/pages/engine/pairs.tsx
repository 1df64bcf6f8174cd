import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Turns } from '../../parts/pages.tsx'
import type { Pattern } from '../../parts/pattern.ts'
import { StoredText } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'

/** Pairs of one page: their texts come by one request. */
const pairsOfPage = 20

/** Characters of a text that an address holds: longer ones are refused on the way, or cut. */
const addressedMax = 1_000

export interface Pair {
  /** The numbers of both in their space. */
  pair: number[]
  /** What is known of the pair. */
  about?: string
}

interface Props {
  label: string
  pairs: Pair[]
  /** From 1. */
  page: number
  /** The parameter of the address that has the page. */
  parameter: string
}

/** Pairs of memories with their texts, a page of them. */
export function Pairs({ label, pairs, page, parameter }: Props) {
  const { client, key } = useMemory()
  const shown = pairs.slice((page - 1) * pairsOfPage, page * pairsOfPage)
  const indexes = [...new Set(shown.flatMap(({ pair }) => pair))]
  const found = useQuery({
    queryKey: ['memories', ...key, 'by number', indexes],
    enabled: indexes.length > 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.patterns.getMany({ pattern_indexes: indexes }, { signal }),
  })
  if (indexes.length === 0) return null
  return (
    <Asked query={found}>
      {({ patterns }) => {
        const byIndex = new Map(patterns.map((pattern) => [pattern?.pattern_idx, pattern]))
        return (
          <>
            <Stack component="ul" aria-label={label} gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
              {shown.map(({ pair, about }) => (
                <Paper key={pair.join()} withBorder p="sm" component="li">
                  {about === undefined ? null : (
                    <Text size="sm" mb="xs">
                      {about}
                    </Text>
                  )}
                  <SimpleGrid cols={{ base: 1, sm: 2 }}>
                    {pair.map((index) => (
                      <One key={index} pattern={byIndex.get(index)} />
                    ))}
                  </SimpleGrid>
                </Paper>
              ))}
            </Stack>
            <Turns page={page} pages={Math.ceil(pairs.length / pairsOfPage)} parameter={parameter} />
          </>
        )
      }}
    </Asked>
  )
}

function One({ pattern }: { pattern: Pattern | null | undefined }) {
  const { t } = useTranslation()
  if (pattern == null) return <Text fs="italic">{t('pairs.gone')}</Text>
  const { pattern_id: id, text } = pattern
  return (
    <Stack gap="xs" miw={0}>
      {text === null ? <Text fs="italic">{t('memory.vector')}</Text> : <StoredText text={text} isClamped />}
      <Group gap="sm">
        <PageLink to="/memories/$id" params={{ id }} size="sm">
          {t('pairs.edit')}
        </PageLink>
        {text === null || text.length > addressedMax ? null : (
          <PageLink to="/forget" search={{ by: 'meaning', of: text }} size="sm">
            {t('subjects.forget')}
          </PageLink>
        )}
      </Group>
    </Stack>
  )
}
