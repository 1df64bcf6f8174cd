import { Alert, Button, Group, Text } from '@mantine/core'
import {
  type ExportSelection,
  exportPages,
  exportSourceOf,
  type MemoryClient,
  toExport,
} from 'memory-service-sdk'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from './error-note.tsx'
import { Leaving } from './leaving.tsx'
import { type FileSink, keptBytesMax, openSink, TooLargeToKeep } from './save-file.ts'
import { useMemory } from './use-place.ts'
import { useWork } from './use-work.ts'
import { useNumbers } from './when.tsx'
import { Working } from './working.tsx'

interface Progress {
  done: number
  total: number
}

interface Exported {
  lines: number
  /** Vector patterns, which have no text. */
  leftOut: number
}

/** Writes memories to a file, a page at a time. */
async function writeMemories(
  client: MemoryClient,
  selection: ExportSelection,
  sink: FileSink,
  { signal, tell }: { signal: AbortSignal; tell: (progress: Progress) => void },
): Promise<Exported> {
  const exported = { lines: 0, leftOut: 0 }
  try {
    const { count: total } = await client.patterns.count(toExport(selection), { signal })
    for await (const { lines, leftOut } of exportPages(exportSourceOf(client, { signal }), selection)) {
      signal.throwIfAborted()
      await sink.write(lines.join(''))
      exported.lines += lines.length
      exported.leftOut += leftOut
      tell({ done: exported.lines + exported.leftOut, total })
    }
    await sink.close()
    return exported
  } catch (error) {
    await sink.drop()
    throw error
  }
}

/** The button that exports, how far it is, and what came of it. */
export function ExportMemories({ selection, name }: { selection: ExportSelection; name: string }) {
  const { t } = useTranslation()
  const { client } = useMemory()
  const numbers = useNumbers()
  const work = useWork<Progress, Exported>()
  const start = () =>
    void work.run(async (signal, tell) => {
      const sink = await openSink(name, 'application/x-ndjson')
      return writeMemories(client, selection, sink, { signal, tell })
    })
  const { state, progress, result, error } = work
  const isUnchosen = error instanceof DOMException && error.name === 'AbortError'
  return (
    <>
      <Group>
        <Button onClick={start} loading={state === 'running'}>
          {t('data.export.do')}
        </Button>
      </Group>
      {state === 'running' ? <Leaving of="work" /> : null}
      {state === 'running' ? (
        <Working
          label={t('data.export.title')}
          text={
            progress === undefined
              ? t('data.export.begins')
              : t('data.export.progress', { done: numbers(progress.done), total: numbers(progress.total) })
          }
          share={progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined}
          onStop={work.stop}
        />
      ) : null}
      {state === 'stopped' || isUnchosen ? <Text role="status">{t('data.export.stopped')}</Text> : null}
      {state === 'failed' && !isUnchosen ? (
        error instanceof TooLargeToKeep ? (
          <Alert color="red" variant="outline" role="alert" title={t('data.export.tooLarge')}>
            {t('data.export.tooLargeHint', { mb: numbers(keptBytesMax / 1_048_576) })}
          </Alert>
        ) : (
          <ErrorNote error={error} />
        )
      ) : null}
      {result === undefined ? null : (
        <Alert variant="outline" role="status" title={t('data.export.done', { count: result.lines })}>
          {result.leftOut === 0 ? null : t('data.export.leftOut', { count: result.leftOut })}
        </Alert>
      )}
    </>
  )
}
