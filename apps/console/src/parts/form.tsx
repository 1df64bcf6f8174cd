import { Fieldset, Stack } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { Leaving } from './leaving.tsx'

/** A form that this page sends itself. */
export function Form({
  onSend,
  onEdit,
  holdsEdits = false,
  label,
  children,
}: {
  /** Sends it. The promise of a request tells until when it is under way: nothing is typed or sent meanwhile. */
  onSend: () => unknown
  /** When somebody changes what a field holds. */
  onEdit?: (() => void) | undefined
  /** Whether something was typed that would be lost with the page. */
  holdsEdits?: boolean
  label: string
  children: ReactNode
}) {
  const [isUnderWay, setUnderWay] = useState(false)
  // Known before it is rendered: the second click of a double click follows at once.
  const isSending = useRef(false)
  const send = async () => {
    if (isSending.current) return
    const sending = onSend()
    if (!(sending instanceof Promise)) return
    isSending.current = true
    setUnderWay(true)
    // Whoever began it shows what went wrong.
    await sending.catch(() => {})
    isSending.current = false
    setUnderWay(false)
  }
  return (
    <form
      aria-label={label}
      onChange={onEdit}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {holdsEdits ? <Leaving of="edits" /> : null}
      <Fieldset variant="unstyled" miw={0} disabled={isUnderWay}>
        <Stack>{children}</Stack>
      </Fieldset>
    </form>
  )
}
