import { Alert, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import { useSizes } from './use-sizes.ts'

type Backup = AnswerOf<'GET /v1/admin/backups'>['backups'][number]

const route = getRouteApi('/inside/operators/backups')

export function Backups() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { cursor } = route.useSearch()
  const backups = useQuery({
    queryKey: ['operators', 'backups', cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.admin.backups({ cursor, limit: 50 }, { signal }),
  })
  return (
    <Page title={t('backups.title')} text={t('backups.text')}>
      <Copyable text="npm run backup" label={t('backups.command')} />
      <Asked query={backups}>
        {({ folder, folder_state: state, backups, next_cursor: next }) => (
          <>
            <Text className="stored">
              <Shown text={t('backups.folder', { folder })} />
            </Text>
            {state === 'readable' || state === 'missing' ? (
              <Found backups={backups} />
            ) : (
              <Alert color="red" variant="outline" role="alert" title={t('backups.unreadable')}>
                {t(`backups.folder.${state}`)}
              </Alert>
            )}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function Found({ backups }: { backups: Backup[] }) {
  const { t } = useTranslation()
  return backups.length === 0 ? <Nothing title={t('backups.none')} /> : <List backups={backups} />
}

function List({ backups }: { backups: Backup[] }) {
  const { t } = useTranslation()
  const sizes = useSizes()
  const numbers = useNumbers()
  const heads = [
    t('backups.name'),
    t('backups.made'),
    t('backups.size'),
    t('backups.memories'),
    t('backups.of'),
    t('backups.state'),
  ]
  return (
    <Listing label={t('backups.title')} heads={heads}>
      {backups.map(({ name, state, problem, ...found }) => (
        <Table.Tr key={name}>
          <Table.Td maw={320} className="stored">
            <Shown text={name} />
          </Table.Td>
          <Table.Td>{found.created_at === null ? null : <When at={found.created_at} />}</Table.Td>
          <Table.Td>{found.bytes === null ? null : sizes(found.bytes)}</Table.Td>
          <Table.Td>{found.patterns === null ? null : numbers(found.patterns)}</Table.Td>
          <Table.Td>
            {found.database === null
              ? null
              : t(`backups.of.${found.database}`, {
                  version: found.version ?? '',
                  migration: found.migration ?? '',
                })}
          </Table.Td>
          <Table.Td maw={320}>
            {t(`backups.state.${state}`)}
            {problem === null ? null : (
              <Text size="sm" className="stored">
                <Shown text={problem} />
              </Text>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}
