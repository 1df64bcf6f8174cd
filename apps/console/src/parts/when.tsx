import { useTranslation } from 'react-i18next'

/** The reader's own country's way of writing, where the browser's language is the page's. */
export function useLocale(): string {
  const { language } = useTranslation().i18n
  return navigator.languages.find((each) => languageOf(each) === language) ?? language
}

/** Undefined for a name that is none, such as en-US@posix, which browsers of a system without a language may have. */
function languageOf(name: string): string | undefined {
  try {
    return new Intl.Locale(name).language
  } catch {
    return undefined
  }
}

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
