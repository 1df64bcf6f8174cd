import { Button, Container, Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../parts/error-note.tsx'
import { isConnectionError, returnMs } from '../queries.ts'

/** A page that could not be shown at all. Where the service did not answer, it is asked again until it does. */
export function Failure({ error, reset }: { error: unknown; reset: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const again = useCallback(() => {
    reset()
    void router.invalidate()
  }, [reset, router])
  useEffect(() => {
    if (!isConnectionError(error)) return
    const waiting = setTimeout(again, returnMs)
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
