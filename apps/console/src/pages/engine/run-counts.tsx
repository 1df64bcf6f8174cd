import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNumbers } from '../../parts/when.tsx'

const counted = [
  'patterns_strengthened',
  'patterns_weakened',
  'consolidated',
  'compositions_discovered',
  'conflicts',
  'total_explored',
  'compositions_valid',
] as const

/** What a sleep, or an exploration, counts of what it did. */
export type Counts = Partial<Record<(typeof counted)[number], number>>

/** What a run did, in its own numbers. */
export function RunCounts({ counts }: { counts: Counts }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <Group gap="xs">
      {counted.map((name) => {
        const count = counts[name]
        if (count === undefined) return null
        return (
          <Text key={name} size="sm">
            {t(`runs.count.${name}`)}: {numbers(count)}
          </Text>
        )
      })}
    </Group>
  )
}
