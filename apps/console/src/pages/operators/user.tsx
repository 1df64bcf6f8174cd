import { Code, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useProfile } from '../../parts/use-profile.ts'
import { When } from '../../parts/when.tsx'
import { UserActions } from './user-actions.tsx'

type Details = AnswerOf<'GET /v1/admin/users/{user_id}'>

const route = getRouteApi('/inside/operators/users/$id')

export function User() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { id } = route.useParams()
  const user = useQuery({
    queryKey: ['operators', 'users', 'one', id],
    queryFn: ({ signal }) => client.admin.getUser(id, { signal }),
  })
  return (
    <Page title={t('users.one')}>
      <Asked query={user}>{(user) => <Known user={user} />}</Asked>
    </Page>
  )
}

function Known({ user }: { user: Details }) {
  const { t } = useTranslation()
  const { data: me } = useProfile()
  const yesOrNo = (is: boolean) => t(is ? 'yes' : 'no')
  const stored = (text: string) => (
    <span dir="auto" className="stored">
      <Shown text={text} />
    </span>
  )
  const facts: Fact[] = [
    [t('email'), stored(user.email)],
    [t('users.name'), user.full_name === null ? null : stored(user.full_name)],
    [t('users.id'), <Code key="id">{user.id}</Code>],
    [t('users.status'), t(`users.status.${user.status}`)],
    [t('users.verified'), yesOrNo(user.email_verified)],
    [t('users.factor'), yesOrNo(user.mfa_enabled)],
    [t('users.admin'), yesOrNo(user.is_platform_admin)],
    [t('users.made'), <When key="made" at={user.created_at} />],
    [t('users.lastLogin'), <When key="login" at={user.last_login_at} />],
  ]
  return (
    <>
      <Facts label={t('users.one')} facts={facts} />
      {user.id === me?.id ? <Text>{t('users.you')}</Text> : <UserActions user={user} />}
      <Title order={2} size="h3">
        {t('organizations.title')}
      </Title>
      {user.organizations.length === 0 ? (
        <Nothing title={t('users.noOrganizations')} />
      ) : (
        <Listing
          label={t('organizations.title')}
          heads={[t('organizations.name'), t('users.role'), t('organizations.plan')]}
          minWidth={400}
        >
          {user.organizations.map(({ id, name, role, plan }) => (
            <Table.Tr key={id}>
              <Table.Td dir="auto" className="stored">
                <PageLink to="/operators/organizations" search={{ search: id }}>
                  <Shown text={name} />
                </PageLink>
              </Table.Td>
              <Table.Td>{t(`role.${role}`)}</Table.Td>
              <Table.Td>{t(`plan.${plan}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Listing>
      )}
    </>
  )
}
