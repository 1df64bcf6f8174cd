import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '../session/client.ts'
import { session } from '../session/session.ts'
import { Dialogue } from './dialogue.tsx'

const isSame = (a: Place, b: Place) => a.org === b.org && a.space === b.space

type Answer = (isLeaving: boolean) => void

/** What asks whoever would leave the page just now. */
const asking = new Set<(answer: Answer) => void>()

/** Asks whoever would leave in another way than by going to another page, such as by signing out. */
export async function mayLeave(): Promise<boolean> {
  for (const ask of asking) if (!(await new Promise<boolean>(ask))) return false
  return true
}

/**
 * While it is shown, whoever would leave the page is asked first: its work would stop, what was typed be lost, or what is shown
 * this once be gone.
 */
export function Leaving({ of }: { of: 'work' | 'edits' | 'secret' }) {
  const { t } = useTranslation()
  // Who is signed out has to go.
  const isSignedIn = () => session.accessToken !== undefined
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isSignedIn() && (current.pathname !== next.pathname || !isSame(current.search, next.search)),
    enableBeforeUnload: isSignedIn,
    withResolver: true,
  })
  const [isAsked, setAsked] = useState(false)
  const answer = useRef<Answer>(undefined)
  useEffect(() => {
    const ask = (next: Answer) => {
      answer.current?.(false)
      answer.current = next
      setAsked(true)
    }
    asking.add(ask)
    return () => {
      asking.delete(ask)
      // What is done meanwhile, such as the work, holds nobody any more.
      answer.current?.(true)
    }
  }, [])
  const end = (isLeaving: boolean) => {
    const goOn = isLeaving ? proceed : reset
    goOn?.()
    answer.current?.(isLeaving)
    setAsked(false)
  }
  return (
    <Dialogue
      opened={status === 'blocked' || isAsked}
      onClose={() => end(false)}
      title={t(`leaving.${of}.title`)}
    >
      <Stack>
        <Text>{t(`leaving.${of}.text`)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => end(false)}>
            {t('leaving.stay')}
          </Button>
          <Button color="red.9" onClick={() => end(true)}>
            {t(`leaving.${of}.do`)}
          </Button>
        </Group>
      </Stack>
    </Dialogue>
  )
}
