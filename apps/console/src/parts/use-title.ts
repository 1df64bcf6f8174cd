import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Names the page, for tabs, the history, and who hears pages. */
export function useTitle(name: string): void {
  const { t } = useTranslation()
  useEffect(() => {
    document.title = `${name} · ${t('product')}`
  }, [name, t])
}
