import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialogue } from './dialogue.tsx'
import { ErrorNote } from './error-note.tsx'

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
  // Known before it is rendered: a key may follow at once.
  const isUnderWay = useRef(false)
  /** What was begun ends, well or with an error, where it is seen. */
  const stop = () => {
    if (!isUnderWay.current) close()
  }
  const begin = () => {
    isUnderWay.current = true
    doing.mutate(undefined, {
      onSuccess: close,
      onSettled: () => {
        isUnderWay.current = false
      },
    })
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
            <Button color={color} loading={doing.isPending} onClick={begin}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialogue>
    </>
  )
}
