import type { UseQueryResult } from '@tanstack/react-query'
import { PermissionError } from 'memory-service-sdk'
import type { ReactNode } from 'react'
import { ErrorNote } from './error-note.tsx'
import { Waiting } from './waiting.tsx'
import { WrongRole } from './wrong-role.tsx'

interface Props<Answer> {
  query: UseQueryResult<Answer>
  children: (answer: Answer) => ReactNode
}

/** What was asked for, once it is there; what is there stays when asking once more fails. */
export function Asked<Answer>({ query, children }: Props<Answer>) {
  const { data, error } = query
  if (data === undefined && error instanceof PermissionError) return <WrongRole error={error} />
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {data === undefined ? error === null ? <Waiting /> : null : children(data)}
    </>
  )
}
