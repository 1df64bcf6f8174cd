import { Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { auditActions } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../parts/form.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import type { AuditSearch } from '../../searches.ts'

interface Props {
  search: AuditSearch
  onSearch: (search: AuditSearch) => void
  /** Hears that all entries are asked for. */
  onAll: () => void
}

/** What narrows the audit log. */
export function AuditFilter({ search, onSearch, onAll }: Props) {
  const { t } = useTranslation()
  const [given, setGiven] = useState(search)
  const set = (changed: Partial<typeof given>) => setGiven((now) => ({ ...now, ...changed }))
  return (
    <Form label={t('audit.filter')} onSend={() => onSearch({ ...given, page: undefined })}>
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
        <NativeSelect
          label={t('audit.action')}
          data={[
            { value: '', label: t('audit.any') },
            ...auditActions.map((value) => ({ value, label: t(`audit.action.${value}`) })),
          ]}
          value={given.action ?? ''}
          onChange={({ target }) => set({ action: auditActions.find((each) => each === target.value) })}
        />
        <NativeSelect
          label={t('audit.outcome')}
          data={[
            { value: '', label: t('audit.any') },
            { value: 'true', label: t('audit.succeeded') },
            { value: 'false', label: t('audit.failed') },
          ]}
          value={given.success === undefined ? '' : String(given.success)}
          onChange={({ target }) =>
            set({ success: target.value === '' ? undefined : target.value === 'true' })
          }
        />
        <TextInput
          label={t('audit.actor')}
          value={given.actor_email ?? ''}
          onChange={({ currentTarget }) => set({ actor_email: currentTarget.value || undefined })}
        />
        <TimeField label={t('audit.since')} value={given.since} onChange={(since) => set({ since })} />
        <TimeField label={t('audit.until')} value={given.until} onChange={(until) => set({ until })} />
      </SimpleGrid>
      <Group>
        <Button type="submit">{t('audit.show')}</Button>
        <ButtonLink variant="default" to="." search={{}} onClick={onAll}>
          {t('audit.all')}
        </ButtonLink>
      </Group>
    </Form>
  )
}

interface TimeProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A time in the reader's zone, as an address has it: in that of Greenwich. */
function TimeField({ label, value, onChange }: TimeProps) {
  const [given, setGiven] = useState(() => (value === undefined ? '' : localTime(new Date(value))))
  return (
    <TextInput
      {...{ label, type: 'datetime-local', step: 1 }}
      value={given}
      onChange={({ currentTarget }) => {
        setGiven(currentTarget.value)
        const at = new Date(currentTarget.value)
        onChange(Number.isNaN(at.getTime()) ? undefined : at.toISOString())
      }}
    />
  )
}

const two = (value: number) => String(value).padStart(2, '0')

const localTime = (at: Date) =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
