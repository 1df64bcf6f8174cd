import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialogue } from './dialogue.tsx'
import { ErrorNote } from './error-note.tsx'
import { useOnce } from './once.ts'

interface Props<Done> {
  /** What the button says, and the dialogue after it. */
  label: string
  text: ReactNode
  doing: UseMutationResult<Done, Error, void>
  isDisabled?: boolean
  /** What does no harm has another colour than red. */
  color?: string
}

/** A button for what can't be undone, or is to be thought about: it asks first. */
export function Confirm<Done>({ label, text, doing, isDisabled = false, color = 'red.9' }: Props<Done>) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: () => doing.reset() })
  const { begin, isUnderWay } = useOnce(doing)
  /** What was begun ends, well or with an error, where it is seen. A key may follow before it is rendered. */
  const stop = () => {
    if (!isUnderWay.current) close()
  }
  return (
    <>
      <Button color={color} onClick={open} disabled={isDisabled}>
        {label}
      </Button>
      <Dialogue opened={isOpen} onClose={stop} title={label} closeButtonProps={{ disabled: doing.isPending }}>
        <Stack>
          <Text component="div">{text}</Text>
          {doing.error === null ? null : <ErrorNote error={doing.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={stop} disabled={doing.isPending}>
              {t('cancel')}
            </Button>
            <Button color={color} loading={doing.isPending} onClick={() => begin(undefined, close)}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialogue>
    </>
  )
}
