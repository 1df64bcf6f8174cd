import { Button, Group } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { PermissionError } from 'memory-service-sdk'
import { createContext, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { returnsAfterMs } from '../queries.ts'
import { ErrorNote } from './error-note.tsx'
import { Waiting } from './waiting.tsx'
import { WrongRole } from './wrong-role.tsx'

interface Props<Answer> {
  query: UseQueryResult<Answer>
  children: (answer: Answer) => ReactNode
}

/** Whether what is shown is still the answer to what was asked before. */
export const AnswersBefore = createContext(false)

/** What was asked for, once it is there; what is there stays when asking once more fails. */
export function Asked<Answer>({ query, children }: Props<Answer>) {
  const { t } = useTranslation()
  const { data, error } = query
  if (data === undefined && error instanceof PermissionError) return <WrongRole error={error} />
  return (
    <>
      {error === null ? null : <ErrorNote error={error} asksAgain />}
      {error === null || returnsAfterMs(error) !== undefined ? null : (
        <Group>
          <Button variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
            {t('again')}
          </Button>
        </Group>
      )}
      {data !== undefined ? (
        <AnswersBefore value={query.isPlaceholderData}>{children(data)}</AnswersBefore>
      ) : error === null ? (
        <Waiting />
      ) : null}
    </>
  )
}
