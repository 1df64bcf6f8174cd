import { Alert, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Copyable } from '../../parts/copyable.tsx'

/** What was erased, and the proof of it. */
export function Erased({ count, receipt }: { count: number; receipt: string | undefined }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Alert variant="outline" role="status" title={t('forget.done', { count })} />
      {receipt === undefined ? null : (
        <>
          <Text>{t('forget.receipt')}</Text>
          <Copyable text={receipt} label={t('forget.receiptLabel')} />
        </>
      )}
    </Stack>
  )
}
