import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useDraft } from '../../parts/draft.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { LinesField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'

/** Stores a text from the page itself. @param example what the field holds at first */
export function StoreMemory({ example }: { example: string }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const queryClient = useQueryClient()
  // Untouched, it is the example in whatever language the page has by then.
  const [{ typed }, setDraft] = useDraft<{ typed?: string }>(`store ${key.join(' ')}`, {})
  const text = typed ?? example
  const storing = useMutation({
    mutationFn: () => client.text.store({ text }),
    onSuccess: async () => {
      setDraft({ typed: '' })
      await queryClient.invalidateQueries()
    },
  })
  return (
    <Form
      label={t('start.here')}
      onSend={() => storing.mutateAsync()}
      error={storing.error}
      holdsEdits={text !== '' && text !== example}
    >
      <LinesField
        {...{
          name: 'text',
          label: t('memory.text'),
          dir: 'auto',
          autosize: true,
          maxRows: 10,
          required: true,
        }}
        value={text}
        onChange={({ currentTarget }) => setDraft({ typed: currentTarget.value })}
      />
      {storing.error === null ? null : <ErrorNote error={storing.error} />}
      <Button type="submit" loading={storing.isPending} style={{ alignSelf: 'flex-start' }}>
        {t('start.storeIt')}
      </Button>
    </Form>
  )
}
