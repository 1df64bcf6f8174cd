import { Group, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { Confirm } from '../../parts/confirm.tsx'
import { StoredText } from '../../parts/stored-text.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers, When } from '../../parts/when.tsx'
import type { QueueName } from '../../searches.ts'
import { Act } from './act.tsx'

interface Props {
  job: AnswerOf<'GET /v1/admin/queues/{queue}/jobs'>['jobs'][number]
  queue: QueueName
  hasFailed: boolean
}

/** A job of a queue; one that has failed can be done again, or removed. */
export function JobRow({ job, queue, hasFailed }: Props) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const times = [
    [t('queues.due'), job.due_at],
    [t('queues.started'), job.started_at],
    [t('queues.finished'), job.finished_at],
  ] as const
  return (
    <Table.Tr>
      <Table.Td maw={260} className="stored">
        {job.name}
        <Text size="xs" c="dimmed">
          {job.id}
        </Text>
        {job.space_id === null ? null : (
          <Text size="xs" c="dimmed">
            {t('queues.space', { id: job.space_id })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{t('queues.of', { made: numbers(job.attempts), most: numbers(job.max_attempts) })}</Table.Td>
      <Table.Td>
        <When at={job.created_at} />
      </Table.Td>
      <Table.Td>
        {times.map(([name, at]) =>
          at === null ? null : (
            <div key={name}>
              {name} <When at={at} />
            </div>
          ),
        )}
      </Table.Td>
      <Table.Td maw={360}>{job.error === null ? null : <StoredText text={job.error} />}</Table.Td>
      {hasFailed ? (
        <Table.Td>
          <FailedJob queue={queue} id={job.id} name={job.name} />
        </Table.Td>
      ) : null}
    </Table.Tr>
  )
}

function FailedJob({ queue, id, name }: { queue: QueueName; id: string; name: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const queryClient = useQueryClient()
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ['operators', 'queues'] })
  const retrying = useMutation({ mutationFn: () => client.admin.retryJob(queue, id), onSuccess })
  const removing = useMutation({ mutationFn: () => client.admin.removeJob(queue, id), onSuccess })
  return (
    <Group wrap="nowrap" align="flex-start">
      <Act label={t('queues.retry')} doing={retrying} />
      <Confirm label={t('queues.remove')} text={t('queues.removeText', { name })} doing={removing} />
    </Group>
  )
}
