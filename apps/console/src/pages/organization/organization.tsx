import { Button, NumberInput, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { InputOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changedOf } from '../../parts/changed.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { useDraft } from '../../parts/draft.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { isAdministrator, OfOrganization, type Organization } from '../../parts/of-organization.tsx'
import { Page } from '../../parts/page.tsx'
import { useRefused } from '../../parts/refused.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { queryClient } from '../../queries.ts'

export function OrganizationSettings() {
  const { t } = useTranslation()
  return (
    <Page title={t('organization.title')} text={t('organization.text')}>
      <OfOrganization>
        {(organization) => (
          <>
            <Settings key={organization.id} organization={organization} />
            <Plan organization={organization} />
            <Title order={2} size="h3">
              {t('organization.id')}
            </Title>
            <Text>{t('organization.idText')}</Text>
            <Copyable text={organization.id} label={t('organization.id')} />
            <PageLink to="/account">{t('organization.toAccount')}</PageLink>
          </>
        )}
      </OfOrganization>
    </Page>
  )
}

type Changes = InputOf<'PATCH /v1/organizations/{org_id}'>

/** The greatest number that the service takes for a limit. */
const limitMax = 2 ** 31 - 1

const isTooMuch = (limit: number | null) => limit !== null && limit > limitMax

function Settings({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  // What somebody types stays when the organization is asked for anew: the form begins anew after it was saved, and only then.
  const [begun, setBegun] = useState({ organization, saves: 0 })
  const onSaved = (saved: Organization) => setBegun({ organization: saved, saves: begun.saves + 1 })
  if (isAdministrator(organization.role)) {
    return <Change key={begun.saves} organization={begun.organization} onSaved={onSaved} />
  }
  return (
    <Stack gap="xs">
      <Text fw={600} dir="auto" className="stored">
        <Shown text={organization.name} />
      </Text>
      <Text>{t('organization.notAdmin')}</Text>
    </Stack>
  )
}

interface ChangeProps {
  organization: Organization
  onSaved: (saved: Organization) => void
}

const fieldsOf = ({ name, subject_limits: limits }: Organization) => ({
  name,
  patterns: limits.patterns,
  queries_per_day: limits.queries_per_day,
})

function Change({ organization, onSaved }: ChangeProps) {
  const { t } = useTranslation()
  const { client } = useMemory()
  // With what it began with: a draft changes nothing of what others have changed meanwhile.
  const [{ before, given }, setDraft] = useDraft(`organization ${organization.id}`, {
    before: fieldsOf(organization),
    given: fieldsOf(organization),
  })
  const saving = useMutation({
    mutationFn: (changes: Changes) => client.organizations.update(organization.id, changes),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: ['organizations'] })
      onSaved(saved)
    },
  })
  const set = (changed: Partial<typeof given>) =>
    setDraft(({ before, given }) => ({ before, given: { ...given, ...changed } }))
  const changed = changedOf(before, given)
  const isChanged = Object.keys(changed).length > 0
  const save = () => {
    const { name, ...limits } = changed
    const hasLimits = Object.keys(limits).length > 0
    return saving.mutateAsync({
      ...(name === undefined ? {} : { name }),
      ...(hasLimits ? { subject_limits: limits } : {}),
    })
  }
  return (
    <Paper withBorder p="md">
      <Form label={t('organization.title')} onSend={save} error={saving.error} holdsEdits={isChanged}>
        <TextField
          {...{ name: 'name', label: t('organization.name'), dir: 'auto', required: true }}
          value={given.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <LimitField
          name="subject_limits.patterns"
          label={t('organization.subject.patterns')}
          value={given.patterns}
          onChange={(patterns) => set({ patterns })}
        />
        <LimitField
          name="subject_limits.queries_per_day"
          label={t('organization.subject.queries')}
          value={given.queries_per_day}
          onChange={(queries) => set({ queries_per_day: queries })}
        />
        {saving.error === null ? null : <ErrorNote error={saving.error} />}
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={!isChanged || isTooMuch(given.patterns) || isTooMuch(given.queries_per_day)}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('save')}
        </Button>
      </Form>
    </Paper>
  )
}

interface LimitProps {
  /** What the service calls it. */
  name: string
  label: string
  value: number | null
  onChange: (value: number | null) => void
}

function LimitField({ name, label, value, onChange }: LimitProps) {
  const { t } = useTranslation()
  // The field gives digits as they are written where a number would not say the same: many of them, or some after a zero.
  const [typed, setTyped] = useState<number | string>(value ?? '')
  const refused = useRefused(name)
  return (
    <NumberInput
      {...{ name, label, description: t('organization.subject.hint') }}
      {...{ allowDecimal: false, allowNegative: false, hideControls: true }}
      // What is typed stays: what is too much is told, not made another number in passing.
      {...{ clampBehavior: 'none', trimLeadingZeroesOnBlur: false }}
      error={isTooMuch(value) ? t('error.issue.less_than_equal', { most: limitMax }) : refused}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        onChange(next === '' ? null : Number(next))
      }}
    />
  )
}

function Plan({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { plan, limits, role, created_at: made } = organization
  const limit = (value: number) => (value < 0 ? t('organization.unlimited') : numbers(value))
  const facts: Fact[] = [
    [t('organization.plan'), t(`plan.${plan}`)],
    [t('organization.limit.patterns'), limit(limits.patterns)],
    [t('organization.limit.queries'), limit(limits.queries_per_day)],
    [t('organization.limit.keys'), limit(limits.api_keys)],
    [t('organization.limit.members'), limit(limits.members)],
    [t('organization.role'), t(`role.${role}`)],
    [t('organization.made'), <When key="made" at={made} />],
  ]
  return (
    <>
      <Title order={2} size="h3">
        {t('organization.plan')}
      </Title>
      <Facts label={t('organization.plan')} facts={facts} />
      <Text>{t('organization.testText')}</Text>
      <Text>{t('organization.planText')}</Text>
    </>
  )
}
