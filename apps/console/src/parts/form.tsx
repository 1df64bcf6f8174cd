import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** A form that this page sends itself. */
export function Form({
  onSend,
  onEdit,
  label,
  children,
}: {
  onSend: () => void
  /** When somebody changes what a field holds. */
  onEdit?: (() => void) | undefined
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
      <Stack>{children}</Stack>
    </form>
  )
}
