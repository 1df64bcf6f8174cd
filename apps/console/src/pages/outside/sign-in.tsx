import { Alert, Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { AuthenticationError, errorDetails } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outside, Sentence } from '../../frame/outside.tsx'
import { codeAsSent } from '../../parts/code-as-sent.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { passSecondFactor, signIn } from '../../session/session.ts'
import { useComeBack } from './come-back.ts'

const route = getRouteApi('/sign-in')

export function SignIn() {
  const { t } = useTranslation()
  const { ended } = route.useSearch()
  const [mfaToken, setMfaToken] = useState<string>()
  const [isOver, setOver] = useState(false)
  return (
    <Outside title={t(mfaToken === undefined ? 'signIn.title' : 'mfa.title')}>
      {isOver ? <Alert color="red" variant="outline" role="alert" title={t('mfa.over')} /> : null}
      {ended === undefined || mfaToken !== undefined || isOver ? null : (
        <Alert variant="outline" role="status" title={t(`signIn.ended.${ended}`)} />
      )}
      {mfaToken === undefined ? (
        <PasswordForm
          onChallenge={(token) => {
            setMfaToken(token)
            setOver(false)
          }}
        />
      ) : (
        <CodeForm
          token={mfaToken}
          onBack={(isOver) => {
            setMfaToken(undefined)
            setOver(isOver)
          }}
        />
      )}
    </Outside>
  )
}

function PasswordForm({ onChallenge }: { onChallenge: (token: string) => void }) {
  const { t } = useTranslation()
  const { to } = route.useSearch()
  const comeBack = useComeBack()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signing = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: (challenge) => (challenge === undefined ? comeBack(to) : onChallenge(challenge)),
  })
  return (
    <>
      <Form label={t('signIn.title')} onSend={() => signing.mutateAsync()} error={signing.error}>
        <TextField
          name="email"
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordField name="password" label={t('password')} value={password} onChange={setPassword} />
        {signing.error === null ? null : <ErrorNote error={signing.error} />}
        <Button type="submit" loading={signing.isPending}>
          {t('signIn.do')}
        </Button>
      </Form>
      <Group justify="space-between">
        <PageLink to="/forgot-password" size="sm">
          {t('signIn.forgot')}
        </PageLink>
        <PageLink to="/sign-up" search={{ to }} size="sm">
          {t('signIn.noAccount')}
        </PageLink>
      </Group>
    </>
  )
}

interface CodeProps {
  token: string
  /** @param isOver whether no code is taken for this password any more */
  onBack: (isOver: boolean) => void
}

function CodeForm({ token, onBack }: CodeProps) {
  const { t } = useTranslation()
  const { to } = route.useSearch()
  const comeBack = useComeBack()
  const [code, setCode] = useState('')
  const passing = useMutation({
    mutationFn: () => passSecondFactor(token, codeAsSent(code)),
    onSuccess: () => comeBack(to),
    onError: (error) => {
      if (error instanceof AuthenticationError && error.detail === errorDetails.invalid_token) onBack(true)
    },
  })
  return (
    <>
      <Sentence>{t('mfa.text')}</Sentence>
      <Form label={t('mfa.title')} onSend={() => passing.mutateAsync()} error={passing.error}>
        <TextField
          name="code"
          label={t('mfa.code')}
          description={t('mfa.codeHint')}
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        {passing.error === null ? null : <ErrorNote error={passing.error} />}
        <Button type="submit" loading={passing.isPending}>
          {t('signIn.do')}
        </Button>
        <Button variant="default" onClick={() => onBack(false)}>
          {t('mfa.back')}
        </Button>
      </Form>
    </>
  )
}
