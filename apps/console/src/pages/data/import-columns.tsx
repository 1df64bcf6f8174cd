import { Checkbox, NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { WrongFormat } from '@memory/shared/transfer/formats/convert'
import { type Mapping, UnexpectedShape } from '@memory/shared/transfer/formats/format'
import { mappedFields, shapeOf } from '@memory/shared/transfer/formats/table'
import { startOf } from '@memory/shared/transfer/source-file'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Asked } from '../../parts/asked.tsx'
import { Nothing } from '../../parts/page.tsx'
import { ImportFault } from './import-fault.tsx'
import { sourceFile } from './import-source.ts'

/** Which column of a table holds what. */
export interface Columns {
  /** The list within the file, where its root is an object. */
  items: string | undefined
  /** By fields of a memory. */
  fields: Readonly<Record<string, string>>
  /** Whether all other columns become metadata. */
  hasOthers: boolean
}

/** As the import takes it. */
export const mappingOf = (columns: Columns | undefined): Mapping => ({
  columns: { ...columns?.fields, ...(columns?.hasOthers ? { metadata: '*' } : {}) },
  items: columns?.items,
})

/** What columns of texts are called elsewhere. */
const textNames = ['text', 'content', 'memory', 'body', 'message', 'note', 'fact', 'value']

const guess = (names: readonly string[]): Record<string, string> => {
  const text = textNames.find((name) => names.includes(name))
  const same = mappedFields.filter((field) => field !== 'text' && names.includes(field))
  return { ...(text === undefined ? {} : { text }), ...Object.fromEntries(same.map((name) => [name, name])) }
}

interface Props {
  file: File
  from: 'csv' | 'json'
  columns: Columns | undefined
  onChange: (columns: Columns) => void
}

export function ImportColumns({ file, from, columns, onChange }: Props) {
  const { t } = useTranslation()
  const items = columns?.items
  const shape = useQuery({
    queryKey: ['import', file.name, file.size, file.lastModified, from, items],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const source = sourceFile(file, signal)
      try {
        return await shapeOf(source, from, items)
      } catch (error) {
        if (!(error instanceof UnexpectedShape)) throw error
        throw new WrongFormat(from, await startOf(source), error)
      }
    },
  })
  const { data } = shape
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the reader has chosen since stays
  useEffect(() => {
    if (data === undefined) return
    const list = items ?? data.lists[0]
    onChange({ items: list, fields: guess(data.columns), hasOthers: columns?.hasOthers ?? true })
  }, [data])
  const set = (field: string, column: string) => {
    if (columns === undefined) return
    const { [field]: _, ...others } = columns.fields
    onChange({ ...columns, fields: column === '' ? others : { ...others, [field]: column } })
  }
  // A file of the reader's that is another than they say is no fault of this page.
  if (shape.error instanceof WrongFormat) return <ImportFault error={shape.error} />
  return (
    <Asked query={shape}>
      {({ columns: names, lists }) =>
        names.length === 0 && lists.length === 0 ? (
          <Nothing title={t('data.import.noColumns')} />
        ) : (
          <>
            <Text size="sm">{t('data.import.columns')}</Text>
            <SimpleGrid minColWidth="11rem">
              {lists.length === 0 ? null : (
                <NativeSelect
                  label={t('data.import.list')}
                  data={lists}
                  value={items ?? ''}
                  onChange={({ target }) =>
                    onChange({ items: target.value, fields: {}, hasOthers: columns?.hasOthers ?? true })
                  }
                />
              )}
              {mappedFields.map((field) => (
                <NativeSelect
                  key={field}
                  label={field}
                  required={field === 'text'}
                  data={[{ value: '', label: t('data.import.noColumn') }, ...names]}
                  value={columns?.fields[field] ?? ''}
                  onChange={({ target }) => set(field, target.value)}
                />
              ))}
            </SimpleGrid>
            <Checkbox
              label={t('data.import.others')}
              checked={columns?.hasOthers ?? true}
              onChange={({ currentTarget }) => {
                if (columns !== undefined) onChange({ ...columns, hasOthers: currentTarget.checked })
              }}
            />
          </>
        )
      }
    </Asked>
  )
}
