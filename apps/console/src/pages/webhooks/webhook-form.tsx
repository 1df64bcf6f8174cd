import { Checkbox, Fieldset, Stack, Text, TextInput } from '@mantine/core'
import { notifiedEvents } from 'memory-service-sdk'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changedOf } from '../../parts/changed.ts'
import { Form } from '../../parts/form.tsx'
import type { Hook } from './webhook.ts'

export type Wanted = Pick<Hook, 'url' | 'event_types' | 'description'>

interface Props {
  label: string
  /** What it begins with. */
  given: Wanted
  onSend: (wanted: Wanted) => void
  /** When something in it was changed. */
  onEdit?: () => void
  /** What is below the fields. */
  children: ReactNode
}

/** Where a webhook leads, and what it is told of. */
export function WebhookForm({ label, given, onSend, onEdit, children }: Props) {
  const { t } = useTranslation()
  const [url, setUrl] = useState(given.url)
  const [description, setDescription] = useState(given.description ?? '')
  const [events, setEvents] = useState(given.event_types)
  const wanted = { url, event_types: events, description: description.trim() || null }
  return (
    <Form
      label={label}
      onEdit={onEdit}
      onSend={() => onSend(wanted)}
      holdsEdits={Object.keys(changedOf(given, wanted)).length > 0}
    >
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        type="url"
        required
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <TextInput
        label={t('webhooks.description')}
        dir="auto"
        maxLength={200}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
      />
      <Events events={events} onChange={setEvents} />
      {children}
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
