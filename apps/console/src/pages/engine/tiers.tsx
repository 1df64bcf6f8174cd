import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Bars } from './bars.tsx'

const tiers = ['hot', 'warm', 'cold'] as const

/** How much of the space is in which tier, and which tiers answers come from. */
export function Tiers() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const distribution = useQuery({
    queryKey: ['tiers', ...key],
    queryFn: ({ signal }) => client.engine.tierDistribution({ signal }),
  })
  const statistics = useQuery({
    queryKey: ['tier stats', ...key],
    queryFn: ({ signal }) => client.engine.tierStats({ signal }),
  })
  const percent = (share: number) => t('percent', { value: numbers(share * 100, 1) })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('tiers')}>
      <Title order={2} size="h3">
        {t('tiers')}
      </Title>
      <Text size="sm">{t('tiers.text')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="lg">
        <Asked query={distribution}>
          {(counts) => (
            <Bars
              label={t('tiers.memories')}
              most={Math.max(counts.total, 1)}
              bars={tiers.map((tier) => ({
                name: t(`tiers.${tier}`),
                value: counts[tier],
                shown: t('tiers.count', { value: numbers(counts[tier]), total: numbers(counts.total) }),
                about: t(`tiers.about.${tier}`),
              }))}
            />
          )}
        </Asked>
        <Asked query={statistics}>
          {(stats) => (
            <Stack>
              <Bars
                label={t('tiers.answers')}
                most={1}
                bars={tiers.map((tier) => ({
                  name: t(`tiers.from.${tier}`),
                  value: stats[`${tier}_hit_rate`],
                  shown: percent(stats[`${tier}_hit_rate`]),
                }))}
              />
              <Facts
                label={t('tiers.moves')}
                facts={[
                  [t('tiers.accesses'), numbers(stats.total_accesses), t('tiers.accessesText')],
                  [t('tiers.promotions'), numbers(stats.promotions), t('tiers.promotionsText')],
                  [t('tiers.demotions'), numbers(stats.demotions), t('tiers.demotionsText')],
                ]}
              />
            </Stack>
          )}
        </Asked>
      </SimpleGrid>
    </Paper>
  )
}
