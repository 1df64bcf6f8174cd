import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { NotFoundError } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Outside, Sentence } from '../../frame/outside.tsx'
import { ActButton } from '../../parts/act-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { ButtonLink, PageLink } from '../../parts/links.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useProfile } from '../../parts/use-profile.ts'
import { Waiting } from '../../parts/waiting.tsx'
import { queryClient } from '../../queries.ts'
import { clientOf } from '../../session/client.ts'
import { beginSession, session, signOut } from '../../session/session.ts'
import { LinkOver } from './link-over.tsx'
import { useLinkToken } from './use-link-token.ts'

export function AcceptInvitation() {
  const { t } = useTranslation()
  // It waits while its receiver signs in or up.
  const { token, drop } = useLinkToken()
  const beginning = useQuery({
    queryKey: ['session'],
    queryFn: async () => {
      await beginSession()
      return session.accessToken !== undefined
    },
    gcTime: 0,
  })
  return (
    <Outside title={t('invitation.title')}>
      {token === undefined ? <LinkOver /> : null}
      {beginning.isPending ? <Waiting /> : null}
      {beginning.error === null ? null : <ErrorNote error={beginning.error} asksAgain />}
      {token !== undefined && beginning.data === true ? <Accept token={token} onUsed={drop} /> : null}
      {token !== undefined && beginning.data === false ? <SignInFirst /> : null}
    </Outside>
  )
}

/** Who signs in, or up, comes back here. */
const search = { to: '/accept-invitation' }

function SignInFirst() {
  const { t } = useTranslation()
  return (
    <>
      <Sentence>{t('invitation.signInFirst')}</Sentence>
      <Group>
        <ButtonLink to="/sign-in" search={search}>
          {t('signIn.title')}
        </ButtonLink>
        <ButtonLink to="/sign-up" search={search} variant="default">
          {t('signUp.title')}
        </ButtonLink>
      </Group>
    </>
  )
}

function Accept({ token, onUsed }: { token: string; onUsed: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const accepting = useMutation({
    mutationFn: () => clientOf({}).organizations.acceptInvitation({ token }),
    onSuccess: () => {
      onUsed()
      // Those that were known before lack the one that is gone to next.
      queryClient.removeQueries({ queryKey: ['organizations'] })
    },
  })
  // 401 is said of the session: the link is kept for who signs in again.
  if (accepting.error instanceof NotFoundError) return <LinkOver />
  if (accepting.data !== undefined) {
    const { organization_id: org } = accepting.data
    return (
      <>
        <Alert variant="outline" role="status" title={t('invitation.done')} />
        <Button onClick={() => void navigate({ to: '/', search: { org } })}>{t('invitation.on')}</Button>
      </>
    )
  }
  return (
    <>
      <Sentence>{t('invitation.text')}</Sentence>
      {accepting.error === null ? null : <ErrorNote error={accepting.error} />}
      <ActButton doing={accepting}>{t('invitation.do')}</ActButton>
      <Another />
      <PageLink to="/">{t('missing.back')}</PageLink>
    </>
  )
}

/** Says who is signed in, since the invitation may be for another address, and leads to signing in as somebody else. */
function Another() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const profile = useProfile()
  const leaving = useMutation({
    mutationFn: () => signOut(),
    onSuccess: () => navigate({ to: '/sign-in', search }),
  })
  return (
    <>
      {profile.data === undefined ? null : (
        <Text size="sm" className="stored">
          <Shown text={t('invitation.as', { email: profile.data.email })} />
        </Text>
      )}
      {leaving.error === null ? null : <ErrorNote error={leaving.error} />}
      <ActButton variant="default" doing={leaving}>
        {t('invitation.another')}
      </ActButton>
    </>
  )
}
