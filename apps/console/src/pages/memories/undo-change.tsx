import { Alert, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import type { Pattern } from '../../parts/pattern.ts'
import { useMemory } from '../../parts/use-place.ts'

/** What a memory was before it was changed from here, and what it became. */
export interface Change {
  before: Pattern
  after: Pattern
}

/** Says that a memory was changed, and makes it what it was: nothing is lost by that, since every version is kept. */
export function UndoChange({ before, after }: Change) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const undoing = useMutation({
    mutationFn: async () => {
      const { pattern_id: id, version, subject } = before
      // Only where nobody has changed it since.
      const reverted = await client.patterns.revert(id, { version }, { ifMatch: after.version })
      // Versions are not of a subject: it is set back by itself.
      if (reverted.subject !== subject) {
        await client.patterns.update(id, { subject }, { ifMatch: reverted.version })
      }
    },
    onSettled: () => queryClient.invalidateQueries(),
  })
  return (
    <Stack gap="xs">
      <Alert variant="outline" role="status" title={t(undoing.isSuccess ? 'undo.done' : 'undo.changed')}>
        {undoing.isSuccess ? null : (
          <Group>
            <ActButton variant="default" size="xs" doing={undoing}>
              {t('undo.do')}
            </ActButton>
          </Group>
        )}
      </Alert>
      {undoing.error === null ? null : <ErrorNote error={undoing.error} />}
    </Stack>
  )
}
