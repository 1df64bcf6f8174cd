import { Button, Container, Stack, Title } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../parts/error-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { isConnectionError, returnMs, returnsAfterMs } from '../queries.ts'

interface Props {
  error: unknown
  reset: () => void
}

/** A page that could not be shown at all, within the frame. Where the service was away, it is asked again until it does. */
export function Failure({ error, reset }: Props) {
  const { t } = useTranslation()
  useTitle(t('failure.title'))
  const router = useRouter()
  const again = useCallback(() => {
    reset()
    void router.invalidate()
  }, [reset, router])
  useEffect(() => {
    // A page only reads, so one that took too long may be asked for again too.
    const ms = returnsAfterMs(error) ?? (isConnectionError(error) ? returnMs : undefined)
    if (ms === undefined) return
    const waiting = setTimeout(again, ms)
    return () => clearTimeout(waiting)
  }, [error, again])
  return (
    <Container size="xs" py="xl">
      <Stack>
        <Title order={1} size="h2" tabIndex={-1}>
          {t('failure.title')}
        </Title>
        <ErrorNote error={error} asksAgain />
        <Button onClick={again}>{t('again')}</Button>
      </Stack>
    </Container>
  )
}

/** The same where the frame itself could not be shown. */
export const FailureAlone = (failed: Props) => (
  <main>
    <Failure {...failed} />
  </main>
)
