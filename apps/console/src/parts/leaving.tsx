import { Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Place } from '../session/client.ts'
import { session } from '../session/session.ts'
import { Dialogue } from './dialogue.tsx'

const isSame = (a: Place, b: Place) => a.org === b.org && a.space === b.space

/** While it is shown, whoever would leave the page is asked first: its work would stop, or what was typed be lost. */
export function Leaving({ of }: { of: 'work' | 'edits' }) {
  const { t } = useTranslation()
  // Who is signed out has to go.
  const isSignedIn = () => session.accessToken !== undefined
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isSignedIn() && (current.pathname !== next.pathname || !isSame(current.search, next.search)),
    enableBeforeUnload: isSignedIn,
    withResolver: true,
  })
  return (
    <Dialogue opened={status === 'blocked'} onClose={() => reset?.()} title={t(`leaving.${of}.title`)}>
      <Stack>
        <Text>{t(`leaving.${of}.text`)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()}>
            {t('leaving.stay')}
          </Button>
          <Button color="red.9" onClick={() => proceed?.()}>
            {t(`leaving.${of}.do`)}
          </Button>
        </Group>
      </Stack>
    </Dialogue>
  )
}
