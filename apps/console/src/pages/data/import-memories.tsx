import { Button, Fieldset, FileButton, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { Conversion } from '@memory/shared/transfer/formats/convert'
import { formatNames } from '@memory/shared/transfer/formats/formats'
import { startOf } from '@memory/shared/transfer/source-file'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useNumbers } from '../../parts/when.tsx'
import { type Columns, ImportColumns, mappingOf } from './import-columns.tsx'
import { ImportRun } from './import-run.tsx'
import { guess, type Read, sourceFile } from './import-source.ts'

const reads: readonly Read[] = ['lines', ...formatNames]

/** Chooses a file, says what would be stored of it, and stores it. */
export function ImportMemories() {
  const { t } = useTranslation()
  const [file, setFile] = useState<File>()
  const [isOver, setOver] = useState(false)
  const [isStoring, setStoring] = useState(false)
  const forgetChoice = useRef<() => void>(null)
  return (
    <Stack
      onDragOver={(event) => {
        event.preventDefault()
        setOver(!isStoring)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!isStoring) setFile(event.dataTransfer.files[0] ?? file)
      }}
      style={isOver ? { outline: '2px dashed' } : undefined}
    >
      <Text>{t('data.import.text')}</Text>
      <Group>
        <FileButton
          resetRef={forgetChoice}
          onChange={(chosen) => {
            setFile(chosen ?? file)
            // The browser tells of no choice that is the one before, which a file that was mended meanwhile would be.
            forgetChoice.current?.()
          }}
          disabled={isStoring}
          inputProps={{ 'aria-label': t('data.import.file') }}
        >
          {(props) => (
            <Button variant={file === undefined ? 'filled' : 'default'} disabled={isStoring} {...props}>
              {t('data.import.choose')}
            </Button>
          )}
        </FileButton>
        <Text size="sm">{t('data.import.drop')}</Text>
      </Group>
      {file === undefined ? null : (
        <Chosen
          key={`${file.name} ${file.size} ${file.lastModified}`}
          file={file}
          isStoring={isStoring}
          onStoring={setStoring}
        />
      )}
    </Stack>
  )
}

interface ChosenProps {
  file: File
  /** How it is read stays as it is meanwhile. */
  isStoring: boolean
  onStoring: (is: boolean) => void
}

function Chosen({ file, ...storing }: ChosenProps) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const start = useQuery({
    queryKey: ['import', file.name, file.size, file.lastModified],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => startOf(sourceFile(file, signal)),
  })
  return (
    <>
      <Text fw={600}>
        <span dir="auto" className="stored">
          <Shown text={file.name} />
        </span>{' '}
        · {t('data.import.size', { kb: numbers(file.size / 1_000, 2) })}
      </Text>
      <Asked query={start}>{(start) => <Reading file={file} guessed={guess(start)} {...storing} />}</Asked>
    </>
  )
}

function Reading({ file, guessed, isStoring, onStoring }: ChosenProps & { guessed: Read }) {
  const { t } = useTranslation()
  const [read, setRead] = useState(guessed)
  const [subject, setSubject] = useState('')
  const [columns, setColumns] = useState<Columns>()
  const isTable = read === 'csv' || read === 'json'
  const conversion: Conversion | undefined =
    read === 'lines'
      ? undefined
      : { from: read, mapping: mappingOf(isTable ? columns : undefined), subject: subject || undefined }
  return (
    <>
      <Fieldset variant="unstyled" disabled={isStoring}>
        <Stack>
          <Group align="flex-end" grow preventGrowOverflow={false}>
            <NativeSelect
              label={t('data.import.as')}
              data={reads.map((value) => ({
                value,
                label: value === 'lines' ? t('data.import.lines') : t(`data.import.format.${value}`),
              }))}
              value={read}
              onChange={({ target }) => {
                setRead(reads.find((each) => each === target.value) ?? 'lines')
                setColumns(undefined)
              }}
            />
            {read === 'lines' ? null : (
              <TextInput
                label={t('data.import.subject')}
                dir="auto"
                value={subject}
                onChange={({ currentTarget }) => setSubject(currentTarget.value)}
              />
            )}
          </Group>
          {isTable ? (
            <ImportColumns key={read} file={file} from={read} columns={columns} onChange={setColumns} />
          ) : null}
        </Stack>
      </Fieldset>
      {isTable && columns?.fields.text === undefined ? null : (
        <ImportRun
          key={JSON.stringify(conversion ?? null)}
          file={file}
          conversion={conversion}
          onStoring={onStoring}
        />
      )}
    </>
  )
}
