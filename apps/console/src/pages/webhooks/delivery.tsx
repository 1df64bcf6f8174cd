import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { Asked } from '../../parts/asked.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { type Fact, Facts } from '../../parts/facts.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useIsAdministrator } from '../../parts/of-organization.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { StoredText } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { whilePending } from './webhook.ts'
import { useWebhookNews } from './webhook-actions.tsx'

const route = getRouteApi('/inside/webhooks/$id/deliveries/$delivery')

type Details = AnswerOf<'GET /v1/webhooks/{webhook_id}/deliveries/{delivery_id}'>
type Attempt = Details['attempt_history'][number]

export function Delivery() {
  const { t } = useTranslation()
  const { id, delivery } = route.useParams()
  const { client, key } = useMemory()
  const maySend = useIsAdministrator()
  const details = useQuery({
    queryKey: ['delivery', ...key, id, delivery],
    queryFn: ({ signal }) => client.webhooks.delivery(id, delivery, { signal }),
    refetchInterval: ({ state: { data, error } }) => whilePending(data === undefined ? [] : [data], error),
  })
  return (
    <Page title={t('delivery.title')} actions={maySend && details.data !== undefined ? <Again /> : null}>
      <PageLink to="/webhooks/$id" params={{ id }}>
        {t('delivery.back')}
      </PageLink>
      <Asked query={details}>
        {(found) => (
          <>
            <About found={found} />
            <Title order={2} size="h3">
              {t('delivery.attempts')}
            </Title>
            <Attempts attempts={found.attempt_history} />
            <Title order={2} size="h3">
              {t('delivery.payload')}
            </Title>
            <Copyable text={found.payload} label={t('delivery.payload')} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function Again() {
  const { t } = useTranslation()
  const { id, delivery } = route.useParams()
  const { client } = useMemory()
  const tell = useWebhookNews()
  const sending = useMutation({
    mutationFn: () => client.webhooks.redeliver(id, delivery),
    onSuccess: tell,
  })
  return (
    <Stack align="flex-end">
      <ActButton doing={sending}>{t('delivery.again')}</ActButton>
      {sending.error === null ? null : <ErrorNote error={sending.error} />}
    </Stack>
  )
}

function About({ found }: { found: Details }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { event_id, event_type, status, attempts, created_at, next_attempt_at: next } = found
  const facts: Fact[] = [
    [t('delivery.id'), <Code key="id">{event_id}</Code>],
    [t('deliveries.event'), event_type],
    [
      t('deliveries.status'),
      <span key="status" role="status">
        {t(`deliveries.status.${status}`)}
      </span>,
    ],
    [t('deliveries.attempts'), numbers(attempts)],
    [t('deliveries.at'), <When key="at" at={created_at} />],
    [t('delivery.next'), next === null ? null : <When key="next" at={next} />],
  ]
  return <Facts label={t('delivery.title')} facts={facts} />
}

/** The newest first. */
function Attempts({ attempts }: { attempts: Attempt[] }) {
  const { t } = useTranslation()
  if (attempts.length === 0) return <Nothing title={t('delivery.noAttempts')} />
  return (
    <Stack
      component="ol"
      gap="sm"
      p={0}
      m={0}
      style={{ listStyle: 'none' }}
      aria-label={t('delivery.attempts')}
    >
      {attempts.toReversed().map((attempt) => (
        <OneAttempt key={attempt.attempted_at} attempt={attempt} />
      ))}
    </Stack>
  )
}

function OneAttempt({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { attempted_at: at, response_status: status, response_body: body, failure, duration_ms } = attempt
  const ms = numbers(duration_ms)
  return (
    <Paper withBorder p="sm" component="li">
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>
            {status === null ? t('delivery.unanswered', { ms }) : t('delivery.answered', { status, ms })}
          </Text>
          <Text size="xs" c="dimmed">
            <When at={at} />
          </Text>
        </Group>
        {failure === null ? null : <Text>{t(`delivery.failure.${failure}`)}</Text>}
        {body === null ? null : <AnswerBody body={body} />}
      </Stack>
    </Paper>
  )
}

/** Text of a stranger. */
function AnswerBody({ body }: { body: string }) {
  const { t } = useTranslation()
  if (body === '') return <Text size="sm">{t('delivery.empty')}</Text>
  return (
    <>
      <Text size="sm">{t('delivery.body')}</Text>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        <StoredText text={body} />
      </Code>
    </>
  )
}
