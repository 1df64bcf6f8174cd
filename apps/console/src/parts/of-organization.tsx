import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { clientOf } from '../session/client.ts'
import { Asked } from './asked.tsx'
import { PageLink } from './links.tsx'
import { Nothing } from './page.tsx'
import { Shown } from './stored-text.tsx'
import { usePlace } from './use-place.ts'

/** An organization of the user's, with what the user is in it. */
export type Organization = AnswerOf<'GET /v1/organizations'>['organizations'][number]
export type Role = Organization['role']

/** Those that the user is a member of, oldest membership first. */
export function useOrganizations() {
  return useQuery({
    queryKey: ['organizations'],
    // Whatever the address names: it may be one that the user is not in, or no more.
    queryFn: ({ signal }) => clientOf({}).organizations.list({ signal }),
  })
}

/** That of the address; the oldest membership's where the address names none; undefined where the user is not in it. */
export function organizationAt(
  org: string | undefined,
  organizations: readonly Organization[],
): Organization | undefined {
  return org === undefined ? organizations[0] : organizations.find(({ id }) => id === org)
}

/** What is shown of the organization that the page is about, once it is known. */
export function OfOrganization({ children }: { children: (organization: Organization) => ReactNode }) {
  const { org } = usePlace()
  return (
    <Asked query={useOrganizations()}>
      {({ organizations }) => {
        const organization = organizationAt(org, organizations)
        return organization === undefined ? <NotIn organizations={organizations} /> : children(organization)
      }}
    </Asked>
  )
}

/** What is said of an organization that the user is not in, and the way out of it: the user's own. */
export function NotIn({ organizations }: { organizations: readonly Organization[] }) {
  const { t } = useTranslation()
  return (
    <Nothing title={t('organization.notIn')}>
      {organizations.map(({ id, name }) => (
        <PageLink key={id} to="." search={{ org: id }} className="stored" dir="auto">
          <Shown text={name} />
        </PageLink>
      ))}
    </Nothing>
  )
}

/** Whether a role manages members, keys and the organization's settings. */
export const isAdministrator = (role: Role) => role !== 'member'

/** The organization that the page is about, once it is known, where the user is in it. */
export function useOrganization(): Organization | undefined {
  const { org } = usePlace()
  return organizationAt(org, useOrganizations().data?.organizations ?? [])
}

/** Whether who is signed in is one in the organization that the page is about, as far as that is known. */
export function useIsAdministrator(): boolean {
  const organization = useOrganization()
  return organization !== undefined && isAdministrator(organization.role)
}

const roles = ['member', 'admin', 'owner'] as const satisfies Role[]

/** The roles that somebody may give to others. */
export const rolesToGive = (own: Role): readonly Role[] =>
  own === 'owner' ? roles : own === 'admin' ? ['member', 'admin'] : []
