import { Fieldset, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Leaving } from './leaving.tsx'
import { Sent } from './refused.tsx'

interface Props {
  /** Sends it. The promise of a request tells until when it is under way: nothing is typed or sent meanwhile. */
  onSend: () => unknown
  /** When somebody changes what a field holds. */
  onEdit?: (() => void) | undefined
  /** What went wrong when it was sent: each field says what was refused of it, and the first of them is gone to. */
  error?: unknown
  /** Whether something was typed that would be lost with the page. */
  holdsEdits?: boolean
  label: string
  children: ReactNode
}

/** A form that this page sends itself. */
export function Form({ onSend, onEdit, error = null, holdsEdits = false, label, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
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
  useEffect(() => {
    if (error === null || isUnderWay) return
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error, isUnderWay])
  return (
    <form
      ref={form}
      aria-label={label}
      onChange={onEdit}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {holdsEdits ? <Leaving of="edits" /> : null}
      <Fieldset variant="unstyled" miw={0} disabled={isUnderWay}>
        <Sent value={{ error, hasField: (name) => form.current?.elements.namedItem(name) != null }}>
          <Stack>{children}</Stack>
        </Sent>
      </Fieldset>
    </form>
  )
}
