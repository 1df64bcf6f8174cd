import { type ApiError, errorDetails } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'

type Issue = ApiError['issues'][number]

/** What an answer's text is called: answers have no names of errors themselves. */
const codeOf = new Map<string, string>(Object.entries(errorDetails).map(([code, detail]) => [detail, code]))

const emailIssue = ({ type, ctx }: Issue) => type === 'value_error' && typeof ctx?.reason === 'string'

/** What the service refused in the reader's language, for what readers meet most; else in the service's own words. */
export function useErrorWords() {
  const { t, i18n } = useTranslation()
  return {
    said(detail: string): string {
      const key = `error.said.${codeOf.get(detail)}`
      return i18n.exists(key) ? t(key as 'error.said.internal') : detail
    },
    issue(issue: Issue): string {
      const { min_length: least, max_length: most, ge, le } = issue.ctx ?? {}
      const values = { count: Number(least ?? most), least: Number(ge), most: Number(le) }
      const key = `error.issue.${emailIssue(issue) ? 'email' : issue.type}`
      return i18n.exists(key, values) ? t(key as 'error.issue.greater_than_equal', values) : issue.msg
    },
  }
}
