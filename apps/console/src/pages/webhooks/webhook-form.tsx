import { Checkbox, Fieldset, Stack, Text } from '@mantine/core'
import { notifiedEvents } from 'memory-service-sdk'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { changedOf } from '../../parts/changed.ts'
import { useDraft } from '../../parts/draft.ts'
import { Form } from '../../parts/form.tsx'
import { TextField } from '../../parts/text-field.tsx'
import type { Hook } from './webhook.ts'

export type Wanted = Pick<Hook, 'url' | 'event_types' | 'description'>

interface Props {
  label: string
  /** What it is called among drafts. */
  name: string
  /** What it begins with. */
  given: Wanted
  /** @param changed what of it is another than the form began with */
  onSend: (wanted: Wanted, changed: Partial<Wanted>) => unknown
  /** What went wrong when it was sent. */
  error: unknown
  /** When something in it was changed. */
  onEdit?: () => void
  /** What is below the fields. */
  children: (isChanged: boolean) => ReactNode
}

const fieldsOf = ({ url, event_types, description }: Wanted): Wanted => ({ url, event_types, description })

/** Where a webhook leads, and what it is told of. */
export function WebhookForm({ label, name, given, onSend, error, onEdit, children }: Props) {
  const { t } = useTranslation()
  // With what it began with: a draft changes nothing of what others have changed meanwhile.
  const [{ began, now }, setDraft] = useDraft(name, { began: fieldsOf(given), now: fieldsOf(given) })
  const set = (changed: Partial<Wanted>) =>
    setDraft(({ began, now }) => ({ began, now: { ...now, ...changed } }))
  const wanted = { ...now, description: now.description?.trim() || null }
  const changed = changedOf(began, wanted)
  const isChanged = Object.keys(changed).length > 0
  return (
    <Form {...{ label, error, onEdit }} onSend={() => onSend(wanted, changed)} holdsEdits={isChanged}>
      <TextField
        name="url"
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        type="url"
        required
        value={now.url}
        onChange={({ currentTarget }) => set({ url: currentTarget.value })}
      />
      <TextField
        name="description"
        label={t('webhooks.description')}
        dir="auto"
        maxLength={200}
        value={now.description ?? ''}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <Events events={now.event_types} onChange={(event_types) => set({ event_types })} />
      {children(isChanged)}
    </Form>
  )
}

type Chosen = Wanted['event_types']

function Events({ events, onChange }: { events: Chosen; onChange: (events: Chosen) => void }) {
  const { t } = useTranslation()
  const toggle = (event: (typeof notifiedEvents)[number], isOn: boolean) => {
    const others = (events ?? []).filter((each) => each !== event)
    onChange(isOn ? [...others, event] : others)
  }
  return (
    <Fieldset legend={t('webhooks.events')}>
      <Stack gap="xs">
        <Checkbox
          label={t('webhooks.all')}
          checked={events === null}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [...notifiedEvents])}
        />
        {events === null
          ? null
          : notifiedEvents.map((event) => (
              <Checkbox
                key={event}
                label={t(`event.${event}`)}
                description={<Text span>{event}</Text>}
                checked={events.includes(event)}
                onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
              />
            ))}
      </Stack>
    </Fieldset>
  )
}
