import { Box, Group, Progress, Stack, Table, Text } from '@mantine/core'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { MemoryCard } from '../../parts/memory-card.tsx'
import { Nothing } from '../../parts/page.tsx'
import { useNumbers } from '../../parts/when.tsx'

type Recalled = AnswerOf<'POST /v1/memory/text/recall'>
type Retrieved = AnswerOf<'POST /v1/memory/text/retrieve'>

const heads = ['semantic', 'lexical', 'associative', 'contiguity', 'salience', 'time', 'total'] as const

type Scores = Partial<Record<(typeof heads)[number], number>>

/** Results in their order, each with what it was ranked by. */
export function ScoredResults({ results }: Pick<Recalled, 'results'> | Pick<Retrieved, 'results'>) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  if (results.length === 0) return <Nothing title={t('playground.none')} />
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {results.map((result) => (
        <MemoryCard key={result.pattern_id} memory={result}>
          <Text size="xs">{t('similarity', { value: numbers(result.similarity, 3) })}</Text>
          {result.scores === undefined ? null : <ScoresOf scores={result.scores} />}
        </MemoryCard>
      ))}
    </Stack>
  )
}

function ScoresOf({ scores }: { scores: Scores }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <Box>
      {heads.map((head) => {
        const score = scores[head]
        if (score === undefined) return null
        return (
          <Group key={head} gap="xs" wrap="nowrap">
            <Text size="xs" w="6.5rem">
              {t(`head.${head}`)}
            </Text>
            <Progress
              aria-label={`${t(`head.${head}`)}: ${numbers(score, 3)}`}
              value={Math.max(0, Math.min(1, score)) * 100}
              flex={1}
            />
            <Text size="xs" w="3rem" ta="end">
              {numbers(score, 3)}
            </Text>
          </Group>
        )
      })}
    </Box>
  )
}

/** What the recall says of itself. */
export function RecallFacts({ info }: Pick<Recalled, 'info'>) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const facts = [
    [t('info.pathway'), info.pathway],
    [t('info.candidates'), numbers(info.candidates)],
    [t('info.lexicalHits'), numbers(info.lexical_hits)],
    [t('info.regime'), t(`regime.${info.regime}`)],
    [t('info.surprise'), numbers(info.surprise, 3)],
    ...(info.time === undefined ? [] : [[t('info.time'), info.time.expression]]),
    ...Object.entries(info.head_weights).map(([head, weight]) => [
      `${t('info.weight')}: ${t(`head.${head as keyof typeof info.head_weights}`)}`,
      numbers(weight, 3),
    ]),
  ] as const
  return (
    <Table aria-label={t('info.title')}>
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {name}
            </Table.Th>
            <Table.Td ta="end">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
