import { Group, NativeSelect, Table, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { deliveryStatuses } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { type DeliveriesSearch, sentEvents } from '../../searches.ts'
import { type Hook, type Sent, whilePending } from './webhook.ts'

const route = getRouteApi('/inside/webhooks/$id')

interface Props {
  hook: Hook
  search: DeliveriesSearch
}

/** What was sent to a webhook, and what will be, newest first. */
export function Deliveries({ hook, search }: Props) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const { status, event, cursor } = search
  const asked = { status, event_type: event, cursor, limit: 25 }
  const deliveries = useQuery({
    queryKey: ['deliveries', ...key, hook.id, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.webhooks.deliveries(hook.id, asked, { signal }),
    refetchInterval: ({ state: { data, error } }) => whilePending(data?.deliveries ?? [], error),
  })
  const isNarrowed = status !== undefined || event !== undefined
  return (
    <>
      <Title order={2} size="h3">
        {t('deliveries.title')}
      </Title>
      <Narrowing search={search} />
      <Asked query={deliveries}>
        {({ deliveries, next_cursor: next }) => (
          <>
            {deliveries.length === 0 ? (
              <Nothing title={t(isNarrowed ? 'deliveries.noneSuch' : 'deliveries.none')} />
            ) : (
              <List hook={hook} deliveries={deliveries} />
            )}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </>
  )
}

function Narrowing({ search: { status, event } }: Pick<Props, 'search'>) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const every = { value: '', label: t('deliveries.every') }
  return (
    <Group role="group" aria-label={t('deliveries.filter')}>
      <NativeSelect
        label={t('deliveries.status')}
        data={[
          every,
          ...deliveryStatuses.map((value) => ({ value, label: t(`deliveries.status.${value}`) })),
        ]}
        value={status ?? ''}
        onChange={({ target }) => {
          const status = deliveryStatuses.find((each) => each === target.value)
          void navigate({ search: { event, status } })
        }}
      />
      <NativeSelect
        label={t('deliveries.event')}
        data={[every, ...sentEvents]}
        value={event ?? ''}
        onChange={({ target }) => {
          const event = sentEvents.find((each) => each === target.value)
          void navigate({ search: { status, event } })
        }}
      />
    </Group>
  )
}

function List({ hook, deliveries }: { hook: Hook; deliveries: Sent[] }) {
  const { t } = useTranslation()
  return (
    <Listing
      label={t('deliveries.title')}
      minWidth={800}
      heads={[
        t('deliveries.event'),
        t('deliveries.status'),
        t('deliveries.attempts'),
        t('deliveries.answer'),
        t('deliveries.took'),
        t('deliveries.at'),
        t('deliveries.open'),
      ]}
    >
      {deliveries.map((sent) => (
        <Row key={sent.id} hook={hook} sent={sent} />
      ))}
    </Listing>
  )
}

function Row({ hook, sent }: { hook: Hook; sent: Sent }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { event_type: event, status, attempts, response_status: answer, duration_ms: ms } = sent
  const noAnswer = ms === null ? '' : t('deliveries.noAnswer')
  return (
    <Table.Tr>
      <Table.Td>{event}</Table.Td>
      <Table.Td>{t(`deliveries.status.${status}`)}</Table.Td>
      <Table.Td>{numbers(attempts)}</Table.Td>
      <Table.Td>{answer ?? noAnswer}</Table.Td>
      <Table.Td>{ms === null ? '' : t('deliveries.ms', { value: numbers(ms) })}</Table.Td>
      <Table.Td>
        <When at={sent.created_at} />
      </Table.Td>
      <Table.Td>
        <PageLink
          to="/webhooks/$id/deliveries/$delivery"
          params={{ id: hook.id, delivery: sent.id }}
          aria-label={`${t('deliveries.open')}: ${event}, ${t(`deliveries.status.${status}`)}`}
        >
          {t('deliveries.open')}
        </PageLink>
      </Table.Td>
    </Table.Tr>
  )
}
