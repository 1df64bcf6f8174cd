import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outside, Sentence } from '../../frame/outside.tsx'
import { codeAsSent } from '../../parts/code-as-sent.ts'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { passSecondFactor, signIn } from '../../session/session.ts'
import { useComeBack } from './come-back.ts'

const route = getRouteApi('/sign-in')

export function SignIn() {
  const { t } = useTranslation()
  const { ended } = route.useSearch()
  const [mfaToken, setMfaToken] = useState<string>()
  return (
    <Outside title={t(mfaToken === undefined ? 'signIn.title' : 'mfa.title')}>
      {ended === undefined || mfaToken !== undefined ? null : (
        <Alert variant="outline" role="status" title={t(`signIn.ended.${ended}`)} />
      )}
      {mfaToken === undefined ? (
        <PasswordForm onChallenge={setMfaToken} />
      ) : (
        <CodeForm token={mfaToken} onBack={() => setMfaToken(undefined)} />
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
      <Form label={t('signIn.title')} onSend={() => signing.mutate()}>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordField label={t('password')} value={password} onChange={setPassword} />
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

function CodeForm({ token, onBack }: { token: string; onBack: () => void }) {
  const { t } = useTranslation()
  const { to } = route.useSearch()
  const comeBack = useComeBack()
  const [code, setCode] = useState('')
  const passing = useMutation({
    mutationFn: () => passSecondFactor(token, codeAsSent(code)),
    onSuccess: () => comeBack(to),
  })
  return (
    <>
      <Sentence>{t('mfa.text')}</Sentence>
      <Form label={t('mfa.title')} onSend={() => passing.mutate()}>
        <TextInput
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
        <Button variant="default" onClick={onBack}>
          {t('mfa.back')}
        </Button>
      </Form>
    </>
  )
}
