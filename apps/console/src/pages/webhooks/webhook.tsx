import { Alert, Button, Code, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { InputOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Asked } from '../../parts/asked.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { useIsAdministrator } from '../../parts/of-organization.tsx'
import { Page } from '../../parts/page.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { Deliveries } from './deliveries.tsx'
import type { Hook } from './webhook.ts'
import { SecretOnce, useWebhookNews, WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'

const route = getRouteApi('/inside/webhooks/$id')

export function Webhook() {
  const { t } = useTranslation()
  const { id } = route.useParams()
  const search = route.useSearch()
  const { client, key } = useMemory()
  const mayChange = useIsAdministrator()
  const webhook = useQuery({
    queryKey: ['webhook', ...key, id],
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
  })
  return (
    <Page title={t('webhook.title')}>
      {/* By its own name another webhook has a form of its own. */}
      <Asked query={webhook}>
        {(hook) => (
          <Stack key={hook.id}>
            <Head hook={hook} mayChange={mayChange} />
            <Deliveries hook={hook} search={search} />
            {mayChange ? <Change hook={hook} /> : null}
          </Stack>
        )}
      </Asked>
    </Page>
  )
}

function Head({ hook, mayChange }: { hook: Hook; mayChange: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { client } = useMemory()
  const tell = useWebhookNews()
  const testing = useMutation({
    mutationFn: () => client.webhooks.test(hook.id),
    onSuccess: async ({ id: delivery }) => {
      await tell()
      await navigate({ to: '/webhooks/$id/deliveries/$delivery', params: { id: hook.id, delivery } })
    },
  })
  const rotating = useMutation({
    mutationFn: () => client.webhooks.rotateSecret(hook.id),
    onSuccess: tell,
  })
  return (
    <>
      <Code block dir="auto" className="stored">
        <Shown text={hook.url} />
      </Code>
      {hook.description === null ? null : (
        <Text dir="auto" className="stored">
          <Shown text={hook.description} />
        </Text>
      )}
      <Text>
        {t('webhooks.status')}: {t(`webhooks.status.${hook.status}`)}
      </Text>
      {hook.status === 'disabled' ? <Alert variant="outline">{t('webhook.disabled')}</Alert> : null}
      {mayChange ? (
        <WebhookActions
          hook={hook}
          // What was typed for one that is gone is of no use.
          onGone={() => navigate({ to: '/webhooks', ignoreBlocker: true })}
        >
          <ActButton doing={testing} disabled={hook.status === 'disabled'}>
            {t('webhook.test')}
          </ActButton>
          <Confirm label={t('webhook.rotate')} text={t('webhook.rotateText')} doing={rotating} />
        </WebhookActions>
      ) : null}
      {testing.error === null ? null : <ErrorNote error={testing.error} />}
      {rotating.data === undefined ? null : (
        <SecretOnce key={rotating.data.secret} hook={hook} secret={rotating.data.secret} />
      )}
    </>
  )
}

type Changes = InputOf<'PATCH /v1/webhooks/{webhook_id}'>

function Change({ hook }: { hook: Hook }) {
  const { t } = useTranslation()
  // What somebody types stays when the webhook is asked for anew: the form begins anew after it was saved, and only then.
  const [begun, setBegun] = useState({ hook, saves: 0 })
  const { client } = useMemory()
  const tell = useWebhookNews()
  const changing = useMutation({
    mutationFn: (changes: Changes) => client.webhooks.update(hook.id, changes),
    onSuccess: async (saved) => {
      setBegun({ hook: saved, saves: begun.saves + 1 })
      await tell()
    },
  })
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h3">
          {t('webhook.change')}
        </Title>
        <WebhookForm
          key={begun.saves}
          label={t('webhook.change')}
          given={begun.hook}
          name={`webhook ${hook.id}`}
          onSend={(_wanted, changed: Changes) => changing.mutateAsync(changed)}
          error={changing.error}
          onEdit={() => {
            if (changing.isSuccess) changing.reset()
          }}
        >
          {(isChanged) => (
            <>
              {changing.error === null ? null : <ErrorNote error={changing.error} />}
              {changing.isSuccess ? <Text role="status">{t('webhook.saved')}</Text> : null}
              <Button
                type="submit"
                loading={changing.isPending}
                disabled={!isChanged}
                style={{ alignSelf: 'flex-start' }}
              >
                {t('save')}
              </Button>
            </>
          )}
        </WebhookForm>
      </Stack>
    </Paper>
  )
}
