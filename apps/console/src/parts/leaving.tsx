import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Place } from '../session/client.ts'
import { session } from '../session/session.ts'

const isSame = (a: Place, b: Place) => a.org === b.org && a.space === b.space

/** While it is shown, whoever would leave the page is asked first: what it is doing would stop. */
export function Leaving() {
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
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={t('leaving.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text>{t('leaving.text')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()}>
            {t('leaving.stay')}
          </Button>
          <Button color="red.9" onClick={() => proceed?.()}>
            {t('leaving.do')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
