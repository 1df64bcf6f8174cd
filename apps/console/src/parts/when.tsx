import { useTranslation } from 'react-i18next'

/** Writes times in the reader's language and zone. */
export function useTimes(): (at: Date) => string {
  const { i18n } = useTranslation()
  const shown = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })
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
  const { i18n } = useTranslation()
  return (value, digits = 0) =>
    new Intl.NumberFormat(i18n.language, { maximumFractionDigits: digits }).format(value)
}
