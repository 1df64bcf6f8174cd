import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { useOnce } from '../../parts/once.ts'
import { StoredText } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'
import type { Place } from '../../session/client.ts'
import { useWording } from './wording.ts'

/** What is known of notifications is asked for again. */
export function useNotificationsAgain() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      ['notifications', 'unread'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
    )
}

/** One notification of the list. */
export function NotificationCard({ told }: { told: Schemas['Notification'] }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const again = useNotificationsAgain()
  const reading = useMutation({ mutationFn: () => client.notifications.read(told.id), onSuccess: again })
  const { begin } = useOnce(reading)
  const deleting = useMutation({ mutationFn: () => client.notifications.delete(told.id), onSuccess: again })
  const { severity, read, created_at: at } = told
  const { title, message } = useWording()(told)
  return (
    <Paper withBorder p="sm" component="li">
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="xs">
            <Text fw={600}>{title}</Text>
            <Badge variant="default">{t(`notifications.severity.${severity}`)}</Badge>
            {read ? null : <Badge variant="default">{t('notifications.unread')}</Badge>}
          </Group>
          <Text size="xs" c="dimmed">
            <When at={at} />
          </Text>
        </Group>
        <StoredText text={message} />
        <Group gap="xs">
          <Leading told={told} title={title} onOpen={() => (read ? undefined : begin())} />
          {read ? null : (
            <ActButton variant="default" doing={reading}>
              {t('notifications.read')}
            </ActButton>
          )}
          <Confirm
            label={t('notifications.delete')}
            text={t('notifications.deleteText', { title })}
            doing={deleting}
          />
        </Group>
        {reading.error === null ? null : <ErrorNote error={reading.error} />}
      </Stack>
    </Paper>
  )
}

interface LeadingProps {
  told: Schemas['Notification']
  title: string
  onOpen: () => void
}

/** Leads to the page that the notification is about, in the space that it is of. */
function Leading({ told, title, onOpen }: LeadingProps) {
  const { t } = useTranslation()
  const { action_url: url, environment } = told
  if (url === null) return null
  // The service names pages of the console, which a test holds it to.
  const { pathname, searchParams } = new URL(url, location.origin)
  // What else this page's address says, such as which page of the list it is, means nothing there.
  const search = ({ org, space }: Place) => ({
    ...Object.fromEntries(searchParams),
    org,
    space: environment === null ? space : environment === 'test' ? environment : undefined,
  })
  return (
    <ButtonLink
      to={pathname as '/'}
      search={search}
      onClick={onOpen}
      aria-label={t('notifications.openOf', { title })}
    >
      {t('notifications.open')}
    </ButtonLink>
  )
}
