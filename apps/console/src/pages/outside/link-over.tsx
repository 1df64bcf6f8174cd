import { Alert } from '@mantine/core'
import { AuthenticationError } from 'memory-service-sdk'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../parts/links.tsx'
import { dropLinkToken } from './use-link-token.ts'

/** Whether the service knows no such link any more: it was used, has expired, or a newer one took its place. */
export const linkIsOver = (error: unknown): boolean => error instanceof AuthenticationError

/** @param again where to ask for another link, where one may */
export function LinkOver({ again }: { again?: '/forgot-password' }) {
  const { t } = useTranslation()
  useEffect(() => dropLinkToken(), [])
  return (
    <>
      <Alert color="red" variant="outline" role="alert" title={t('linkOver.title')}>
        {t('linkOver.text')}
      </Alert>
      {again === undefined ? null : <PageLink to={again}>{t('linkOver.again')}</PageLink>}
      <PageLink to="/">{t('missing.back')}</PageLink>
    </>
  )
}
