import { ValidationError } from '@memory/shared/catalogue/errors'
import { type Body, parsePlainly } from '../body.ts'
import { Echo } from './echo.ts'
import { valueAt } from './schema-path.ts'

/**
 * Adds the sent inputs to the entries of a service's ValidationError that have none, since a service only sees the parsed body.
 * An absent body counts as empty.
 * @param redact names of the operation's secret fields; see `Echo`
 */
export async function withSentInputs(
  { entries }: ValidationError,
  body: Body | undefined,
  redact: Iterable<string> = [],
): Promise<ValidationError> {
  const sent = body === undefined ? {} : await parsePlainly(body)
  const echo = new Echo(redact)
  return new ValidationError(
    entries.map((entry) => {
      const [where, ...path] = entry.loc
      if (entry.input !== undefined || where !== 'body') return entry
      return { ...entry, ...echo.of(valueAt(sent, path), entry.loc) }
    }),
  )
}
