import { Badge, Code, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLink } from './links.tsx'
import { Shown, StoredText } from './stored-text.tsx'
import { When } from './when.tsx'

/** What lists and searches have of a memory. */
export interface Listed {
  pattern_id: string
  text: string | null
  metadata?: unknown
  subject?: string | null
  external_id?: string | null | undefined
  created_at?: string
  valid_to?: string | null | undefined
  superseded_by?: string | null | undefined
}

/** One memory of a list. */
export function MemoryCard({ memory, children }: { memory: Listed; children?: ReactNode }) {
  const { t } = useTranslation()
  const { pattern_id: id, text, created_at: createdAt } = memory
  return (
    <Paper withBorder p="sm" component="li">
      <Stack gap="xs">
        {text === null ? <Text fs="italic">{t('memory.vector')}</Text> : <StoredText text={text} isClamped />}
        <Tags memory={memory} />
        {children}
        <Group gap="sm">
          <PageLink to="/memories/$id" params={{ id }} size="sm">
            {t('memory.open')}
          </PageLink>
          {createdAt === undefined ? null : (
            <Text size="xs" c="dimmed">
              <When at={createdAt} />
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

function Tags({ memory }: { memory: Listed }) {
  const { t } = useTranslation()
  const { subject, external_id: externalId, superseded_by: by, valid_to: to, metadata } = memory
  const shown = isEmpty(metadata) ? undefined : JSON.stringify(metadata)
  return (
    <Group gap="xs">
      {subject == null ? null : <Tag label={t('memory.subject')} value={subject} />}
      {externalId == null ? null : <Tag label={t('memory.externalId')} value={externalId} />}
      {by == null ? null : <Badge variant="outline">{t('memory.superseded')}</Badge>}
      {by == null && to != null ? <Badge variant="outline">{t('memory.over')}</Badge> : null}
      {shown === undefined ? null : (
        <Code dir="auto" className="stored clamped">
          <Shown text={shown} />
        </Code>
      )}
    </Group>
  )
}

function Tag({ label, value }: { label: string; value: string }) {
  return (
    <Text size="xs">
      {label}{' '}
      <Code dir="auto" className="stored">
        <Shown text={value} />
      </Code>
    </Text>
  )
}

const isEmpty = (metadata: unknown) =>
  metadata == null || (typeof metadata === 'object' && Object.keys(metadata).length === 0)
