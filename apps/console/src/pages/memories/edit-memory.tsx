import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { InputOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../parts/error-note.tsx'
import { readFilter } from '../../parts/filter.ts'
import { Form } from '../../parts/form.tsx'
import type { Pattern } from '../../parts/pattern.ts'
import { useMemory } from '../../parts/use-place.ts'
import type { Change } from './undo-change.tsx'

interface Props {
  pattern: Pattern
  onEnd: () => void
}

interface EditProps extends Props {
  onChange: (change: Change) => void
}

interface Edit {
  changes: InputOf<'PATCH /v1/memory/patterns/{pattern_id}'>
  before: Pattern
}

/** Only what was changed is sent, and only where nobody else has changed the memory meanwhile. */
export function EditMemory({ pattern, onEnd, onChange }: EditProps) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const before = {
    text: pattern.text ?? '',
    metadata: pattern.metadata === null ? '' : JSON.stringify(pattern.metadata, null, 2),
    subject: pattern.subject ?? '',
  }
  const [given, setGiven] = useState(before)
  const [isWrong, setWrong] = useState(false)
  const saving = useMutation({
    mutationFn: ({ changes, before }: Edit) =>
      client.patterns.update(before.pattern_id, changes, { ifMatch: before.version }),
    onSuccess: async (after, { before }) => {
      await queryClient.invalidateQueries()
      onChange({ before, after })
      onEnd()
    },
  })
  const save = () => {
    const { filter: metadata, isWrong: wrong = false } = readFilter(given.metadata)
    setWrong(wrong)
    if (wrong) return
    const changes = {
      ...(given.text === before.text ? {} : { text: given.text }),
      ...(given.metadata === before.metadata ? {} : { metadata: metadata ?? null }),
      ...(given.subject === before.subject ? {} : { subject: given.subject || null }),
    }
    saving.mutate({ changes, before: pattern })
  }
  const set = (changed: Partial<typeof given>) => setGiven((now) => ({ ...now, ...changed }))
  const isSame = Object.entries(before).every(([name, value]) => given[name as keyof typeof given] === value)
  return (
    <Form label={t('memory.edit')} onSend={save}>
      {pattern.text === null ? null : (
        <Textarea
          {...{ label: t('memory.text'), dir: 'auto', autosize: true, minRows: 3, maxRows: 20 }}
          value={given.text}
          onChange={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      )}
      <TextInput
        {...{ label: t('memory.subject'), dir: 'auto' }}
        value={given.subject}
        onChange={({ currentTarget }) => set({ subject: currentTarget.value })}
      />
      <Textarea
        {...{ label: t('memory.metadata'), autosize: true, minRows: 2, maxRows: 20 }}
        error={isWrong ? t('filter.wrong') : undefined}
        value={given.metadata}
        onChange={({ currentTarget }) => set({ metadata: currentTarget.value })}
      />
      <Ending isPending={saving.isPending} error={saving.error} isDisabled={isSame} onEnd={onEnd} />
    </Form>
  )
}

/** Stores a text that takes the place of another, whose validity ends. */
export function SupersedeMemory({ pattern, onEnd }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [text, setText] = useState(pattern.text ?? '')
  const storing = useMutation({
    mutationFn: () =>
      client.text.store({
        text,
        metadata: pattern.metadata as Record<string, unknown> | null,
        subject: pattern.subject,
        supersedes: pattern.pattern_id,
      }),
    onSuccess: async ({ pattern_id: id }) => {
      await queryClient.invalidateQueries()
      onEnd()
      await navigate({ to: '/memories/$id', params: { id } })
    },
  })
  return (
    <Form label={t('memory.supersede')} onSend={() => storing.mutate()}>
      <Textarea
        {...{ label: t('memory.newText'), description: t('memory.supersedeText'), dir: 'auto' }}
        {...{ autosize: true, minRows: 3, maxRows: 20 }}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Ending
        isPending={storing.isPending}
        error={storing.error}
        isDisabled={text === pattern.text || text === ''}
        onEnd={onEnd}
      />
    </Form>
  )
}

interface EndingProps {
  isPending: boolean
  error: Error | null
  isDisabled: boolean
  onEnd: () => void
}

function Ending({ isPending, error, isDisabled, onEnd }: EndingProps) {
  const { t } = useTranslation()
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      <Group>
        <Button type="submit" loading={isPending} disabled={isDisabled}>
          {t('save')}
        </Button>
        <Button variant="default" onClick={onEnd}>
          {t('cancel')}
        </Button>
      </Group>
    </>
  )
}
