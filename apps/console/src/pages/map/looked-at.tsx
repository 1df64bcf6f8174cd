import { Box, Paper, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { StoredText } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'

/** What moves over many points on its way asks for none of them. */
const settleMs = 80

/** The memory that is pointed at on a map; its text is asked for then. It is in nobody's way: what is under it is pointed at all the same. */
export function LookedAt({ id }: { id: string | undefined }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const [settled] = useDebouncedValue(id, settleMs)
  const { data: memory } = useQuery({
    queryKey: ['memory', ...key, settled],
    enabled: settled !== undefined,
    queryFn: ({ signal }) => client.patterns.get(settled ?? '', { signal }),
  })
  const isShown = memory !== undefined && memory.pattern_id === id
  return (
    <Box role="status" aria-label={t('map.looked')} className="map-looked">
      {isShown ? (
        <Paper withBorder p="sm" shadow="sm">
          {memory.text === null ? (
            <Text fs="italic">{t('memory.vector')}</Text>
          ) : (
            <StoredText text={memory.text} isClamped />
          )}
          <Text size="xs" mt={4}>
            <When at={memory.created_at} />
          </Text>
        </Paper>
      ) : null}
    </Box>
  )
}
