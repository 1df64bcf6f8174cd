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
    mutationFn: () => client.text.forget({ subject, dry_run: true }),
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
          <WouldGo found={preview.data} />
          {/* Also where no memory would go: what was learned of them and kept answers are not among what is shown. */}
          <div>
            <Confirm label={t('subject.erase')} text={t('subject.eraseText')} doing={erasing} />
          </div>
        </>
      )}
    </>
  )
}
