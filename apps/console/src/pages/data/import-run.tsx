import { Alert, Button, Checkbox, Group, Text } from '@mantine/core'
import type { ImportState } from '@memory/shared/transfer/batches'
import type { Conversion } from '@memory/shared/transfer/formats/convert'
import type { Look } from '@memory/shared/transfer/look-through'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Leaving } from '../../parts/leaving.tsx'
import { organizationAt, useOrganizations } from '../../parts/of-organization.tsx'
import { useMemory } from '../../parts/use-place.ts'
import { useWork } from '../../parts/use-work.ts'
import { useNumbers } from '../../parts/when.tsx'
import { Working } from '../../parts/working.tsx'
import { ImportFault } from './import-fault.tsx'
import { LinesList } from './import-lines.tsx'
import { ImportLook, type Looked, lookAt } from './import-look.tsx'
import { findImport, importName, keepImport, newImport } from './import-state.ts'
import { type Stored, storeFile } from './import-store.ts'

interface Importing {
  file: File
  /** How it is read; undefined for lines of JSON. */
  conversion: Conversion | undefined
}

interface Storing {
  /** Whether it is being stored, which a change of what is read would end. */
  onStoring: (is: boolean) => void
}

/** A file that is read in some way: what would be stored, and storing it. */
export function ImportRun({ file, conversion, onStoring }: Importing & Storing) {
  const { t } = useTranslation()
  const looking = useWork<number, Looked>()
  const [isStoring, setStoring] = useState(false)
  const tellStoring = useCallback(
    (is: boolean) => {
      setStoring(is)
      onStoring(is)
    },
    [onStoring],
  )
  const look = () => void looking.run((signal, tell) => lookAt(file, conversion, { signal, tell }))
  const { state, progress, result, error } = looking
  return (
    <>
      <Group>
        <Button
          variant={result === undefined ? 'filled' : 'default'}
          onClick={look}
          loading={state === 'running'}
          disabled={isStoring}
        >
          {t('data.import.look')}
        </Button>
      </Group>
      {state === 'running' ? (
        <Working
          label={t('data.import.look')}
          text={t('data.import.looking', { count: progress ?? 0 })}
          onStop={looking.stop}
        />
      ) : null}
      {state === 'failed' ? <ImportFault error={error} /> : null}
      {result === undefined ? null : (
        <>
          <ImportLook {...result} />
          <Store file={file} conversion={conversion} look={result.look} onStoring={tellStoring} />
        </>
      )}
    </>
  )
}

function Store({ file, conversion, look, onStoring }: Importing & Storing & { look: Look }) {
  const { t } = useTranslation()
  const { client, key, place } = useMemory()
  const queryClient = useQueryClient()
  const organization = organizationAt(place.org, useOrganizations().data?.organizations ?? [])
  const [skipInvalid, setSkips] = useState(false)
  const storing = useWork<ImportState, Stored>()
  const name = importName(file, conversion, `${organization?.id ?? ''} ${key[1]}`)
  const before = findImport(name)
  const start = (from: ImportState) =>
    void storing.run(async (signal, tell) => {
      const save = (state: ImportState) => keepImport(name, state)
      const stored = await storeFile(file, conversion, { client, from, skipInvalid, signal, tell, save })
      await queryClient.invalidateQueries()
      return stored
    })
  const isRunning = storing.state === 'running'
  useEffect(() => {
    onStoring(isRunning)
    return () => onStoring(false)
  }, [isRunning, onStoring])
  const canStart = look.texts + look.vectors > 0 && (look.invalid === 0 || skipInvalid)
  const canGoOn = before !== undefined && !before.complete
  return (
    <>
      {before === undefined || isRunning || storing.state === 'done' ? null : (
        <Text role="status">
          {t(canGoOn ? 'data.import.begun' : 'data.import.before', { count: before.stored })}
        </Text>
      )}
      <Checkbox
        label={t('data.import.skip')}
        checked={skipInvalid}
        onChange={({ currentTarget }) => setSkips(currentTarget.checked)}
      />
      <Group>
        {canGoOn ? (
          <Button onClick={() => start(before)} loading={isRunning} disabled={!canStart}>
            {t('data.import.goOn')}
          </Button>
        ) : null}
        <Button
          variant={before === undefined ? 'filled' : 'default'}
          onClick={() => start(newImport())}
          loading={isRunning}
          disabled={!canStart}
        >
          {t(before === undefined ? 'data.import.do' : 'data.import.again')}
        </Button>
      </Group>
      {isRunning ? <Leaving of="work" /> : null}
      {isRunning ? <Underway state={storing.progress} end={look.end} onStop={storing.stop} /> : null}
      {storing.state === 'failed' ? <ImportFault error={storing.error} /> : null}
      {storing.result === undefined ? null : <Outcome {...storing.result} />}
    </>
  )
}

interface UnderwayProps {
  state: ImportState | undefined
  /** Bytes of all lines. */
  end: number
  onStop: () => void
}

function Underway({ state, end, onStop }: UnderwayProps) {
  const { t } = useTranslation()
  const share = state === undefined || end === 0 ? undefined : Math.min(1, state.offset / end)
  return (
    <Working
      label={t('data.import.title')}
      text={t('data.import.progress', { count: state?.stored ?? 0 })}
      share={share}
      onStop={onStop}
    />
  )
}

function Outcome({ state, replayed, left }: Stored) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  return (
    <>
      <Alert variant="outline" role="status" title={t('data.import.done', { count: state.stored })}>
        {state.expired === 0 ? null : (
          <Text size="sm">{t('data.import.expired', { count: state.expired })}</Text>
        )}
        {replayed === 0 ? null : (
          <Text size="sm">{t('data.import.replayed', { value: numbers(replayed) })}</Text>
        )}
      </Alert>
      <LinesList
        title={t('data.import.leftOut', { count: state.invalid })}
        lines={left}
        count={state.invalid}
      />
    </>
  )
}
