import { Code, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError, errorDetails, type MemoryClient } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { ExportMemories } from '../../parts/export-memories.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Part } from '../../parts/part.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { EraseSubject } from './erase-subject.tsx'

const route = getRouteApi('/inside/subjects/one')

/** One end user: what is stored, to be had and to be erased. */
export function Subject() {
  const { t } = useTranslation()
  const { of: subject } = route.useSearch()
  return (
    <Page title={t('subject.title')} text={t('subject.text')}>
      <Text component="div">
        <Code dir="auto" className="stored" fz="md">
          <Shown text={subject} />
        </Code>
      </Text>
      <Stored subject={subject} />
      <Part title={t('data.export.title')}>
        <Text>{t('data.export.text')}</Text>
        <ExportMemories selection={{ subject }} name="memories-of-subject.ndjson" />
      </Part>
      <Part title={t('subject.erase')}>
        <Text>{t('subject.eraseText')}</Text>
        {/* What would go of one is not what would go of another. */}
        <EraseSubject key={subject} subject={subject} />
      </Part>
    </Page>
  )
}

/** Whether a name would be taken for a step from folder to folder in an address, so that nothing can be asked for by it there. */
const isStep = (subject: string) => subject === '.' || subject === '..'

/** What the list of all subjects says of one, which is less: it comes first of those whose names begin so. */
async function listed(client: MemoryClient, subject: string, signal: AbortSignal) {
  const [first] = (await client.subjects.list({ prefix: subject, limit: 1 }, { signal })).subjects
  return first?.subject === subject ? { ...first, texts: null, queries_this_month: null } : null
}

function Stored({ subject }: { subject: string }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const stored = useQuery({
    queryKey: ['subjects', ...key, 'one', subject],
    queryFn: async ({ signal }) => {
      try {
        return isStep(subject)
          ? await listed(client, subject, signal)
          : await client.subjects.get(subject, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.detail === errorDetails.subject_not_found) return null
        throw error
      }
    },
  })
  return (
    <Asked query={stored}>
      {(found) =>
        found === null ? (
          <Nothing title={t('subject.none')}>
            <ButtonLink to="/subjects">{t('subjects.title')}</ButtonLink>
          </Nothing>
        ) : (
          <>
            <SimpleGrid minColWidth="10rem">
              <Figure
                name={t('subjects.memories')}
                value={numbers(found.patterns)}
                note={found.texts === null ? undefined : t('subject.texts', { count: found.texts })}
              />
              <Figure
                name={t('overview.storage')}
                value={t('overview.mb', { value: numbers(found.bytes / 1_000_000, 4) })}
              />
              {found.queries_this_month === null ? null : (
                <Figure name={t('subject.queries')} value={numbers(found.queries_this_month)} />
              )}
            </SimpleGrid>
            <Text size="sm">
              {t('subject.first')} <When at={found.first_stored_at} /> · {t('subjects.last')}{' '}
              <When at={found.last_stored_at} />
            </Text>
            <Group>
              <ButtonLink variant="default" to="/memories" search={{ subject }}>
                {t('subject.memories')}
              </ButtonLink>
              <ButtonLink variant="default" to="/usage" search={{ by: 'subject' }}>
                {t('subject.usage')}
              </ButtonLink>
            </Group>
          </>
        )
      }
    </Asked>
  )
}
