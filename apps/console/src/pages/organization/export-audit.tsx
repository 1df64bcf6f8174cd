import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { AbortedError } from 'memory-service-sdk'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Leaving } from '../../parts/leaving.tsx'
import { useOnce } from '../../parts/once.ts'
import { saveBlob } from '../../parts/save-file.ts'
import { useMemory } from '../../parts/use-place.ts'
import { useNumbers } from '../../parts/when.tsx'
import type { AuditSearch } from '../../searches.ts'
import { type ExportFormat, exportAudit, exportFormats, pageEntries } from './audit-export.ts'

/** Saves what is filtered as a file, which this page reads page by page. */
export function ExportAudit({ which }: { which: Omit<AuditSearch, 'page'> }) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const { client } = useMemory()
  const [read, setRead] = useState(0)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const exporting = useMutation({
    mutationFn: async (format: ExportFormat) => {
      setRead(0)
      const stopping = new AbortController()
      stop.current = stopping
      const { file, ...told } = await exportAudit({
        format,
        log: client.security.allAuditEntries({ ...which, limit: pageEntries }, stopping),
        onRead: setRead,
      })
      saveBlob(file, `audit-log-${new Date().toISOString().slice(0, 10)}.${format}`)
      return told
    },
  })
  const { begin } = useOnce(exporting)
  const isStopped = exporting.error instanceof AbortedError
  return (
    <Paper withBorder p="md" component="section" aria-label={t('audit.export')}>
      <Stack gap="sm">
        <Title order={2} size="h3">
          {t('audit.export')}
        </Title>
        <Text size="sm">{t('audit.exportText')}</Text>
        {exporting.isPending ? <Leaving of="work" /> : null}
        {exporting.isPending ? (
          <Group>
            <Loader size="xs" aria-hidden />
            <Text role="status">{t('audit.read', { count: read, number: numbers(read) })}</Text>
            <Button variant="default" size="xs" onClick={() => stop.current?.abort()}>
              {t('cancel')}
            </Button>
          </Group>
        ) : (
          <Group>
            {exportFormats.map((format) => (
              <Button key={format} variant="default" size="xs" onClick={() => begin(format)}>
                {t(`audit.export.${format}`)}
              </Button>
            ))}
          </Group>
        )}
        {exporting.error === null || isStopped ? null : <ErrorNote error={exporting.error} />}
        {isStopped ? <Text role="status">{t('audit.stopped')}</Text> : null}
        {exporting.data === undefined ? null : (
          <Alert
            variant="outline"
            role="status"
            title={t('audit.saved', {
              count: exporting.data.entries,
              number: numbers(exporting.data.entries),
            })}
          >
            {exporting.data.isCut ? t('audit.cut') : null}
          </Alert>
        )}
      </Stack>
    </Paper>
  )
}
