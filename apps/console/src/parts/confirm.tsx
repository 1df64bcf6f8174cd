import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
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

/** The dialogue gives the focus back to its button by then, where there still is one. */
const focusBackMs = 50

/** Who uses the keyboard goes on in the content, where what had the focus is gone. */
function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement !== null && document.activeElement !== document.body) return
    document.getElementById('content')?.focus({ preventScroll: true })
  }, focusBackMs)
}

/** A button for what can't be undone, or is to be thought about: it asks first. */
export function Confirm<Done>({ label, text, doing, isDisabled = false, color = 'red.9' }: Props<Done>) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure(false, { onOpen: () => doing.reset() })
  const wasOpen = useRef(false)
  wasOpen.current ||= isOpen
  useEffect(
    () => () => {
      if (wasOpen.current) keepFocus()
    },
    [],
  )
  // Known before it is rendered: a key may follow at once.
  const isUnderWay = useRef(false)
  /** What was begun ends, well or with an error, where it is seen. */
  const stop = () => {
    if (!isUnderWay.current) close()
  }
  const begin = () => {
    isUnderWay.current = true
    doing.mutate(undefined, {
      onSuccess: () => {
        close()
        keepFocus()
      },
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
      <Modal
        opened={isOpen}
        onClose={stop}
        title={label}
        closeButtonProps={{ 'aria-label': t('close'), disabled: doing.isPending }}
        transitionProps={{ duration: 0 }}
      >
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
      </Modal>
    </>
  )
}
