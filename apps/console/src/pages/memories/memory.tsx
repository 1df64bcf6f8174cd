import { Badge, Button, Code, Divider, Group, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import type { Pattern } from '../../parts/pattern.ts'
import { Shown, StoredText } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { begunWay, EditMemory, SupersedeMemory } from './edit-memory.tsx'
import { MemoryHistory } from './memory-history.tsx'
import { type Change, UndoChange } from './undo-change.tsx'

const route = getRouteApi('/inside/memories/$id')

export function Memory() {
  const { t } = useTranslation()
  const { id } = route.useParams()
  const { client, key } = useMemory()
  const pattern = useQuery({
    queryKey: ['memory', ...key, id],
    queryFn: ({ signal }) => client.patterns.get(id, { signal }),
  })
  return (
    <Page title={t('memory.title')}>
      {/* By its own name another memory has a form of its own. */}
      <Asked query={pattern}>{(found) => <One key={found.pattern_id} pattern={found} />}</Asked>
    </Page>
  )
}

type Mode = 'read' | 'edit' | 'supersede'

function One({ pattern }: { pattern: Pattern }) {
  const { t } = useTranslation()
  const [mode, setMode] = useState<Mode>(() => begunWay(pattern) ?? 'read')
  const [change, setChange] = useState<Change>()
  const read = () => setMode('read')
  const isText = pattern.text !== null
  return (
    <>
      {change === undefined ? null : <UndoChange key={change.after.version} {...change} />}
      <Paper withBorder p="md">
        {mode === 'edit' ? <EditMemory pattern={pattern} onEnd={read} onChange={setChange} /> : null}
        {mode === 'supersede' ? <SupersedeMemory pattern={pattern} onEnd={read} /> : null}
        {mode !== 'read' ? null : isText ? (
          <StoredText text={pattern.text ?? ''} />
        ) : (
          <Text fs="italic">{t('memory.vector')}</Text>
        )}
      </Paper>
      {mode === 'read' ? (
        <Group>
          <Button onClick={() => setMode('edit')}>{t('memory.edit')}</Button>
          {isText && pattern.superseded_by === null ? (
            <Button variant="default" onClick={() => setMode('supersede')}>
              {t('memory.supersede')}
            </Button>
          ) : null}
          <DeleteMemory pattern={pattern} />
        </Group>
      ) : null}
      <About pattern={pattern} />
      <Divider />
      <Title order={2} size="h3">
        {t('history.title')}
      </Title>
      <MemoryHistory pattern={pattern} onRevert={setChange} />
    </>
  )
}

function DeleteMemory({ pattern }: { pattern: Pattern }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => client.patterns.delete(pattern.pattern_id, { ifMatch: pattern.version }),
    onSuccess: async () => {
      await navigate({ to: '/memories' })
      queryClient.removeQueries({ queryKey: ['memory'] })
      await queryClient.invalidateQueries()
    },
  })
  return <Confirm label={t('memory.delete')} text={t('memory.deleteText')} doing={deleting} />
}

function About({ pattern }: { pattern: Pattern }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const code = (text: string) => (
    <Code dir="auto" className="stored">
      <Shown text={text} />
    </Code>
  )
  const time = (at: string | null) => (at === null ? null : <When at={at} />)
  const other = (id: string | null) =>
    id === null ? null : (
      <PageLink to="/memories/$id" params={{ id }}>
        {id}
      </PageLink>
    )
  const facts: Fact[] = [
    [t('memory.id'), code(pattern.pattern_id)],
    [t('memory.externalId'), pattern.external_id === null ? null : code(pattern.external_id)],
    [t('memory.subject'), pattern.subject === null ? null : code(pattern.subject)],
    [
      t('memory.metadata'),
      pattern.metadata === null ? null : code(JSON.stringify(pattern.metadata, null, 2)),
    ],
    [t('memory.version'), numbers(pattern.version)],
    [t('memory.storedAt'), time(pattern.created_at)],
    [t('memory.changedAt'), time(pattern.updated_at)],
    [t('memory.validFrom'), time(pattern.valid_from)],
    [t('memory.validTo'), time(pattern.valid_to)],
    [t('memory.expiresAt'), time(pattern.expires_at)],
    [t('memory.protected'), t(pattern.protected ? 'yes' : 'no'), t('memory.protectedText')],
    [t('memory.supersedes'), other(pattern.supersedes)],
    [t('memory.supersededBy'), other(pattern.superseded_by)],
    [t('memory.used'), numbers(pattern.access_count)],
    [
      t('memory.tier'),
      <Badge key="tier" variant="default">
        {t(`tiers.${pattern.tier}`)}
      </Badge>,
    ],
  ]
  return <Facts label={t('memory.facts')} facts={facts} />
}
