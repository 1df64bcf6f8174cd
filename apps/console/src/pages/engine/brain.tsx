import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Bars } from './bars.tsx'

/** In the order of the weights that the service answers. */
const heads = ['semantic', 'lexical', 'associative', 'contiguity', 'salience'] as const

/** What the space has learned to weigh, and what it expects next. */
export function Brain() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const brain = useQuery({
    queryKey: ['brain', ...key],
    queryFn: ({ signal }) => client.engine.brain({ signal }),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={t('brain')}>
      <Title order={2} size="h3">
        {t('brain')}
      </Title>
      <Text size="sm">{t('brain.text')}</Text>
      <Asked query={brain}>
        {({ head_weights: weights, surprise, temporal_predictions: next, ...rest }) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="sm" spacing="lg">
            <Bars
              label={t('brain.weights')}
              most={1}
              bars={heads.map((head, at) => ({
                name: t(`head.${head}`),
                value: weights[at] ?? 0,
                shown: numbers(weights[at] ?? 0, 3),
                about: t(`brain.about.${head}`),
              }))}
            />
            <Stack>
              <Facts
                label={t('brain')}
                facts={[
                  [t('brain.patterns'), numbers(rest.patterns_total)],
                  [t('info.surprise'), numbers(surprise, 3), t('brain.surpriseText')],
                  [t('brain.status'), t(`brain.status.${rest.consolidation_status}`)],
                ]}
              />
              {next.length === 0 ? null : (
                <>
                  <Text size="sm" fw={600}>
                    {t('brain.next')}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t('brain.nextText')}
                  </Text>
                  {next.map(({ pattern_id: id, strength }) => (
                    <Text key={id} size="sm">
                      <PageLink to="/memories/$id" params={{ id }} style={{ overflowWrap: 'anywhere' }}>
                        {id}
                      </PageLink>{' '}
                      {numbers(strength, 3)}
                    </Text>
                  ))}
                </>
              )}
            </Stack>
          </SimpleGrid>
        )}
      </Asked>
    </Paper>
  )
}
