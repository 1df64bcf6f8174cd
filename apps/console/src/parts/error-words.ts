import { type ApiError, errorDetails } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'

export type Issue = ApiError['issues'][number]

/** What an answer's text is called: answers have no names of errors themselves. */
const codeOf = new Map<string, string>(Object.entries(errorDetails).map(([code, detail]) => [detail, code]))

/** What the text for an issue is called: by the rule that was broken, where it has a name, else by the kind of issue. */
function keyOf({ type, ctx }: Issue): string {
  if (type !== 'value_error') return `error.issue.${type}`
  return typeof ctx?.reason === 'string' ? 'error.issue.email' : `error.rule.${ctx?.rule}`
}

/** What a plan limits, as the service words it: it names the plan and its number. */
const planDetail = /^The (?<plan>\w+) plan allows (?<count>\d+) (?<what>API key|member)s?$/

/** Whether it is no fault of who asks, but more than the organization's plan allows. */
export const isOfPlan = ({ detail }: ApiError): boolean =>
  planDetail.test(detail) ||
  codeOf.get(detail) === 'plan_exceeded' ||
  codeOf.get(detail) === 'pattern_limit_reached'

/** What the service refused in the reader's language, for what readers meet most; else in the service's own words. */
export function useErrorWords() {
  const { t, i18n } = useTranslation()
  return {
    said(detail: string): string {
      const { plan, count, what } = planDetail.exec(detail)?.groups ?? {}
      const planKey = `plan.${plan}`
      if (i18n.exists(planKey)) {
        const values = { plan: t(planKey as 'plan.free'), count: Number(count) }
        return t(what === 'member' ? 'error.planMembers' : 'error.planKeys', values)
      }
      const key = `error.said.${codeOf.get(detail)}`
      return i18n.exists(key) ? t(key as 'error.said.internal') : detail
    },
    issue(issue: Issue): string {
      const { min_length: least, max_length: most, ge, le } = issue.ctx ?? {}
      const values = { count: Number(least ?? most), least: Number(ge), most: Number(le) }
      const key = keyOf(issue)
      return i18n.exists(key, values) ? t(key as 'error.issue.greater_than_equal', values) : issue.msg
    },
  }
}
