import { Code, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type AnswerOf, usageDivisions } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Nothing } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useDays, useNumbers } from '../../parts/when.tsx'
import type { UsageSearch } from '../../searches.ts'
import { Choice } from './choice.tsx'

type Breakdown = AnswerOf<'GET /v1/usage/breakdown'>
type Share = Breakdown['items'][number]

interface Props {
  since: Date
  search: UsageSearch
  onChange: (changed: Partial<UsageSearch>) => void
}

/** What the use of the space is made of. */
export function UsageBreakdown({ since, search, onChange }: Props) {
  const { t } = useTranslation()
  const { by = 'operation', cursor } = search
  const { client, key } = useMemory()
  const begin = since.toISOString()
  const breakdown = useQuery({
    queryKey: ['usage', ...key, 'breakdown', by, begin, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.usage.breakdown({ by, since: begin, cursor, limit: 50 }, { signal }),
  })
  return (
    <section aria-label={t('usage.breakdown')}>
      <Title order={2} size="h3" mb="xs">
        {t('usage.breakdown')}
      </Title>
      <Choice
        label={t('usage.by')}
        values={usageDivisions}
        textOf={(each) => t(`usage.by.${each}`)}
        value={by}
        onChange={(by) => onChange({ by })}
      />
      <Asked query={breakdown}>
        {(answer) => (
          <>
            {answer.items.length === 0 ? (
              <Nothing title={t(answer.by === 'subject' ? 'usage.noSubjects' : 'usage.none')} />
            ) : (
              <Shares {...answer} />
            )}
            <Pages cursor={cursor} next={answer.next_cursor} />
          </>
        )}
      </Asked>
    </section>
  )
}

function Shares({ by, items, total, since }: Breakdown) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const days = useDays()
  const isOfSubjects = by === 'subject'
  return (
    <>
      <Text size="xs" c="dimmed" my="xs">
        {t('usage.since', { since: days(new Date(since)) })}
      </Text>
      <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={t('usage.breakdown')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t(`usage.by.${by}`)}</Table.Th>
              <Table.Th ta="end">{t(isOfSubjects ? 'usage.memories' : 'usage.requests')}</Table.Th>
              <Table.Th ta="end">{t('usage.share')}</Table.Th>
              {isOfSubjects ? <Table.Th ta="end">{t('usage.stored')}</Table.Th> : null}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((share) => (
              <Table.Tr key={share.of}>
                <Table.Td>
                  <Of by={by} share={share} />
                </Table.Td>
                <Table.Td ta="end">{numbers(share.count)}</Table.Td>
                <Table.Td ta="end">{t('usage.percent', { value: numbers(share.percentage, 2) })}</Table.Td>
                {share.stored === null ? null : <Table.Td ta="end">{numbers(share.stored)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>{t(isOfSubjects ? 'usage.totalSubjects' : 'usage.total')}</Table.Th>
              <Table.Td ta="end">{numbers(total)}</Table.Td>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

const operations = ['store', 'retrieve', 'recall', 'explain', 'consolidate', 'other'] as const

function Of({ by, share: { of, name } }: { by: Breakdown['by']; share: Share }) {
  const { t } = useTranslation()
  if (by === 'operation') {
    const known = operations.find((each) => each === of)
    return known === undefined ? of : t(`usage.operation.${known}`)
  }
  if (by === 'key') {
    if (of === 'key_session') return t('usage.sessions')
    return name === null || name === '' ? (
      <>
        {t('usage.unnamed')} <Code>{of}</Code>
      </>
    ) : (
      <span dir="auto" className="stored">
        <Shown text={name} />
      </span>
    )
  }
  return (
    <PageLink to="/subjects/one" search={{ of }}>
      <Code dir="auto" className="stored" c="inherit">
        <Shown text={of} />
      </Code>
    </PageLink>
  )
}
