import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outside, Sentence } from '../../frame/outside.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Form } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { anonymous } from '../../session/client.ts'

export function ForgotPassword() {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const asking = useMutation({ mutationFn: () => anonymous.auth.forgotPassword({ email }) })
  return (
    <Outside title={t('forgot.title')}>
      <Sentence>{t('forgot.text')}</Sentence>
      <Form label={t('forgot.title')} onSend={() => asking.mutateAsync()} error={asking.error}>
        <TextField
          name="email"
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        {asking.error === null ? null : <ErrorNote error={asking.error} />}
        {asking.isSuccess ? <Alert variant="outline" role="status" title={t('forgot.sent')} /> : null}
        <Button type="submit" loading={asking.isPending}>
          {t('forgot.do')}
        </Button>
      </Form>
      <PageLink to="/sign-in" size="sm">
        {t('backToSignIn')}
      </PageLink>
    </Outside>
  )
}
