import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../parts/links.tsx'
import { useNotificationNews, useUnread } from './notification-news.ts'

/** How many notifications are unread, as they come, and the way to them. */
export function Bell() {
  const { t } = useTranslation()
  useNotificationNews()
  const unread = useUnread()
  return (
    <ButtonLink
      to="/notifications"
      variant="default"
      size="xs"
      px="xs"
      style={{ flexShrink: 0 }}
      aria-label={
        unread === undefined ? t('notifications.title') : t('notifications.bell', { count: unread })
      }
      rightSection={unread ? <Badge size="sm">{unread}</Badge> : undefined}
    >
      <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor">
        <path
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
          d="M6 9a6 6 0 0 1 12 0c0 7 3 8 3 8H3s3-1 3-8M10 21h4"
        />
      </svg>
    </ButtonLink>
  )
}
