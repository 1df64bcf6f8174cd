import { Center, Loader } from '@mantine/core'
import { useTranslation } from 'react-i18next'

export function Waiting() {
  const { t } = useTranslation()
  return (
    <Center p="xl">
      <Loader role="status" aria-label={t('waiting')} />
    </Center>
  )
}
