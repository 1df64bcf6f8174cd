import { Badge, Code, Group, Paper, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../parts/confirm.tsx'
import { Differences } from '../../parts/differences.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { type Conflict, UndoResolution } from './undo-resolution.tsx'

type Conflicting = Conflict['patterns'][number]

interface Props {
  conflict: Conflict
  /** Hears what was made of it, once it is; with the conflict where that can be undone. */
  onSaid: (said: string, undoable?: Conflict) => void
}

/** Two texts side by side, with what they differ in, and what may be said of them. */
export function ConflictCard({ conflict, onSaid }: Props) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { kind, reason, similarity, patterns, status, found_at: found, resolved_at: resolved } = conflict
  const [older, newer] = patterns
  if (older === undefined || newer === undefined) return null
  const texts = { old: older.text, text: newer.text }
  return (
    <Paper withBorder p="md" component="li">
      <Stack gap="sm">
        <Group gap="sm">
          <Badge variant="outline">{t(`conflicts.kind.${kind}`)}</Badge>
          <Text size="sm">{t('similarity', { value: numbers(similarity, 3) })}</Text>
          <Text size="xs" c="dimmed">
            {t('conflicts.found')} <When at={found} />
          </Text>
        </Group>
        {reason === null ? null : <Text size="sm">{t(`conflicts.reason.${reason}`)}</Text>}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Side name={t('conflicts.older')} pattern={older} conflict={conflict}>
            <Differences {...texts} side="old" />
          </Side>
          <Side name={t('conflicts.newer')} pattern={newer} conflict={conflict}>
            <Differences {...texts} side="text" />
          </Side>
        </SimpleGrid>
        {resolved === null ? (
          <Resolve conflict={conflict} onSaid={onSaid} />
        ) : (
          <Group gap="sm">
            <Text size="sm">
              {t(`conflicts.state.${status}`)} <When at={resolved} />
            </Text>
            <UndoResolution conflict={conflict} onUndone={() => onSaid(t('conflicts.reopened'))} />
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

interface SideProps {
  name: string
  pattern: Conflicting
  conflict: Conflict
  children: React.ReactNode
}

function Side({ name, pattern, conflict: { winner }, children }: SideProps) {
  const { t } = useTranslation()
  const { pattern_id: id, subject, external_id: externalId, occurred_at: at } = pattern
  const codes = [
    [t('memory.subject'), subject],
    [t('memory.externalId'), externalId],
  ] as const
  return (
    <Stack gap="xs" component="section" aria-label={name} miw={0}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          <When at={at} />
        </Text>
        {winner === null ? null : (
          <Badge variant="outline">{t(winner === id ? 'conflicts.won' : 'memory.superseded')}</Badge>
        )}
      </Group>
      <div dir="auto" className="stored">
        {children}
      </div>
      {codes.map(([label, value]) =>
        value === null ? null : (
          <Text key={label} size="xs">
            {label}{' '}
            <Code dir="auto" className="stored">
              <Shown text={value} />
            </Code>
          </Text>
        ),
      )}
      <PageLink to="/memories/$id" params={{ id }} size="sm">
        {t('memory.open')}
      </PageLink>
    </Stack>
  )
}

const ways = ['newer', 'older', 'keep', 'dismiss'] as const
type Way = (typeof ways)[number]

/** Asks what the conflict is, and says of each answer what it does. */
function Resolve({ conflict: { conflict_id: id, patterns, kind }, onSaid }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [way, setWay] = useState<Way>(kind === 'possible_contradiction' ? 'keep' : 'newer')
  const resolving = useMutation({
    mutationFn: () => {
      if (way === 'keep' || way === 'dismiss') return client.patterns.resolveConflict(id, { resolution: way })
      const winner = patterns[way === 'newer' ? 1 : 0]?.pattern_id ?? null
      return client.patterns.resolveConflict(id, { resolution: 'supersede', winner })
    },
    onSuccess: async (resolved) => {
      onSaid(t(`conflicts.said.${way}`), resolved)
      await queryClient.invalidateQueries()
    },
  })
  return (
    <div>
      <Confirm
        label={t('conflicts.resolve')}
        color="indigo"
        doing={resolving}
        text={
          <Radio.Group
            label={t('conflicts.what')}
            value={way}
            onChange={(value) => setWay(ways.find((each) => each === value) ?? 'keep')}
          >
            <Stack gap="sm" mt="xs">
              {ways.map((each) => (
                <Radio
                  key={each}
                  value={each}
                  label={t(`conflicts.way.${each}`)}
                  description={t(`conflicts.then.${each}`)}
                />
              ))}
            </Stack>
          </Radio.Group>
        }
      />
    </div>
  )
}
