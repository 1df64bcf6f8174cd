import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ExportMemories } from '../../parts/export-memories.tsx'
import { readFilter } from '../../parts/filter.ts'
import { Narrowing } from '../../parts/narrowing.tsx'
import { Page } from '../../parts/page.tsx'
import { Part } from '../../parts/part.tsx'
import { AccountArchive } from './account-archive.tsx'
import { ImportMemories } from './import-memories.tsx'

const route = getRouteApi('/inside/data')

export function Data() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page title={t('data.title')} text={t('data.text')}>
      <Part title={t('data.export.title')}>
        <Export key={JSON.stringify([search.subject, search.filter])} {...search} />
      </Part>
      <Part title={t('data.import.title')}>
        <ImportMemories />
      </Part>
      <Part title={t('data.archive.title')}>
        <AccountArchive
          id={search.archive}
          onAsked={(archive) => navigate({ search: (before) => ({ ...before, archive }) })}
        />
      </Part>
    </Page>
  )
}

function Export({ subject: first = '', filter: given = '' }: { subject?: string; filter?: string }) {
  const { t } = useTranslation()
  const [narrowed, setNarrowed] = useState({ subject: first, filter: given })
  const { subject } = narrowed
  const { filter, isWrong } = readFilter(narrowed.filter)
  // An empty filter would export everything, which it does not look like.
  const isUseless = isWrong === true || (filter !== undefined && Object.keys(filter).length === 0)
  return (
    <>
      <Text>{t('data.export.text')}</Text>
      <Narrowing
        value={narrowed}
        onChange={(changed) => setNarrowed((before) => ({ ...before, ...changed }))}
        isWrong={isUseless}
        subjectHint={t('data.export.subjectHint')}
      />
      {isUseless ? null : (
        <ExportMemories
          name={subject === '' ? 'memories.ndjson' : 'memories-of-subject.ndjson'}
          selection={{ ...(subject === '' ? {} : { subject }), ...(filter === undefined ? {} : { filter }) }}
        />
      )}
    </>
  )
}
