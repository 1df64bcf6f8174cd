import { Badge, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { isAdministrator, type Organization, type Role, rolesToGive } from '../../parts/of-organization.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'
import { queryClient } from '../../queries.ts'

type Member = AnswerOf<'GET /v1/organizations/{org_id}/members'>['members'][number]

interface Props {
  member: Member
  organization: Organization
  isMe: boolean
}

/** One member, with what whoever looks may do about them. */
export function Member({ member, organization, isMe }: Props) {
  const { t } = useTranslation()
  const { role: own } = organization
  // Owners are changed and removed by owners alone; everybody may leave.
  const mayChange = isAdministrator(own) && (member.role !== 'owner' || own === 'owner')
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          {member.full_name === null ? null : (
            <Text size="sm" fw={600} dir="auto" className="stored">
              <Shown text={member.full_name} />
            </Text>
          )}
          <Group gap="xs">
            <Text size="sm" dir="auto" className="stored">
              <Shown text={member.email} />
            </Text>
            {isMe ? <Badge variant="default">{t('members.you')}</Badge> : null}
          </Group>
        </Stack>
      </Table.Td>
      <Table.Td>
        {mayChange ? <ChangeRole member={member} organization={organization} /> : t(`role.${member.role}`)}
      </Table.Td>
      <Table.Td>
        <When at={member.joined_at} />
      </Table.Td>
      <Table.Td>
        {isMe ? <Leave member={member} organization={organization} /> : null}
        {!isMe && mayChange ? <Remove member={member} organization={organization} /> : null}
      </Table.Td>
    </Table.Tr>
  )
}

type Of = Pick<Props, 'member' | 'organization'>

/** A choice alone changes nothing: who goes through a list by the keyboard chooses each of it. */
function ChangeRole({ member, organization }: Of) {
  const { t } = useTranslation()
  const { client } = useMemory()
  // What another makes of it meanwhile is shown, and taken back by nobody who has chosen nothing.
  const [chosen, setChosen] = useState<Role>()
  const role = chosen ?? member.role
  const changing = useMutation({
    mutationFn: () => client.organizations.updateMember(organization.id, member.user_id, { role }),
    onSuccess: async () => {
      // It may be the role of who looks.
      await queryClient.invalidateQueries({ queryKey: ['organizations'] })
      await queryClient.invalidateQueries({ queryKey: ['members', organization.id] })
      setChosen(undefined)
    },
  })
  const offered = rolesToGive(organization.role)
  return (
    <Form label={t('members.roleOf', { email: member.email })} onSend={() => changing.mutateAsync()}>
      <Group gap="xs" wrap="nowrap">
        <NativeSelect
          size="xs"
          miw="7rem"
          aria-label={t('members.roleOf', { email: member.email })}
          data={offered.map((value) => ({ value, label: t(`role.${value}`) }))}
          value={role}
          onChange={({ target }) => setChosen(offered.find((each) => each === target.value))}
        />
        {role === member.role ? null : (
          <Button type="submit" size="xs" loading={changing.isPending}>
            {t('members.change')}
          </Button>
        )}
      </Group>
      {changing.error === null ? null : <ErrorNote error={changing.error} />}
    </Form>
  )
}

function Remove({ member, organization }: Of) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const removing = useMutation({
    mutationFn: () => client.organizations.removeMember(organization.id, member.user_id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['members', organization.id] }),
  })
  const text = t('members.removeText', { email: member.email, organization: organization.name })
  return <Confirm label={t('members.remove')} text={<Shown text={text} />} doing={removing} />
}

function Leave({ member, organization }: Of) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const leaving = useMutation({
    mutationFn: () => client.organizations.removeMember(organization.id, member.user_id),
    onSuccess: async () => {
      await navigate({ to: '/', search: { org: undefined, space: undefined } })
      queryClient.removeQueries({ queryKey: ['members', organization.id] })
      await queryClient.invalidateQueries()
    },
  })
  const text = t('members.leaveText', { organization: organization.name })
  return <Confirm label={t('members.leave')} text={<Shown text={text} />} doing={leaving} />
}
