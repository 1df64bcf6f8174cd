import { Group, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'
import { Candidates, Suggestions } from './explored.tsx'
import { RunList } from './run-list.tsx'
import { ExploreNow, SleepNow } from './run-now.tsx'

const route = getRouteApi('/inside/engine/runs')

/** What the space does with itself: running it now, what ran, and what would be tried next. */
export function Runs() {
  const { t } = useTranslation()
  const { kind, cursor, candidates = 1 } = route.useSearch()
  return (
    <Page title={t('runs.title')} text={t('runs.text')}>
      <Group align="flex-start">
        <SleepNow />
        <ExploreNow />
      </Group>
      <Title order={2} size="h3">
        {t('runs.list')}
      </Title>
      <RunList kind={kind} cursor={cursor} />
      <Suggestions />
      <Candidates page={candidates} />
    </Page>
  )
}
