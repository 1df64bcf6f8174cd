import { Button, Group, Modal, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'

type Receipt = AnswerOf<'GET /v1/admin/receipts'>['receipts'][number]

const route = getRouteApi('/inside/operators/receipts')

const named = [
  'patterns',
  'versions',
  'passages',
  'accesses',
  'associations',
  'transitions',
  'trials',
  'compositions',
  'conflicts',
  'traces',
  'answers',
  'exports',
  'spaces',
  'organizations',
] as const
/** Receipts are kept for good: one of another release may count what this one has no words for. */
const isNamed = (what: string): what is (typeof named)[number] => named.some((each) => each === what)

export function Receipts() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { of, cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const receipts = useQuery({
    queryKey: ['operators', 'receipts', of, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.admin.receipts({ organization_id: of, cursor, limit: 50 }, { signal }),
  })
  return (
    <Page title={t('allReceipts.title')} text={t('allReceipts.text')}>
      {of === undefined ? null : (
        <Group>
          <Text className="stored">{t('allReceipts.of', { id: of })}</Text>
          <Button variant="default" size="xs" onClick={() => void navigate({ search: {} })}>
            {t('allReceipts.all')}
          </Button>
        </Group>
      )}
      <Asked query={receipts}>
        {({ receipts, next_cursor: next }) => (
          <>
            {receipts.length === 0 ? <Nothing title={t('allReceipts.none')} /> : <List receipts={receipts} />}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function List({ receipts }: { receipts: Receipt[] }) {
  const { t } = useTranslation()
  const heads = [
    t('allReceipts.when'),
    t('organization'),
    t('allReceipts.what'),
    t('allReceipts.counts'),
    t('allReceipts.receipt'),
  ]
  return (
    <Listing label={t('allReceipts.title')} heads={heads} minWidth={800}>
      {receipts.map((receipt) => (
        <OneReceipt key={receipt.claims.jti} receipt={receipt} />
      ))}
    </Listing>
  )
}

function OneReceipt({ receipt: { receipt, claims, organization_name: name } }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const [isOpen, { open, close }] = useDisclosure()
  const removed = Object.entries(claims.counts).filter(([, count]) => count > 0)
  return (
    <Table.Tr>
      <Table.Td>
        <When at={claims.completed_at} />
      </Table.Td>
      <Table.Td maw={260}>
        {name === null ? (
          t('allReceipts.erased')
        ) : (
          <div dir="auto" className="stored">
            <Shown text={name} />
          </div>
        )}
        <Text size="xs">
          <PageLink to="/operators/receipts" search={{ of: claims.org }}>
            {claims.org}
          </PageLink>
        </Text>
      </Table.Td>
      <Table.Td maw={260} className="stored">
        {claims.space === null ? t('allReceipts.whole') : t('queues.space', { id: claims.space })}
      </Table.Td>
      <Table.Td>
        {removed.map(([what, count]) => (
          <div key={what}>
            {isNamed(what) ? t(`allReceipts.count.${what}`, { count }) : `${numbers(count)} ${what}`}
          </div>
        ))}
      </Table.Td>
      <Table.Td>
        <Button variant="default" size="xs" onClick={open}>
          {t('allReceipts.show')}
        </Button>
        <Modal
          opened={isOpen}
          onClose={close}
          title={t('allReceipts.receipt')}
          closeButtonProps={{ 'aria-label': t('close') }}
          transitionProps={{ duration: 0 }}
        >
          <Text mb="xs">{t('allReceipts.proves')}</Text>
          <Copyable text={receipt} label={t('allReceipts.receipt')} />
        </Modal>
      </Table.Td>
    </Table.Tr>
  )
}
