import { Code, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError } from 'memory-service-sdk'
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

const route = getRouteApi('/inside/subjects/$subject')

/** One end user: what is stored, to be had and to be erased. */
export function Subject() {
  const { t } = useTranslation()
  const { subject } = route.useParams()
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
        <EraseSubject subject={subject} />
      </Part>
    </Page>
  )
}

function Stored({ subject }: { subject: string }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const stored = useQuery({
    queryKey: ['subjects', ...key, 'one', subject],
    queryFn: async ({ signal }) => {
      try {
        return await client.subjects.get(subject, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
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
                note={t('subject.texts', { count: found.texts })}
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
