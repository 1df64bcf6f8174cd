import { Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { Erased } from './erased.tsx'
import { WouldGo } from './would-go.tsx'

/** Erases an end user: what would go first, and a receipt after. */
export function EraseSubject({ subject }: { subject: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const preview = useMutation({
    mutationFn: () => client.patterns.deleteMany({ subject, dry_run: true }),
  })
  const erasing = useMutation({
    mutationFn: () => client.subjects.erase(subject),
    onSuccess: () => queryClient.invalidateQueries(),
  })
  if (erasing.data !== undefined) return <Erased count={erasing.data.erased} receipt={erasing.data.receipt} />
  return (
    <>
      <Group>
        <ActButton variant="default" doing={preview}>
          {t('forget.preview')}
        </ActButton>
      </Group>
      {preview.error === null ? null : <ErrorNote error={preview.error} />}
      {preview.data === undefined ? null : (
        <>
          <WouldGo count={preview.data.deleted} ids={preview.data.pattern_ids} kept={[]} />
          {preview.data.deleted === 0 ? null : (
            <div>
              <Confirm
                label={t('subject.erase')}
                text={t('forget.sure', { count: preview.data.deleted })}
                doing={erasing}
              />
            </div>
          )}
        </>
      )}
    </>
  )
}
