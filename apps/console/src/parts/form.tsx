import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Leaving } from './leaving.tsx'

/** A form that this page sends itself. */
export function Form({
  onSend,
  onEdit,
  holdsEdits = false,
  label,
  children,
}: {
  onSend: () => void
  /** When somebody changes what a field holds. */
  onEdit?: (() => void) | undefined
  /** Whether something was typed that would be lost with the page. */
  holdsEdits?: boolean
  label: string
  children: ReactNode
}) {
  return (
    <form
      aria-label={label}
      onChange={onEdit}
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      {holdsEdits ? <Leaving of="edits" /> : null}
      <Stack>{children}</Stack>
    </form>
  )
}
