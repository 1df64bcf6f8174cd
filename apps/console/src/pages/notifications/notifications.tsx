import { Group, SegmentedControl, Stack } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ButtonLink } from '../../parts/links.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { NumberedPages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { NotificationCard, useNotificationsAgain } from './notification-card.tsx'

const route = getRouteApi('/inside/notifications')

export function Notifications() {
  const { t } = useTranslation()
  const { client, place } = useMemory()
  const { unread, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const notifications = useQuery({
    queryKey: ['notifications', place.org ?? '', { unread, page }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.notifications.list({ unread_only: unread ?? false, page }, { signal }),
  })
  return (
    <Page title={t('notifications.title')} text={t('notifications.text')} actions={<ForAll />}>
      <SegmentedControl
        aria-label={t('notifications.show')}
        data={(['all', 'unread'] as const).map((value) => ({
          value,
          label: t(`notifications.show.${value}`),
        }))}
        value={unread ? 'unread' : 'all'}
        onChange={(value) => void navigate({ search: { unread: value === 'unread' || undefined } })}
      />
      <Asked query={notifications}>
        {({ data, pagination: { total_pages: pages } }) =>
          // What was on the last page may have been deleted; what is shown may still be the answer to another page.
          page > Math.max(pages, 1) && !notifications.isPlaceholderData ? (
            <Navigate to="." search={{ unread, page: pages > 1 ? pages : undefined }} replace />
          ) : (
            <>
              {data.length === 0 ? <None isUnread={unread ?? false} /> : null}
              <Stack
                component="ul"
                gap="sm"
                p={0}
                m={0}
                style={{ listStyle: 'none' }}
                aria-label={t('notifications.list')}
              >
                {data.map((told) => (
                  <NotificationCard key={told.id} told={told} />
                ))}
              </Stack>
              <NumberedPages page={page} pages={pages} />
            </>
          )
        }
      </Asked>
    </Page>
  )
}

function None({ isUnread }: { isUnread: boolean }) {
  const { t } = useTranslation()
  if (!isUnread) return <Nothing title={t('notifications.none')} />
  return (
    <Nothing title={t('notifications.noneUnread')}>
      <ButtonLink to="/notifications" search={{ unread: undefined, page: undefined }} variant="default">
        {t('notifications.showAll')}
      </ButtonLink>
    </Nothing>
  )
}

function ForAll() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const again = useNotificationsAgain()
  const reading = useMutation({ mutationFn: () => client.notifications.readAll(), onSuccess: again })
  const deleting = useMutation({ mutationFn: () => client.notifications.deleteRead(), onSuccess: again })
  return (
    <Stack>
      <Group gap="xs">
        <ActButton variant="default" doing={reading}>
          {t('notifications.readAll')}
        </ActButton>
        <Confirm
          label={t('notifications.deleteRead')}
          text={t('notifications.deleteReadText')}
          doing={deleting}
        />
      </Group>
      {reading.error === null ? null : <ErrorNote error={reading.error} />}
    </Stack>
  )
}
