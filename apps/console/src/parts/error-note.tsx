import { Alert, Code, List, Text } from '@mantine/core'
import { ApiError } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { isConnectionError, returnsAfterMs } from '../queries.ts'
import { isOfPlan, useErrorWords } from './error-words.ts'
import { fieldOf, useElsewhere } from './refused.tsx'
import { Shown } from './stored-text.tsx'
import { UnreadableFile } from './unreadable-file.ts'
import { useDurations } from './when.tsx'

function titleOf(error: unknown) {
  if (isConnectionError(error)) return 'error.connection' as const
  if (error instanceof UnreadableFile) return 'error.file' as const
  if (!(error instanceof ApiError)) return 'error.unknown' as const
  if (isOfPlan(error)) return 'error.plan' as const
  if (error.status === 403) return 'error.forbidden' as const
  if (error.status === 404) return 'error.missing' as const
  if (error.status === 412) return 'error.changed' as const
  if (error.status === 422) return 'error.invalid' as const
  if (error.status === 429) return 'error.tooMany' as const
  return error.status >= 500 ? ('error.service' as const) : ('error.refused' as const)
}

interface Props {
  error: unknown
  /** Whether the page asks again by itself once the service is back: what was to be done is not tried again. */
  asksAgain?: boolean
}

/** What went wrong, with the name that the request has in the service's log. */
export function ErrorNote({ error, asksAgain = false }: Props) {
  const { t } = useTranslation()
  const { said, issue } = useErrorWords()
  const durations = useDurations()
  const api = error instanceof ApiError ? error : undefined
  const issues = useElsewhere(error)
  const goesOn = asksAgain && returnsAfterMs(error) !== undefined
  const explain = (error: unknown) => {
    if (isConnectionError(error)) return t(goesOn ? 'error.connectionHint' : 'error.connectionActionHint')
    if (error instanceof UnreadableFile) return t('error.fileHint')
    return error instanceof Error ? error.message : String(error)
  }
  return (
    <Alert color="red" variant="outline" role="alert" title={t(titleOf(error))}>
      {api === undefined ? (
        <Text size="sm">
          <Shown text={explain(error)} />
        </Text>
      ) : null}
      {api !== undefined && api.issues.length === 0 ? (
        <Text size="sm" className="stored">
          <Shown text={said(api.detail)} />
        </Text>
      ) : null}
      {issues.length > 0 ? (
        <List size="sm">
          {issues.map((each) => (
            <List.Item key={`${fieldOf(each)} ${each.msg}`}>
              <Code>
                <Shown text={fieldOf(each)} />
              </Code>{' '}
              <Shown text={issue(each)} />
            </List.Item>
          ))}
        </List>
      ) : null}
      {api !== undefined && goesOn ? (
        <Text size="sm">{t('error.goesOn')}</Text>
      ) : api?.retryAfterS === undefined ? null : (
        <Text size="sm">{t('error.retryAfter', { time: durations(api.retryAfterS) })}</Text>
      )}
      {api?.requestId === undefined ? null : (
        <Text size="xs" mt="xs">
          {t('error.requestId')} <Code>{api.requestId}</Code>
        </Text>
      )}
    </Alert>
  )
}
