import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { useAsking } from '../../parts/asking.ts'
import { Listing } from '../../parts/listing.tsx'
import { isAdministrator, OfOrganization } from '../../parts/of-organization.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { PageLinks } from '../../parts/pages.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { When } from '../../parts/when.tsx'
import type { AuditSearch } from '../../searches.ts'
import type { AuditEntry } from './audit-export.ts'
import { AuditFilter } from './audit-filter.tsx'
import { entriesOnPage, nextOf } from './audit-pages.ts'
import { ExportAudit } from './export-audit.tsx'

const route = getRouteApi('/inside/audit')

export function Audit() {
  const { t } = useTranslation()
  const { action, success, actor_email, since, until, page } = route.useSearch()
  const navigate = route.useNavigate()
  const asking = useAsking(['audit'])
  // Fields may be filled in of which the address says nothing yet: they are emptied though it stays as it is.
  const [emptied, setEmptied] = useState(0)
  const which = { action, success, actor_email, since, until }
  return (
    <Page title={t('audit.title')}>
      <OfOrganization>
        {({ id, role }) => (
          <>
            <Text>{t(isAdministrator(role) ? 'audit.text.admin' : 'audit.text.member')}</Text>
            {/* Whoever comes by another address finds its fields filled in. */}
            <AuditFilter
              key={`${emptied} ${JSON.stringify(which)}`}
              search={which}
              onSearch={(search) => void asking(() => navigate({ search }))}
              onAll={() => setEmptied(emptied + 1)}
            />
            <Entries which={which} page={page ?? 1} />
            <ExportAudit key={`${id} ${JSON.stringify(which)}`} which={which} />
          </>
        )}
      </OfOrganization>
    </Page>
  )
}

function Entries({ which, page }: { which: Omit<AuditSearch, 'page'>; page: number }) {
  const { t } = useTranslation()
  const { client, key } = useMemory()
  const log = useQuery({
    queryKey: ['audit', ...key, which, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.security.auditLog({ ...which, page, limit: entriesOnPage }, { signal }),
  })
  return (
    <Asked query={log}>
      {({ entries, has_more: hasMore }) => (
        <>
          {entries.length === 0 ? <Nothing title={t('audit.none')} /> : <List entries={entries} />}
          <PageLinks
            first={page === 1 ? undefined : { page: undefined }}
            next={hasMore ? nextOf(page, entries) : undefined}
          />
        </>
      )}
    </Asked>
  )
}

function List({ entries }: { entries: AuditEntry[] }) {
  const { t } = useTranslation()
  return (
    <Listing
      label={t('audit.title')}
      minWidth={800}
      layout="fixed"
      heads={[t('audit.time'), t('audit.action'), t('audit.who'), t('audit.from')]}
    >
      {entries.map((entry, i) => (
        // An entry has no name of its own, and what is shown of a page never changes its order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Entry key={`${entry.timestamp} ${i}`} entry={entry} />
      ))}
    </Listing>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  const { action, actor_email: actor, ip, user_agent: program, details, success, timestamp } = entry
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <When at={timestamp} />
      </Table.Td>
      <Table.Td>
        <Stack gap="xs">
          <Group gap="xs">
            {t(`audit.action.${action}`)}
            {success ? null : (
              <Badge color="red.9" variant="filled">
                {t('audit.failed')}
              </Badge>
            )}
          </Group>
          {details === undefined || Object.keys(details).length === 0 ? null : (
            <Code dir="auto" className="stored">
              <Shown text={JSON.stringify(details)} />
            </Code>
          )}
        </Stack>
      </Table.Td>
      <Table.Td dir="auto" className="stored">
        {actor === '' ? t('audit.service') : <Shown text={actor} />}
      </Table.Td>
      <Table.Td>
        {ip}
        {program === undefined ? null : (
          <Text size="xs" dir="auto" className="stored">
            <Shown text={program} />
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
