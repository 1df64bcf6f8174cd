import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Pairs } from './pairs.tsx'

/** Pairs of which a trial would tell most. */
export function Suggestions() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const suggested = useQuery({
    queryKey: ['suggestions', ...key],
    queryFn: ({ signal }) => client.engine.suggestions({ signal }),
  })
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('runs.suggestions')}
      </Title>
      <Text>{t('runs.suggestionsText')}</Text>
      <Asked query={suggested}>
        {({ suggestions }) =>
          suggestions.length === 0 ? (
            <Text fs="italic">{t('runs.noSuggestions')}</Text>
          ) : (
            <Pairs
              label={t('runs.suggestions')}
              page={1}
              parameter="suggestions"
              pairs={suggestions.map(({ pair_id: pair, expected_information_gain: gain, uncertainty }) => ({
                pair,
                about: t('runs.gain', { gain: numbers(gain, 3), uncertainty: numbers(uncertainty, 3) }),
              }))}
            />
          )
        }
      </Asked>
    </Stack>
  )
}

/** Pairs that sleep may make compositions of. @param page from 1 */
export function Candidates({ page }: { page: number }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const numbers = useNumbers()
  const found = useQuery({
    queryKey: ['candidates', ...key],
    queryFn: ({ signal }) => client.engine.consolidationCandidates({ min_priority: 0 }, { signal }),
  })
  return (
    <Stack>
      <Title order={2} size="h3">
        {t('runs.candidates')}
      </Title>
      <Text>{t('runs.candidatesText')}</Text>
      <Asked query={found}>
        {({ candidates }) =>
          candidates.length === 0 ? (
            <Text fs="italic">{t('runs.noCandidates')}</Text>
          ) : (
            <Pairs
              label={t('runs.candidates')}
              page={page}
              parameter="candidates"
              pairs={candidates.map(({ pair_id: pair, priority, times_validated: count }) => ({
                pair,
                about: t('runs.priority', { priority: numbers(priority, 3), count }),
              }))}
            />
          )
        }
      </Asked>
    </Stack>
  )
}
