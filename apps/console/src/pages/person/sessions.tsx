import { Badge, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'
import { queryClient } from '../../queries.ts'
import { signOut } from '../../session/session.ts'

type Session = AnswerOf<'GET /v1/security/sessions'>[number]

export function Sessions() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => client.security.sessions({ signal }),
  })
  const everywhere = useMutation({ mutationFn: () => signOut(true) })
  return (
    <Page
      title={t('sessions.title')}
      text={t('sessions.text')}
      actions={<Confirm label={t('sessions.endAll')} text={t('sessions.endAllText')} doing={everywhere} />}
    >
      <Asked query={sessions}>{(sessions) => <List sessions={sessions} />}</Asked>
    </Page>
  )
}

function List({ sessions }: { sessions: Session[] }) {
  const { t } = useTranslation()
  return (
    <Listing
      label={t('sessions.title')}
      verticalSpacing="sm"
      heads={[
        t('sessions.device'),
        t('sessions.address'),
        t('sessions.begun'),
        t('sessions.active'),
        t('sessions.end'),
      ]}
    >
      {sessions.map((session) => (
        <OneSession key={session.id} session={session} />
      ))}
    </Listing>
  )
}

function OneSession({ session }: { session: Session }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { id, device, client: program, ip_address: address, is_current: isCurrent } = session
  const ending = useMutation({
    mutationFn: () => client.security.revokeSession(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" dir="auto" className="stored">
          <Shown text={device} />
        </Text>
        {program === undefined ? null : (
          <Group gap="xs">
            <Badge variant="default">{t('sessions.program')}</Badge>
            <Text size="sm" dir="auto" className="stored">
              <Shown text={program} />
            </Text>
          </Group>
        )}
      </Table.Td>
      <Table.Td dir="auto" className="stored">
        {address === '' ? t('sessions.noAddress') : <Shown text={address} />}
      </Table.Td>
      <Table.Td>
        <When at={session.created_at} />
      </Table.Td>
      <Table.Td>
        <When at={session.last_active} />
      </Table.Td>
      <Table.Td>
        {isCurrent ? (
          <Badge>{t('sessions.current')}</Badge>
        ) : (
          <Confirm label={t('sessions.end')} text={t('sessions.endText')} doing={ending} />
        )}
      </Table.Td>
    </Table.Tr>
  )
}
