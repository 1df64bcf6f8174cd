import { Button, Container, Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../parts/error-note.tsx'
import { isConnectionError, returnMs, returnsAfterMs } from '../queries.ts'

/** A page that could not be shown at all. Where the service was away, it is asked again until it does. */
export function Failure({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation()
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
    <Container component="main" size="xs" py="xl">
      <Stack>
        <ErrorNote error={error} asksAgain />
        <Button onClick={again}>{t('again')}</Button>
      </Stack>
    </Container>
  )
}
