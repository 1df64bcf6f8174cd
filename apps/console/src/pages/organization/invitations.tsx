import { Alert, Button, NativeSelect, Paper, Stack, Table, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { type Organization, type Role, rolesToGive } from '../../parts/of-organization.tsx'
import { Nothing } from '../../parts/page.tsx'
import { InPages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'
import { queryClient } from '../../queries.ts'

const route = getRouteApi('/inside/members')

type Invitation = AnswerOf<'GET /v1/organizations/{org_id}/invitations'>['invitations'][number]

/** Who was invited and has not come yet, and inviting somebody. Their links are in the mails alone. */
export function Invitations({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { invitations: page } = route.useSearch()
  const invitations = useQuery({
    queryKey: ['invitations', organization.id],
    queryFn: ({ signal }) => client.organizations.invitations(organization.id, { signal }),
  })
  return (
    <>
      <Invite organization={organization} />
      <Title order={2} size="h3">
        {t('invitations.list')}
      </Title>
      <Asked query={invitations}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <Nothing title={t('invitations.none')} />
          ) : (
            <InPages items={invitations} page={page} parameter="invitations">
              {(shown) => <Pending invitations={shown} organizationId={organization.id} />}
            </InPages>
          )
        }
      </Asked>
    </>
  )
}

function Invite({ organization }: { organization: Organization }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const inviting = useMutation({
    mutationFn: () => client.organizations.invite(organization.id, { email, role }),
    onSuccess: async () => {
      setEmail('')
      await queryClient.invalidateQueries({ queryKey: ['invitations', organization.id] })
    },
  })
  const offered = rolesToGive(organization.role)
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h3">
          {t('invitations.invite')}
        </Title>
        <Form label={t('invitations.invite')} onSend={() => inviting.mutateAsync()} error={inviting.error}>
          <TextField
            {...{ name: 'email', label: t('email'), type: 'email', required: true, autoComplete: 'off' }}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <NativeSelect
            label={t('members.role')}
            description={t(`role.may.${role}`)}
            data={offered.map((value) => ({ value, label: t(`role.${value}`) }))}
            value={role}
            onChange={({ target }) => setRole(offered.find((each) => each === target.value) ?? 'member')}
          />
          {inviting.error === null ? null : <ErrorNote error={inviting.error} />}
          {inviting.data === undefined ? null : (
            <Alert variant="outline" role="status" title={t('invitations.sent')}>
              <Shown text={inviting.data.email} />
            </Alert>
          )}
          <Button type="submit" loading={inviting.isPending} style={{ alignSelf: 'flex-start' }}>
            {t('invitations.do')}
          </Button>
        </Form>
      </Stack>
    </Paper>
  )
}

function Pending({
  invitations,
  organizationId,
}: {
  invitations: readonly Invitation[]
  organizationId: string
}) {
  const { t } = useTranslation()
  return (
    <Listing
      label={t('invitations.list')}
      minWidth={600}
      verticalSpacing="sm"
      heads={[
        t('email'),
        t('members.role'),
        t('invitations.at'),
        t('invitations.until'),
        t('invitations.withdraw'),
      ]}
    >
      {invitations.map((invitation) => (
        <One key={invitation.id} invitation={invitation} organizationId={organizationId} />
      ))}
    </Listing>
  )
}

function One({ invitation, organizationId }: { invitation: Invitation; organizationId: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { id, email, role, created_at: at, expires_at: until } = invitation
  const withdrawing = useMutation({
    mutationFn: () => client.organizations.withdrawInvitation(organizationId, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['invitations', organizationId] }),
  })
  return (
    <Table.Tr>
      <Table.Td dir="auto" className="stored">
        <Shown text={email} />
      </Table.Td>
      <Table.Td>{t(`role.${role}`)}</Table.Td>
      <Table.Td>
        <When at={at} />
      </Table.Td>
      <Table.Td>
        <When at={until} />
      </Table.Td>
      <Table.Td>
        <Confirm
          label={t('invitations.withdraw')}
          text={<Shown text={t('invitations.withdrawText', { email })} />}
          doing={withdrawing}
        />
      </Table.Td>
    </Table.Tr>
  )
}
