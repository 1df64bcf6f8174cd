import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Listing } from '../../parts/listing.tsx'
import { isAdministrator, OfOrganization, type Organization } from '../../parts/of-organization.tsx'
import { Page } from '../../parts/page.tsx'
import { InPages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useProfile } from '../../parts/use-profile.ts'
import { Invitations } from './invitations.tsx'
import { Member } from './member.tsx'

const route = getRouteApi('/inside/members')

export function Members() {
  const { t } = useTranslation()
  const profile = useProfile()
  return (
    <Page title={t('members.title')} text={t('members.text')}>
      <OfOrganization>
        {(organization) => (
          <>
            {/* Nobody is offered to remove themselves before it is known who they are. */}
            <Asked query={profile}>
              {(me) => <List key={organization.id} organization={organization} me={me.id} />}
            </Asked>
            {isAdministrator(organization.role) ? (
              <Invitations key={`of ${organization.id}`} organization={organization} />
            ) : (
              <Text>{t('members.notAdmin')}</Text>
            )}
          </>
        )}
      </OfOrganization>
    </Page>
  )
}

function List({ organization, me }: { organization: Organization; me: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { page } = route.useSearch()
  const members = useQuery({
    queryKey: ['members', organization.id],
    queryFn: ({ signal }) => client.organizations.members(organization.id, { signal }),
  })
  return (
    <>
      <Title order={2} size="h3">
        {t('members.list')}
      </Title>
      <Asked query={members}>
        {({ members }) => (
          <InPages items={members} page={page} parameter="page">
            {(shown) => (
              <Listing
                label={t('members.list')}
                verticalSpacing="sm"
                heads={[t('members.who'), t('members.role'), t('members.joined'), t('members.remove')]}
              >
                {shown.map((member) => (
                  <Member
                    // With another role it begins anew.
                    key={`${member.user_id} ${member.role}`}
                    member={member}
                    organization={organization}
                    isMe={member.user_id === me}
                  />
                ))}
              </Listing>
            )}
          </InPages>
        )}
      </Asked>
    </>
  )
}
