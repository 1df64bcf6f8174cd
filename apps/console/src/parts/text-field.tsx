import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import { useRefused } from './refused.tsx'

/** What the service calls the field: what it refuses of it is then said here. */
type Named<Props> = Props & { name: string }

/** A line of text in a form. */
export function TextField({ error, ...field }: Named<TextInputProps>) {
  const refused = useRefused(field.name)
  return <TextInput error={error ?? refused} {...field} />
}

/** Lines of text in a form. */
export function LinesField({ error, ...field }: Named<TextareaProps>) {
  const refused = useRefused(field.name)
  return <Textarea error={error ?? refused} {...field} />
}
