import { Stack, Text } from '@mantine/core'
import type { PermissionError } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from './error-note.tsx'
import { PageLink } from './links.tsx'

/** Where all that was to be shown is refused to the role of who looks: what the service says, and who can help. */
export function WrongRole({ error }: { error: PermissionError }) {
  const { t } = useTranslation()
  return (
    <Stack gap="sm" py="lg" align="flex-start">
      <Text fw={600}>{t('wrongRole.title')}</Text>
      <ErrorNote error={error} />
      {/^Organization (admin|owner)/.test(error.detail) ? (
        <PageLink to="/members">{t('wrongRole.members')}</PageLink>
      ) : null}
    </Stack>
  )
}
