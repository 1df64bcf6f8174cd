import { useTranslation } from 'react-i18next'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Writes sizes of so many bytes in the reader's language, in the unit that suits them (1 kB is 1,000 bytes). */
export function useSizes(): (bytes: number) => string {
  const { i18n } = useTranslation()
  return (bytes) => {
    const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
    const format = {
      style: 'unit',
      unit: units[step] as string,
      maximumFractionDigits: step === 0 ? 0 : 1,
    } as const
    return new Intl.NumberFormat(i18n.language, format).format(bytes / 1_000 ** step)
  }
}
