import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ButtonLink, PageLink } from '../../parts/links.tsx'
import { MemoryCard } from '../../parts/memory-card.tsx'
import { type Organization, organizationAt, useOrganizations } from '../../parts/of-organization.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useDays, useNumbers } from '../../parts/when.tsx'
import { Condition, Latency } from './condition.tsx'

const newest = 5

export function Overview() {
  const { t } = useTranslation()
  return (
    <Page title={t('overview.title')}>
      <Figures />
      <Condition />
      <Latency />
      <Newest />
    </Page>
  )
}

/** The last moment of a period, whose end is the first that is not in it. */
const lastOf = (end: string) => new Date(Date.parse(end) - 1)

function Figures() {
  const { t } = useTranslation()
  const { client, key, place } = useMemory()
  const days = useDays()
  const numbers = useNumbers()
  const here = organizationAt(place.org, useOrganizations().data?.organizations ?? [])
  const usage = useQuery({
    queryKey: ['usage', ...key],
    queryFn: ({ signal }) => client.usage.summary({ signal }),
  })
  const limit = (value: number) => (value < 0 ? undefined : t('overview.of', { limit: numbers(value) }))
  // What the smallest plan allows is known where the organization has it.
  const queriesNote = ({ plan, limits }: Organization) =>
    place.space === 'test' && plan !== 'free' ? t('overview.testLimit') : limit(limits.queries_per_day)
  return (
    <Asked query={usage}>
      {({ patterns, api_calls: calls, storage_mb: mb, rate_limit: queries, period }) => (
        <section aria-label={t('overview.figures')}>
          <SimpleGrid minColWidth="10rem">
            <Figure
              name={t('overview.memories')}
              value={numbers(patterns.used)}
              note={limit(patterns.limit)}
            />
            <Figure name={t('overview.stores')} value={numbers(calls.stores)} note={t('overview.month')} />
            <Figure
              name={t('overview.searches')}
              value={numbers(calls.retrieves + calls.recalls + calls.explains)}
              note={t('overview.month')}
            />
            <Figure
              name={t('overview.queries')}
              value={numbers(queries.current)}
              note={here === undefined ? undefined : queriesNote(here)}
            />
            <Figure name={t('overview.storage')} value={t('overview.mb', { value: numbers(mb, 2) })} />
          </SimpleGrid>
          <Text size="xs" c="dimmed" mt="xs">
            {t('overview.period', {
              from: days(new Date(period.start)),
              to: days(lastOf(period.end)),
            })}
          </Text>
          <PageLink to="/usage" size="xs">
            {t('overview.usage')}
          </PageLink>
        </section>
      )}
    </Asked>
  )
}

function Newest() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const memories = useQuery({
    queryKey: ['memories', ...key, 'newest'],
    queryFn: ({ signal }) => client.patterns.search({ order: '-created_at', limit: newest }, { signal }),
  })
  return (
    <>
      <Title order={2} size="h3">
        {t('overview.newest')}
      </Title>
      <Asked query={memories}>
        {({ patterns }) =>
          patterns.length === 0 ? (
            <Nothing title={t('memories.none')}>
              <ButtonLink to="/start">{t('start.title')}</ButtonLink>
            </Nothing>
          ) : (
            <>
              <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
                {patterns.map((memory) => (
                  <MemoryCard key={memory.pattern_id} memory={memory} />
                ))}
              </Stack>
              <PageLink to="/memories">{t('overview.all')}</PageLink>
            </>
          )
        }
      </Asked>
    </>
  )
}
