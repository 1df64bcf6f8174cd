import { Group, NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'
import { useNumbers } from '../../parts/when.tsx'
import { histories } from '../../searches.ts'
import { Brain } from './brain.tsx'
import { Modulation } from './modulation.tsx'
import { RegimeHistory, RegimeNow } from './regime.tsx'
import { Tiers } from './tiers.tsx'

const route = getRouteApi('/inside/engine')

/** How the space fares: what it finds new, what it weighs, and where its memories are. */
export function Engine() {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const navigate = route.useNavigate()
  const { last = histories[0] } = route.useSearch()
  return (
    <Page title={t('engine.title')} text={t('engine.text')}>
      <RegimeNow />
      <Group>
        <NativeSelect
          label={t('engine.last')}
          data={histories.map((value) => ({ value: String(value), label: numbers(value) }))}
          value={String(last)}
          onChange={({ target }) =>
            void navigate({ search: { last: histories.find((each) => String(each) === target.value) } })
          }
        />
      </Group>
      <RegimeHistory last={last} />
      <Modulation last={last} />
      <Tiers />
      <Brain />
    </Page>
  )
}
