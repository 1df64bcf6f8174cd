import { Button, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Differences } from '../../parts/differences.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { useOnce } from '../../parts/once.ts'
import type { Pattern } from '../../parts/pattern.ts'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { When } from '../../parts/when.tsx'
import type { Change } from './undo-change.tsx'

type Version = AnswerOf<'GET /v1/memory/patterns/{pattern_id}/history'>['versions'][number]

/** What a memory was, newest first, each version with what it changed. */
export function MemoryHistory({
  pattern,
  onRevert,
}: {
  pattern: Pattern
  onRevert: (change: Change) => void
}) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const { pattern_id: id } = pattern
  const history = useInfiniteQuery({
    queryKey: ['history', ...key, id],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) => client.patterns.history(id, { cursor }, { signal }),
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  const versions = history.data?.pages.flatMap(({ versions }) => versions) ?? []
  return (
    <Stack gap="sm">
      {history.error === null ? null : <ErrorNote error={history.error} asksAgain />}
      {history.isPending && history.error === null ? <Waiting /> : null}
      {versions.map((version, i) => (
        <OneVersion
          key={version.version}
          version={version}
          before={versions[i + 1]}
          pattern={pattern}
          onRevert={onRevert}
        />
      ))}
      {history.hasNextPage ? (
        <Button
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t('history.more')}
        </Button>
      ) : null}
    </Stack>
  )
}

interface VersionProps {
  version: Version
  /** The one before it, where that is there. */
  before: Version | undefined
  pattern: Pattern
  onRevert: (change: Change) => void
}

function OneVersion({ version, before, pattern, onRevert }: VersionProps) {
  const { t } = useTranslation()
  const isNow = version.version === pattern.version
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {t('history.version', { version: version.version })} · {t(`history.change.${version.change}`)}
          </Text>
          <Text size="xs" c="dimmed">
            <When at={version.changed_at} />
          </Text>
        </Group>
        <Content version={version} before={before} />
        {before === undefined || before.redacted || version.redacted ? null : (
          <OtherChanges version={version} before={before} />
        )}
        {isNow ? <Text size="xs">{t('history.now')}</Text> : null}
        {isNow || version.redacted ? null : (
          <Revert pattern={pattern} version={version.version} onRevert={onRevert} />
        )}
      </Stack>
    </Paper>
  )
}

function Content({ version, before }: Pick<VersionProps, 'version' | 'before'>) {
  const { t } = useTranslation()
  const text = version.text ?? ''
  const old = before === undefined || before.redacted ? undefined : (before.text ?? '')
  if (version.redacted) return <Text fs="italic">{t('history.redacted')}</Text>
  if (version.text === null) return <Text fs="italic">{t('memory.vector')}</Text>
  return (
    <div dir="auto" className="stored">
      {old === undefined ? <Shown text={text} /> : <Differences old={old} text={text} />}
    </div>
  )
}

/** What is another than in the version before, beside the text. */
function OtherChanges({ version, before }: { version: Version; before: Version }) {
  const { t } = useTranslation()
  const [old, now] = [before, version].map(({ metadata }) =>
    metadata === null ? '' : JSON.stringify(metadata, null, 2),
  ) as [string, string]
  const time = (field: 'occurred_at' | 'valid_from' | 'valid_to' | 'expires_at') => {
    const [from, to] = [before[field], version[field]]
    if (from === to) return null
    return (
      <>
        {from === null ? null : (
          <del>
            <When at={from} />
          </del>
        )}{' '}
        {to === null ? null : (
          <ins>
            <When at={to} />
          </ins>
        )}
      </>
    )
  }
  const facts: Fact[] = [
    [
      t('memory.metadata'),
      old === now ? null : (
        <Code key="metadata" dir="auto" className="stored">
          <Differences old={old} text={now} />
        </Code>
      ),
    ],
    [t('history.occurredAt'), time('occurred_at')],
    [t('memory.validFrom'), time('valid_from')],
    [t('memory.validTo'), time('valid_to')],
    [t('memory.expiresAt'), time('expires_at')],
    [
      t('history.vector'),
      JSON.stringify(before.value) === JSON.stringify(version.value) ? null : t('history.vectorChanged'),
    ],
  ]
  if (facts.every(([, value]) => value === null)) return null
  return <Facts label={t('history.changes', { version: version.version })} facts={facts} />
}

function Revert({
  pattern,
  version,
  onRevert,
}: Pick<VersionProps, 'pattern' | 'onRevert'> & { version: number }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const reverting = useMutation({
    mutationFn: (before: Pattern) =>
      client.patterns.revert(before.pattern_id, { version }, { ifMatch: before.version }),
    onSuccess: async (after, before) => {
      await queryClient.invalidateQueries()
      onRevert({ before, after })
    },
  })
  const { begin } = useOnce(reverting)
  return (
    <>
      {reverting.error === null ? null : <ErrorNote error={reverting.error} />}
      <Group>
        <Button
          size="xs"
          variant="default"
          loading={reverting.isPending}
          onClick={() => begin(pattern)}
          aria-label={`${t('history.revert')}: ${t('history.version', { version })}`}
        >
          {t('history.revert')}
        </Button>
      </Group>
    </>
  )
}
