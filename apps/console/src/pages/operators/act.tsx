import { Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { ActButton } from '../../parts/act-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'

interface Props<Done> {
  label: string
  doing: UseMutationResult<Done, Error, void>
}

/** A button for what can be undone: it does it at once, and says what went wrong. */
export function Act<Done>({ label, doing }: Props<Done>) {
  return (
    <Stack gap="xs" align="flex-start">
      <ActButton variant="default" doing={doing}>
        {label}
      </ActButton>
      {doing.error === null ? null : <ErrorNote error={doing.error} />}
    </Stack>
  )
}
