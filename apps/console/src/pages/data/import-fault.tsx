import { Alert, Text } from '@mantine/core'
import { InvalidLines, MemoryFull } from '@memory/shared/transfer/batches'
import { WrongFormat } from '@memory/shared/transfer/formats/convert'
import { DamagedFile } from '@memory/shared/transfer/formats/format'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { LinesList } from './import-lines.tsx'

/** What readers meet most is said in their language; the rest as who reads the file says it. */
const isOtherEncoding = (why: string) => /^it is not UTF-8/.test(why)

/** Runs of lines that are named. */
const namedMax = 20

const runsOf = (left: MemoryFull['left']): string =>
  left
    .slice(0, namedMax)
    .map(([first, last]) => (first === last ? first : `${first} – ${last}`))
    .join(', ') + (left.length > namedMax ? ', …' : '')

/** Why an import stopped. */
export function ImportFault({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (error instanceof InvalidLines) {
    return (
      <>
        <Alert color="red" variant="outline" role="alert" title={t('data.import.refused')}>
          {t('data.import.refusedHint')}
        </Alert>
        <LinesList title={t('data.import.reasons')} lines={error.lines} count={error.lines.length} />
      </>
    )
  }
  if (error instanceof MemoryFull) {
    return (
      <Alert color="red" variant="outline" role="alert" title={t('data.import.full')}>
        {t('data.import.fullHint')}
        <Text size="sm" dir="auto" className="stored">
          <Shown text={t('data.import.fullLines', { lines: runsOf(error.left) })} />
        </Text>
      </Alert>
    )
  }
  if (error instanceof DamagedFile) {
    return (
      <Alert color="red" variant="outline" role="alert" title={t('error.file')}>
        <Why why={error.message} />
      </Alert>
    )
  }
  if (error instanceof WrongFormat) {
    return (
      <Alert
        color="red"
        variant="outline"
        role="alert"
        title={t('data.import.wrongFormat', { format: t(`data.import.format.${error.from}`) })}
      >
        {error.why === undefined ? null : <Why why={error.why} />}
        {error.like === undefined ? null : (
          <Text size="sm">{t('data.import.like', { format: t(`data.import.format.${error.like}`) })}</Text>
        )}
      </Alert>
    )
  }
  return <ErrorNote error={error} />
}

function Why({ why }: { why: string }) {
  const { t } = useTranslation()
  return (
    <Text size="sm" dir="auto" className="stored">
      <Shown text={isOtherEncoding(why) ? t('data.import.notUtf8') : why} />
    </Text>
  )
}
