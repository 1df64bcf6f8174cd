import { Alert, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError } from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { ActButton } from '../../parts/act-button.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { saveBlob } from '../../parts/save-file.ts'
import { useMemory } from '../../parts/use-place.ts'
import { askingAgain } from '../../queries.ts'

/** How often it is asked whether the archive is ready. */
const askEveryMs = 1_000

interface Props {
  /** The archive that was asked for. */
  id: string | undefined
  onAsked: (id: string) => Promise<void>
}

/** Everything that the service keeps of the person, as an archive that is made in the background. */
export function AccountArchive({ id, onAsked }: Props) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const asking = useMutation({
    mutationFn: () => client.users.requestExport(),
    onSuccess: ({ export_id }) => onAsked(export_id),
  })
  const archive = useQuery({
    queryKey: ['archive', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => client.users.getExport(id as string, { signal }),
    refetchInterval: ({ state }) =>
      askingAgain(state.error, state.data?.status === 'pending' ? askEveryMs : false),
  })
  const downloading = useMutation({
    mutationFn: async () => saveBlob(await client.users.downloadExport(id as string), 'memory-account.zip'),
  })
  const error = asking.error ?? downloading.error
  const status = archive.data?.status
  return (
    <>
      <Text>{t('data.archive.text')}</Text>
      <Group>
        <ActButton
          variant={status === 'ready' ? 'default' : 'filled'}
          doing={asking}
          // How the one that was asked for is must be known too: of another it would be told that it is running.
          loading={(id !== undefined && archive.isPending) || status === 'pending'}
        >
          {t('data.archive.do')}
        </ActButton>
        {status === 'ready' ? <ActButton doing={downloading}>{t('data.archive.download')}</ActButton> : null}
      </Group>
      {status === 'pending' ? <Text role="status">{t('data.archive.pending')}</Text> : null}
      {status === 'ready' ? <Text role="status">{t('data.archive.ready')}</Text> : null}
      {status === 'failed' ? (
        <Alert color="red" variant="outline" role="alert" title={t('data.archive.failed')} />
      ) : null}
      {/* The notification that leads here is the organization's, the archive its member's: others have none to fetch. */}
      {archive.error === null ||
      (archive.error instanceof ApiError && archive.error.status === 404) ? null : (
        <ErrorNote error={archive.error} asksAgain />
      )}
      {error === null ? null : <ErrorNote error={error} />}
    </>
  )
}
