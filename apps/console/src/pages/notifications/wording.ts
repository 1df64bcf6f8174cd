import type { Schemas } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { useNumbers } from '../../parts/when.tsx'

type Notification = Schemas['Notification']

/** How a notification reads in the reader's language; in the service's words where its type is not known here. */
export function useWording(): (told: Notification) => { title: string; message: string } {
  const { t, i18n } = useTranslation()
  const numbers = useNumbers()
  return (told) => {
    const { type, environment, details } = told
    if (!i18n.exists(`notification.${type}.title`)) return told
    const { name, expires_at: expires, previous_regime: from, new_regime: to, role } = details
    const isNamed = name !== undefined && name !== null
    const one = isNamed || !i18n.exists(`notification.${type}.unnamed`) ? 'message' : 'unnamed'
    const number = (value: number | undefined) => (value === undefined ? '' : numbers(value))
    const values = {
      space: t(`notification.space.${environment ?? 'live'}`),
      from: from === undefined ? '' : t(`regime.${from}`),
      to: to === undefined ? '' : t(`regime.${to}`),
      consolidated: number(details.consolidated),
      used: number(details.patterns_used),
      limit: number(details.patterns_limit),
      name: name ?? '',
      role: role === undefined ? '' : t(`role.${role}`),
      // The day there, as the service says it.
      date: expires === undefined ? '' : dayOf(expires, i18n.language),
    }
    return {
      title: t(`notification.${type}.title`),
      // Each text fills in what it has a place for.
      message: t(`notification.${type}.${one}` as 'notification.payment_failed.message', values),
    }
  }
}

const dayOf = (iso: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
