import { Alert, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Copyable } from '../../parts/copyable.tsx'

interface Props {
  count: number
  /** Of memories that stay. */
  versions?: number | undefined
  receipt: string | undefined
}

/** What was erased, and the proof of it. */
export function Erased({ count, versions = 0, receipt }: Props) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Alert variant="outline" role="status" title={t('forget.done', { count })}>
        {versions === 0 ? null : t('forget.versions', { versions })}
      </Alert>
      {receipt === undefined ? null : (
        <>
          <Text>{t('forget.receipt')}</Text>
          <Copyable text={receipt} label={t('forget.receiptLabel')} />
        </>
      )}
    </Stack>
  )
}
