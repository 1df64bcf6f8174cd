import { Button, Group, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type AnswerOf, userStatuses } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useProfile } from '../../parts/use-profile.ts'
import { When } from '../../parts/when.tsx'
import { FindForm } from './find-form.tsx'
import { UserActions } from './user-actions.tsx'

type User = AnswerOf<'GET /v1/admin/users'>['users'][number]

const route = getRouteApi('/inside/operators/users')

export function Users() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { search, status, of, cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const asking = useAsking(['operators', 'users'])
  const users = useQuery({
    queryKey: ['operators', 'users', search, status, of, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.admin.users({ search, status, organization_id: of, cursor, limit: 50 }, { signal }),
  })
  return (
    <Page title={t('users.title')} text={t('users.text')}>
      <FindForm
        key={search}
        label={t('users.search')}
        words={search ?? ''}
        choice={{
          label: t('users.status'),
          all: t('users.anyStatus'),
          options: userStatuses.map((value) => ({ value, label: t(`users.status.${value}`) })),
          value: status,
        }}
        onFind={(search, status) => void asking(() => navigate({ search: { search, status, of } }))}
      />
      {of === undefined ? null : (
        <Group>
          <Text className="stored">{t('users.of', { id: of })}</Text>
          <Button variant="default" size="xs" onClick={() => void navigate({ search: { search, status } })}>
            {t('users.all')}
          </Button>
        </Group>
      )}
      <Asked query={users}>
        {({ users, next_cursor: next }) => (
          <>
            {users.length === 0 ? <Nothing title={t('operators.noneSuch')} /> : <List users={users} />}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function List({ users }: { users: User[] }) {
  const { t } = useTranslation()
  const { data: me } = useProfile()
  const heads = [
    t('email'),
    t('users.name'),
    t('users.status'),
    t('users.made'),
    t('users.lastLogin'),
    t('users.do'),
  ]
  return (
    <Listing label={t('users.title')} heads={heads} minWidth={900}>
      {users.map((user) => (
        <Table.Tr key={user.id}>
          <Table.Td maw={280} className="stored">
            <PageLink to="/operators/users/$id" params={{ id: user.id }}>
              <Shown text={user.email} />
            </PageLink>
          </Table.Td>
          <Table.Td maw={220} dir="auto" className="stored">
            {user.full_name === null ? null : <Shown text={user.full_name} />}
          </Table.Td>
          <Table.Td>
            {t(`users.status.${user.status}`)}
            {user.email_verified ? null : <Text size="xs">{t('users.unverified')}</Text>}
            {user.is_platform_admin ? <Text size="xs">{t('users.admin')}</Text> : null}
          </Table.Td>
          <Table.Td>
            <When at={user.created_at} />
          </Table.Td>
          <Table.Td>
            <When at={user.last_login_at} />
          </Table.Td>
          <Table.Td>{user.id === me?.id ? t('users.you') : <UserActions user={user} />}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}
