import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outside } from '../../frame/outside.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { anonymous } from '../../session/client.ts'
import { LinkOver, linkIsOver } from './link-over.tsx'
import { useLinkToken } from './use-link-token.ts'

export function ResetPassword() {
  const { t } = useTranslation()
  const { token, drop } = useLinkToken()
  return (
    <Outside title={t('reset.title')}>
      {token === undefined ? (
        <LinkOver again="/forgot-password" />
      ) : (
        <NewPassword token={token} onUsed={drop} />
      )}
    </Outside>
  )
}

function NewPassword({ token, onUsed }: { token: string; onUsed: () => void }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const setting = useMutation({
    mutationFn: () => anonymous.auth.resetPassword({ token, new_password: password }),
    onSuccess: onUsed,
  })
  if (linkIsOver(setting.error)) return <LinkOver again="/forgot-password" />
  if (setting.isSuccess) {
    return (
      <>
        <Alert variant="outline" role="status" title={t('reset.done')} />
        <PageLink to="/sign-in">{t('signIn.title')}</PageLink>
      </>
    )
  }
  return (
    <Form label={t('reset.title')} onSend={() => setting.mutateAsync()} error={setting.error}>
      <PasswordField
        name="new_password"
        label={t('password.new')}
        isNew
        value={password}
        onChange={setPassword}
      />
      {setting.error === null ? null : <ErrorNote error={setting.error} />}
      <Button type="submit" loading={setting.isPending}>
        {t('reset.do')}
      </Button>
    </Form>
  )
}
