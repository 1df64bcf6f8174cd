import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Outside, Sentence } from '../../frame/outside.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useOnce } from '../../parts/once.ts'
import { anonymous } from '../../session/client.ts'
import { LinkOver, linkIsOver } from './link-over.tsx'
import { useLinkToken } from './use-link-token.ts'

/** A press verifies, not the page alone: programs that read mails open their links. */
export function VerifyEmail() {
  const { t } = useTranslation()
  const { token, drop } = useLinkToken()
  const verifying = useMutation({
    mutationFn: (token: string) => anonymous.auth.verifyEmail({ token }),
    onSuccess: drop,
  })
  const { begin } = useOnce(verifying)
  const isOver = token === undefined || linkIsOver(verifying.error)
  return (
    <Outside title={t('verify.title')}>
      {isOver ? <LinkOver /> : null}
      {verifying.isSuccess ? (
        <>
          <Alert variant="outline" role="status" title={t('verify.done')} />
          <PageLink to="/">{t('verify.on')}</PageLink>
        </>
      ) : null}
      {isOver || verifying.isSuccess ? null : (
        <>
          <Sentence>{t('verify.text')}</Sentence>
          {verifying.error === null ? null : <ErrorNote error={verifying.error} />}
          <Button loading={verifying.isPending} onClick={() => begin(token)}>
            {t('verify.do')}
          </Button>
        </>
      )}
    </Outside>
  )
}
