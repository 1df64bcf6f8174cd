import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiErrorOf, errorDetails, type InputOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changedOf } from '../../parts/changed.ts'
import { hasDraft, useDraft } from '../../parts/draft.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { readFilter } from '../../parts/filter.ts'
import { Form } from '../../parts/form.tsx'
import type { Pattern } from '../../parts/pattern.ts'
import { LinesField, TextField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'
import type { Change } from './undo-change.tsx'

interface Props {
  pattern: Pattern
  onEnd: () => void
}

interface EditProps extends Props {
  onChange: (change: Change) => void
}

type Changes = InputOf<'PATCH /v1/memory/patterns/{pattern_id}'>

/** The ways in which a memory is given another text. */
const ways = ['edit', 'supersede'] as const
type Way = (typeof ways)[number]

/** What the form for a memory is called among drafts. */
const draftOf = (way: Way, { pattern_id: id }: Pattern) => `${way} ${id}`

/** What somebody was in the middle of when their session was ended elsewhere. */
export const begunWay = (pattern: Pattern): Way | undefined =>
  ways.find((way) => hasDraft(draftOf(way, pattern)))

const fieldsOf = ({ text, metadata, subject }: Pattern) => ({
  text: text ?? '',
  metadata: metadata === null ? '' : JSON.stringify(metadata, null, 2),
  subject: subject ?? '',
})
type Given = ReturnType<typeof fieldsOf>

/** Only what was changed is sent, and only where nobody else has changed the memory meanwhile. */
export function EditMemory({ pattern, onEnd, onChange }: EditProps) {
  const { t } = useTranslation()
  // With the memory as it was when the form was opened: the page asks for it anew, and then has what others made of it.
  const [{ opened, given }, setDraft] = useDraft(draftOf('edit', pattern), {
    opened: pattern,
    given: fieldsOf(pattern),
  })
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const [isWrong, setWrong] = useState(false)
  const saving = useMutation({
    mutationFn: (changes: Changes) =>
      client.patterns.update(opened.pattern_id, changes, { ifMatch: opened.version }),
    onSuccess: async (after) => {
      await queryClient.invalidateQueries()
      onChange({ before: opened, after })
      onEnd()
    },
  })
  const changed = changedOf(fieldsOf(opened), given)
  const isChanged = Object.keys(changed).length > 0
  const save = () => {
    const { filter: metadata, isWrong: wrong = false } = readFilter(given.metadata)
    setWrong(wrong)
    if (wrong) return undefined
    return saving.mutateAsync({
      ...(changed.text === undefined ? {} : { text: changed.text }),
      ...(changed.metadata === undefined ? {} : { metadata: metadata ?? null }),
      ...(changed.subject === undefined ? {} : { subject: changed.subject || null }),
    })
  }
  return (
    <Form label={t('memory.edit')} onSend={save} error={saving.error} holdsEdits={isChanged}>
      <Fields
        hasText={opened.text !== null}
        given={given}
        isWrong={isWrong}
        onChange={(changed) => setDraft(({ opened, given }) => ({ opened, given: { ...given, ...changed } }))}
      />
      <Ending isPending={saving.isPending} error={saving.error} isDisabled={!isChanged} onEnd={onEnd} />
    </Form>
  )
}

/** Who opens a text goes on at its end. Told as a ref: it is done once, when the field appears. */
const caretAtEnd = (field: HTMLTextAreaElement | null) =>
  field?.setSelectionRange(field.value.length, field.value.length)

interface FieldsProps {
  hasText: boolean
  given: Given
  /** Whether the metadata is none. */
  isWrong: boolean
  onChange: (changed: Partial<Given>) => void
}

function Fields({ hasText, given, isWrong, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      {hasText ? (
        <LinesField
          {...{ name: 'text', label: t('memory.text'), dir: 'auto', autosize: true, minRows: 3, maxRows: 20 }}
          {...{ autoFocus: true, ref: caretAtEnd }}
          value={given.text}
          onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
      ) : null}
      <TextField
        {...{ name: 'subject', label: t('memory.subject'), dir: 'auto', autoFocus: !hasText }}
        value={given.subject}
        onChange={({ currentTarget }) => onChange({ subject: currentTarget.value })}
      />
      <LinesField
        {...{ name: 'metadata', label: t('memory.metadata'), autosize: true, minRows: 2, maxRows: 20 }}
        error={isWrong ? t('filter.wrong') : undefined}
        value={given.metadata}
        onChange={({ currentTarget }) => onChange({ metadata: currentTarget.value })}
      />
    </>
  )
}

/** Stores a text that takes the place of another, whose validity ends. */
export function SupersedeMemory({ pattern, onEnd }: Props) {
  const { t } = useTranslation()
  const [{ opened, text }, setDraft] = useDraft(draftOf('supersede', pattern), {
    opened: pattern,
    text: pattern.text ?? '',
  })
  const { client } = useMemory()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const storing = useMutation({
    mutationFn: async () => {
      const { pattern_id: id, version, metadata, subject, expires_at, asked_protected } = opened
      // The service takes no version along with a new memory: what was changed until just before is found here.
      if ((await client.patterns.get(id)).version !== version) {
        const detail = errorDetails.version_mismatch
        throw apiErrorOf({ status: 412, detail, issues: [], requestId: undefined, retryAfterS: undefined })
      }
      return client.text.store({
        text,
        metadata: metadata as Record<string, unknown> | null,
        subject,
        expires_at,
        // What was said of the old one. Where nothing was, the new one is protected by what it says itself.
        protected: asked_protected,
        supersedes: id,
      })
    },
    onSuccess: async ({ pattern_id: id }) => {
      await queryClient.invalidateQueries()
      onEnd()
      // The form, which asks who leaves it, is still there for a moment.
      await navigate({ to: '/memories/$id', params: { id }, ignoreBlocker: true })
    },
  })
  return (
    <Form
      label={t('memory.supersede')}
      onSend={() => storing.mutateAsync()}
      error={storing.error}
      holdsEdits={text !== (opened.text ?? '')}
    >
      <LinesField
        {...{ name: 'text', label: t('memory.newText'), description: t('memory.supersedeText'), dir: 'auto' }}
        {...{ autosize: true, minRows: 3, maxRows: 20, autoFocus: true, ref: caretAtEnd }}
        value={text}
        onChange={({ currentTarget: { value } }) => setDraft({ opened, text: value })}
      />
      <Ending
        isPending={storing.isPending}
        error={storing.error}
        isDisabled={text === opened.text || text === ''}
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
