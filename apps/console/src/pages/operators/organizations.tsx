import { Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { ChangePlan, type Plans } from './change-plan.tsx'
import { FindForm } from './find-form.tsx'

type Organization = AnswerOf<'GET /v1/admin/organizations'>['organizations'][number]

const route = getRouteApi('/inside/operators/organizations')

export function Organizations() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const plans = useQuery({
    queryKey: ['operators', 'plans'],
    queryFn: ({ signal }) => client.admin.plans({ signal }),
  })
  return (
    <Page title={t('organizations.title')} text={t('organizations.text')}>
      <Asked query={plans}>{({ plans }) => <Found plans={plans} />}</Asked>
    </Page>
  )
}

function Found({ plans }: { plans: Plans }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { search, cursor, ...given } = route.useSearch()
  const navigate = route.useNavigate()
  const asking = useAsking(['operators', 'organizations'])
  const plan = plans.find(({ name }) => name === given.plan)?.name
  const organizations = useQuery({
    queryKey: ['operators', 'organizations', search, plan, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.admin.organizations({ search, plan, cursor, limit: 50 }, { signal }),
  })
  return (
    <>
      <FindForm
        key={search}
        label={t('organizations.search')}
        words={search ?? ''}
        choice={{
          label: t('organizations.plan'),
          all: t('organizations.anyPlan'),
          options: plans.map(({ name }) => ({ value: name, label: t(`plan.${name}`) })),
          value: plan,
        }}
        onFind={(search, plan) => void asking(() => navigate({ search: { search, plan } }))}
      />
      <Asked query={organizations}>
        {({ organizations, next_cursor: next }) => (
          <>
            {organizations.length === 0 ? (
              <Nothing title={t('operators.noneSuch')} />
            ) : (
              <List organizations={organizations} plans={plans} />
            )}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </>
  )
}

function List({ organizations, plans }: { organizations: Organization[]; plans: Plans }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const heads = [
    t('organizations.name'),
    t('organizations.plan'),
    t('organizations.members'),
    t('organizations.memories'),
    t('organizations.storage'),
    t('organizations.made'),
    t('organizations.change'),
  ]
  return (
    <Listing label={t('organizations.title')} heads={heads} minWidth={900}>
      {organizations.map((organization) => (
        <Table.Tr key={organization.id}>
          <Table.Td maw={260}>
            <div dir="auto" className="stored">
              <Shown text={organization.name} />
            </div>
            <Text size="xs" c="dimmed">
              {organization.id}
            </Text>
          </Table.Td>
          <Table.Td>{t(`plan.${organization.plan}`)}</Table.Td>
          <Table.Td>
            <PageLink to="/operators/users" search={{ of: organization.id }}>
              {numbers(organization.members)}
            </PageLink>
          </Table.Td>
          <Table.Td>{numbers(organization.patterns)}</Table.Td>
          <Table.Td>{t('megabytes', { size: numbers(organization.storage_mb, 1) })}</Table.Td>
          <Table.Td>
            <When at={organization.created_at} />
          </Table.Td>
          <Table.Td>
            {organization.deleted_at === null ? (
              <ChangePlan organization={organization} plans={plans} />
            ) : (
              <>
                {t('organizations.deleted')} <When at={organization.deleted_at} />
              </>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}
