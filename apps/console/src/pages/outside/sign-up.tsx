import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outside } from '../../frame/outside.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { signUp } from '../../session/session.ts'
import { useComeBack } from './come-back.ts'

const route = getRouteApi('/sign-up')

export function SignUp() {
  const { t } = useTranslation()
  const { to } = route.useSearch()
  return (
    <Outside title={t('signUp.title')}>
      <SignUpForm />
      <PageLink to="/sign-in" search={{ to }} size="sm">
        {t('signUp.hasAccount')}
      </PageLink>
    </Outside>
  )
}

function SignUpForm() {
  const { t } = useTranslation()
  const { to } = route.useSearch()
  const navigate = useNavigate()
  const comeBack = useComeBack()
  const [given, setGiven] = useState({ email: '', password: '', full_name: '', organization_name: '' })
  const field = (name: keyof typeof given) => ({
    name,
    value: given[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setGiven((before) => ({ ...before, [name]: value })),
  })
  const signing = useMutation({
    mutationFn: () =>
      signUp({
        email: given.email,
        password: given.password,
        full_name: given.full_name || null,
        organization_name: given.organization_name || null,
      }),
    onSuccess: () => (to === undefined ? void navigate({ to: '/start' }) : comeBack(to)),
  })
  return (
    <Form label={t('signUp.title')} onSend={() => signing.mutateAsync()} error={signing.error}>
      <TextField label={t('email')} type="email" autoComplete="username" required {...field('email')} />
      <PasswordField
        name="password"
        label={t('password')}
        isNew
        value={given.password}
        onChange={(password) => setGiven((before) => ({ ...before, password }))}
      />
      <TextField label={t('signUp.name')} autoComplete="name" {...field('full_name')} />
      <TextField
        label={t('signUp.organization')}
        autoComplete="organization"
        {...field('organization_name')}
      />
      {signing.error === null ? null : <ErrorNote error={signing.error} />}
      <Button type="submit" loading={signing.isPending}>
        {t('signUp.do')}
      </Button>
    </Form>
  )
}
