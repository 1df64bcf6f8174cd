import { Button, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { ErrorNote } from '../../parts/error-note.tsx'

interface Props<Done> {
  label: string
  doing: UseMutationResult<Done, Error, void>
}

/** A button for what can be undone: it does it at once, and says what went wrong. */
export function Act<Done>({ label, doing }: Props<Done>) {
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={doing.isPending} onClick={() => doing.mutate()}>
        {label}
      </Button>
      {doing.error === null ? null : <ErrorNote error={doing.error} />}
    </Stack>
  )
}
