import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Outside, Sentence } from '../../frame/outside.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { signInByLink } from '../../session/session.ts'
import { LinkOver, linkIsOver } from './link-over.tsx'
import { useLinkToken } from './use-link-token.ts'

/** The link that a local start prints: it signs its operator in. */
export function Link() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { token, drop } = useLinkToken()
  const opening = useMutation({
    mutationFn: signInByLink,
    onSuccess: () => {
      drop()
      return navigate({ to: '/start', replace: true })
    },
  })
  const { mutate } = opening
  const begun = useRef(false)
  useEffect(() => {
    // It works once, and effects may run twice.
    if (token === undefined || begun.current) return
    begun.current = true
    mutate(token)
  }, [token, mutate])
  const isOver = token === undefined || linkIsOver(opening.error)
  return (
    <Outside title={t('link.title')}>
      {isOver ? (
        <>
          <LinkOver />
          <Sentence>{t('link.restart')}</Sentence>
          <PageLink to="/sign-in">{t('signIn.title')}</PageLink>
        </>
      ) : opening.error === null ? (
        <Waiting />
      ) : (
        <ErrorNote error={opening.error} />
      )}
    </Outside>
  )
}
