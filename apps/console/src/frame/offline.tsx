import { Paper, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'

/** Says that the browser has no connection: what is shown may be old, and what is sent does not arrive. */
export function Offline() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return (
    <div role="status">
      {online ? null : (
        <Paper withBorder p="sm" mb="md">
          <Text size="sm" fw={600}>
            {t('offline.title')}
          </Text>
          <Text size="sm">{t('offline.text')}</Text>
        </Paper>
      )}
    </div>
  )
}
