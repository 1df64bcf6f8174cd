import { Alert, Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Asked } from '../../parts/asked.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { Part } from '../../parts/part.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useProfile } from '../../parts/use-profile.ts'
import { SecondFactor } from './second-factor.tsx'

export function Account() {
  const { t } = useTranslation()
  const profile = useProfile()
  return (
    <Page title={t('account.title')}>
      <Asked query={profile}>
        {(me) => (
          <>
            <Part title={t('account.who')}>
              <Text dir="auto" className="stored">
                {me.full_name === null ? null : (
                  <>
                    <Shown text={me.full_name} /> ·{' '}
                  </>
                )}
                <Shown text={me.email} />
              </Text>
              {me.email_verified ? null : <Unverified email={me.email} />}
            </Part>
            <Part title={t('factor.title')}>
              <SecondFactor isOn={me.mfa_enabled} />
            </Part>
          </>
        )}
      </Asked>
      <Part title={t('account.password')}>
        <ChangePassword />
        <PageLink to="/forgot-password">{t('account.noPassword')}</PageLink>
      </Part>
      <PageLink to="/sessions">{t('account.sessions')}</PageLink>
    </Page>
  )
}

function Unverified({ email }: { email: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const sending = useMutation({ mutationFn: () => client.auth.resendVerification({ email }) })
  return (
    <>
      <Text>{t('account.unverified')}</Text>
      {sending.error === null ? null : <ErrorNote error={sending.error} />}
      {sending.isSuccess ? (
        <Alert variant="outline" role="status" title={t('account.sent')} />
      ) : (
        <div>
          <ActButton variant="default" doing={sending}>
            {t('account.resend')}
          </ActButton>
        </div>
      )}
    </>
  )
}

function ChangePassword() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const changing = useMutation({
    mutationFn: () => client.users.changePassword({ current_password: current, new_password: next }),
    onSuccess: () => {
      setCurrent('')
      setNext('')
    },
  })
  return (
    <Form
      label={t('account.password')}
      onSend={() => changing.mutateAsync()}
      error={changing.error}
      onEdit={() => {
        if (changing.isSuccess) changing.reset()
      }}
    >
      <PasswordField
        name="current_password"
        label={t('password.current')}
        value={current}
        onChange={setCurrent}
      />
      <PasswordField name="new_password" label={t('password.new')} isNew value={next} onChange={setNext} />
      {changing.error === null ? null : <ErrorNote error={changing.error} />}
      {changing.isSuccess ? (
        <Alert variant="outline" role="status" title={t('account.passwordChanged')} />
      ) : null}
      <Button type="submit" loading={changing.isPending} style={{ alignSelf: 'flex-start' }}>
        {t('save')}
      </Button>
    </Form>
  )
}
