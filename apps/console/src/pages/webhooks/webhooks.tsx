import { Button, Code, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { isAdministrator, OfOrganization, useIsAdministrator } from '../../parts/of-organization.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import type { Hook } from './webhook.ts'
import { SecretOnce, useWebhookNews, WebhookActions } from './webhook-actions.tsx'
import { type Wanted, WebhookForm } from './webhook-form.tsx'

export function Webhooks() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const webhooks = useQuery({
    queryKey: ['webhooks', ...key],
    queryFn: ({ signal }) => client.webhooks.list({ signal }),
  })
  const mayMake = useIsAdministrator()
  return (
    <Page title={t('webhooks.title')} text={t('webhooks.text')}>
      <OfOrganization>
        {({ role }) => (isAdministrator(role) ? <NewWebhook /> : <Text>{t('webhooks.notAdmin')}</Text>)}
      </OfOrganization>
      <Title order={2} size="h3">
        {t('webhooks.list')}
      </Title>
      <Asked query={webhooks}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Nothing title={t(mayMake ? 'webhooks.noneMake' : 'webhooks.none')} />
          ) : (
            <List webhooks={webhooks} />
          )
        }
      </Asked>
    </Page>
  )
}

type Made = AnswerOf<'POST /v1/webhooks'>

function NewWebhook() {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const tell = useWebhookNews()
  // None goes from the page for the next one: the secret of each is shown this once.
  const [made, setMade] = useState<Made[]>([])
  const making = useMutation({
    mutationFn: (wanted: Wanted) => client.webhooks.create(wanted),
    onSuccess: async (hook) => {
      setMade((before) => [hook, ...before])
      await tell()
    },
  })
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={2} size="h3">
          {t('webhooks.make')}
        </Title>
        {/* Empty again after each that was made. */}
        <WebhookForm
          key={made.length}
          label={t('webhooks.make')}
          given={{ url: '', event_types: null, description: null }}
          name={`webhook ${key.join(' ')}`}
          onSend={(wanted) => making.mutateAsync(wanted)}
          error={making.error}
        >
          {() => (
            <>
              {making.error === null ? null : <ErrorNote error={making.error} />}
              <Button type="submit" loading={making.isPending} style={{ alignSelf: 'flex-start' }}>
                {t('webhooks.do')}
              </Button>
            </>
          )}
        </WebhookForm>
        {made.map((hook) => (
          <SecretOnce key={hook.id} hook={hook} secret={hook.secret} />
        ))}
      </Stack>
    </Paper>
  )
}

function List({ webhooks }: { webhooks: Hook[] }) {
  const { t } = useTranslation()
  const mayChange = useIsAdministrator()
  return (
    <Listing
      label={t('webhooks.list')}
      minWidth={800}
      heads={[
        t('webhooks.url'),
        t('webhooks.description'),
        t('webhooks.events'),
        t('webhooks.status'),
        ...(mayChange ? [t('webhooks.actions')] : []),
      ]}
    >
      {webhooks.map((hook) => (
        <Row key={hook.id} hook={hook} mayChange={mayChange} />
      ))}
    </Listing>
  )
}

function Row({ hook, mayChange }: { hook: Hook; mayChange: boolean }) {
  const { t } = useTranslation()
  const { id, url, description, event_types: events, status } = hook
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to="/webhooks/$id" params={{ id }}>
          <Code dir="auto" className="stored" c="inherit">
            <Shown text={url} />
          </Code>
        </PageLink>
      </Table.Td>
      <Table.Td dir="auto" className="stored">
        <Shown text={description ?? ''} />
      </Table.Td>
      <Table.Td>{events === null ? t('webhooks.allShort') : events.join(', ')}</Table.Td>
      <Table.Td>{t(`webhooks.status.${status}`)}</Table.Td>
      {mayChange ? (
        <Table.Td>
          <WebhookActions hook={hook} />
        </Table.Td>
      ) : null}
    </Table.Tr>
  )
}
