import { useTranslation } from 'react-i18next'
import { localeOf } from '../i18n.ts'
import { durationOf } from './duration.ts'

/** How the reader writes times and numbers. */
export const useLocale = (): string => localeOf(useTranslation().i18n.language)

/** Writes times in the reader's language and zone. */
export function useTimes(): (at: Date) => string {
  const locale = useLocale()
  const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return (at) => shown.format(at)
}

/** Writes days in the reader's language; they are those of the service, which counts in UTC, wherever the reader is. */
export function useDays(): (at: Date) => string {
  const locale = useLocale()
  const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (at) => shown.format(at)
}

/** A time as the reader writes it; the exact one is what it carries. */
export function When({ at }: { at: string }) {
  const times = useTimes()
  return (
    <time dateTime={at} title={at}>
      {times(new Date(at))}
    </time>
  )
}

/** Writes numbers as the reader's language does. */
export function useNumbers(): (value: number, digits?: number) => string {
  const locale = useLocale()
  return (value, digits = 0) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
}

/** Writes times to wait. */
export function useDurations(): (seconds: number) => string {
  const locale = useLocale()
  return (seconds) => durationOf(seconds, locale)
}
