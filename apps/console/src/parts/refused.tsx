import { ApiError } from 'memory-service-sdk'
import { createContext, type ReactNode, use } from 'react'
import { type Issue, useErrorWords } from './error-words.ts'
import { Shown } from './stored-text.tsx'

interface Sent {
  /** What went wrong when the form was sent. */
  error: unknown
  /** Whether a field of the form has this name. */
  hasField: (name: string) => boolean
}

/** What the fields of a form, and the note below them, know of how it was sent. */
export const Sent = createContext<Sent>({ error: null, hasField: () => false })

/** What the service calls the field that an issue is about. */
export const fieldOf = ({ loc }: Issue): string => loc.slice(1).join('.')

/** What the service refused of a field, to be said at it. */
export function useRefused(name: string): ReactNode {
  const { error } = use(Sent)
  const { issue } = useErrorWords()
  const own = error instanceof ApiError ? error.issues.filter((each) => fieldOf(each) === name) : []
  return own.length === 0 ? undefined : <Shown text={own.map(issue).join(' ')} />
}

/** The issues of an error that no field says itself. */
export function useElsewhere(error: unknown): readonly Issue[] {
  const sent = use(Sent)
  if (!(error instanceof ApiError)) return []
  return error.issues.filter((each) => error !== sent.error || !sent.hasField(fieldOf(each)))
}
