import { Switch, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type AnswerOf, jobStates } from 'memory-service-sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Nothing, Page } from '../../parts/page.tsx'
import { Pages } from '../../parts/pages.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import { askingAgain } from '../../queries.ts'
import { JobRow } from './job-row.tsx'

type Queues = AnswerOf<'GET /v1/admin/queues'>

const route = getRouteApi('/inside/operators/queues')

const refreshMs = 3_000

export function QueuesPage() {
  const { t } = useTranslation()
  const { client } = useMemory()
  const [isLive, setLive] = useState(true)
  const refreshedMs = isLive ? refreshMs : false
  const queues = useQuery({
    queryKey: ['operators', 'queues'],
    queryFn: ({ signal }) => client.admin.queues({ signal }),
    refetchInterval: ({ state }) => askingAgain(state.error, refreshedMs),
  })
  return (
    <Page title={t('queues.title')} text={t('queues.text')}>
      <Switch
        label={t('queues.live')}
        checked={isLive}
        onChange={({ currentTarget }) => setLive(currentTarget.checked)}
      />
      <Asked query={queues}>
        {(queues) => (
          <>
            <Text>
              {t(`queues.in.${queues.kept_in}`)} {t(`queues.by.${queues.worked_by}`)}
            </Text>
            <Counts queues={queues.queues} />
          </>
        )}
      </Asked>
      <Jobs refreshedMs={refreshedMs} />
    </Page>
  )
}

function Counts({ queues }: { queues: Queues['queues'] }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const heads = [
    t('queues.queue'),
    ...jobStates.map((state) => t(`queues.state.${state}`)),
    t('queues.done'),
    t('queues.broken'),
  ]
  return (
    <Listing label={t('queues.title')} heads={heads}>
      {queues.map(({ name, jobs, total_completed: done, total_failed: broken }) => (
        <Table.Tr key={name}>
          <Table.Th scope="row">{t(`queues.name.${name}`)}</Table.Th>
          {jobStates.map((state) => (
            <Table.Td key={state}>
              <PageLink
                to="/operators/queues"
                search={{ queue: name, state }}
                aria-label={`${t(`queues.name.${name}`)}, ${t(`queues.state.${state}`)}: ${numbers(jobs[state])}`}
              >
                {numbers(jobs[state])}
              </PageLink>
            </Table.Td>
          ))}
          <Table.Td>{numbers(done)}</Table.Td>
          <Table.Td>{numbers(broken)}</Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  )
}

/** The jobs of one queue in one state. */
function Jobs({ refreshedMs }: { refreshedMs: number | false }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const { queue = 'chores', state = 'failed', cursor } = route.useSearch()
  const jobs = useQuery({
    queryKey: ['operators', 'queues', queue, state, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.admin.jobs(queue, { state, cursor, limit: 50 }, { signal }),
    refetchInterval: ({ state }) => askingAgain(state.error, refreshedMs),
  })
  const title = t('queues.jobs', { queue: t(`queues.name.${queue}`), state: t(`queues.state.${state}`) })
  const heads = [
    t('queues.job'),
    t('queues.attempts'),
    t('queues.made'),
    t('queues.times'),
    t('queues.error'),
    ...(state === 'failed' ? [t('queues.do')] : []),
  ]
  return (
    <>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Asked query={jobs}>
        {({ jobs, next_cursor: next }) => (
          <>
            {jobs.length === 0 ? (
              <Nothing title={t('queues.none')} />
            ) : (
              <Listing label={title} heads={heads} minWidth={900}>
                {jobs.map((job) => (
                  <JobRow key={job.id} job={job} queue={queue} hasFailed={state === 'failed'} />
                ))}
              </Listing>
            )}
            <Pages cursor={cursor} next={next} />
          </>
        )}
      </Asked>
    </>
  )
}
