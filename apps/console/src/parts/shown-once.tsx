import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Copyable } from './copyable.tsx'
import { Leaving } from './leaving.tsx'
import { Shown } from './stored-text.tsx'

interface Props {
  text: string
  label: string
  /** Says that it is to be kept now. */
  once: string
}

/**
 * What nobody is shown again, such as a key. Who would leave the page is asked first, until it was copied, or they say that they
 * have kept it. Another text needs a `key` of its own.
 */
export function ShownOnce({ text, label, once }: Props) {
  const { t } = useTranslation()
  const [isKept, setKept] = useState(false)
  return (
    <>
      {isKept ? null : (
        <Text role="status" className="stored">
          <Shown text={once} />
        </Text>
      )}
      <Copyable text={text} label={label} onCopied={() => setKept(true)} />
      {isKept ? null : (
        <Group>
          <Leaving of="secret" />
          <Button variant="default" onClick={() => setKept(true)}>
            {t('kept')}
          </Button>
        </Group>
      )}
    </>
  )
}
