import { Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf, MemoryClient } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useMemory } from '../../parts/use-place.ts'

export type Conflict = AnswerOf<'GET /v1/memory/conflicts'>['conflicts'][number]

interface Props {
  conflict: Conflict
  /** Hears that the conflict is open again. */
  onUndone: () => void
}

/** Takes back what was said of a conflict. */
export function UndoResolution({ conflict, onUndone }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const undoing = useMutation({
    mutationFn: async () => {
      await revertLoser(client, conflict)
      return client.patterns.reopenConflict(conflict.conflict_id)
    },
    onSuccess: onUndone,
    onSettled: () => queryClient.invalidateQueries(),
  })
  return (
    <Stack gap="xs" align="flex-start">
      <ActButton variant="default" size="xs" doing={undoing}>
        {t('undo')}
      </ActButton>
      {undoing.error === null ? null : <ErrorNote error={undoing.error} />}
    </Stack>
  )
}

/**
 * Makes the memory whose place another one took what it was before. One that was changed since is left: to go back would
 * undo that change too, and the service then says that the conflict is not open again.
 */
async function revertLoser(client: MemoryClient, { winner, patterns }: Conflict): Promise<void> {
  const loser = patterns.find(({ pattern_id: id }) => id !== winner)
  if (winner === null || loser === undefined) return
  const { pattern_id: id } = loser
  const [latest, before] = (await client.patterns.history(id, { limit: 2 })).versions
  if (latest?.change !== 'superseded' || before === undefined) return
  await client.patterns.revert(id, { version: before.version }, { ifMatch: latest.version })
}
