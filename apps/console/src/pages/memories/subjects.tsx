import { Button, Code, Group, Table, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'

const route = getRouteApi('/inside/subjects')

export function Subjects() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const { prefix, cursor } = route.useSearch()
  const subjects = useQuery({
    queryKey: ['subjects', ...key, prefix, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.subjects.list({ prefix, cursor, limit: 50 }, { signal }),
  })
  return (
    <Page title={t('subjects.title')} text={t('subjects.text')}>
      <PrefixForm key={prefix} prefix={prefix ?? ''} />
      <Asked query={subjects}>
        {({ subjects, next_cursor: next }) => (
          <>
            {subjects.length === 0 ? <Nothing title={t('subjects.none')} /> : <List subjects={subjects} />}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function PrefixForm({ prefix }: { prefix: string }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const asking = useAsking(['subjects'])
  const [given, setGiven] = useState(prefix)
  return (
    <Form
      label={t('memories.search')}
      onSend={() => void asking(() => navigate({ search: { prefix: given || undefined } }))}
    >
      <Group align="flex-end">
        <TextInput
          label={t('subjects.prefix')}
          dir="auto"
          value={given}
          onChange={({ currentTarget }) => setGiven(currentTarget.value)}
        />
        <Button type="submit">{t('memories.do')}</Button>
      </Group>
    </Form>
  )
}

interface Subject {
  subject: string
  patterns: number
  last_stored_at: string
}

function List({ subjects }: { subjects: Subject[] }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <Listing
      label={t('subjects.title')}
      minWidth={500}
      heads={[t('memory.subject'), t('subjects.memories'), t('subjects.last'), t('forget.title')]}
    >
      {subjects.map(({ subject, patterns, last_stored_at: last }) => (
        <Table.Tr key={subject}>
          <Table.Td>
            <PageLink to="/subjects/one" search={{ of: subject }}>
              <Code dir="auto" className="stored" c="inherit">
                <Shown text={subject} />
              </Code>
            </PageLink>
          </Table.Td>
          <Table.Td>{numbers(patterns)}</Table.Td>
          <Table.Td>
            <When at={last} />
          </Table.Td>
          <Table.Td>
            <PageLink to="/forget" search={{ by: 'subject', of: subject }}>
              {t('subjects.forget')}
            </PageLink>
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}
