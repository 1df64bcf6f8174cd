import { Code, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Conversion } from '@memory/shared/transfer/formats/convert'
import { DamagedFile } from '@memory/shared/transfer/formats/format'
import { type Look, lookThrough } from '@memory/shared/transfer/look-through'
import { encodingFaultOf } from '@memory/shared/transfer/source-file'
import { useTranslation } from 'react-i18next'
import { Figure } from '../../parts/figure.tsx'
import { Shown } from '../../parts/stored-text.tsx'
import { useNumbers } from '../../parts/when.tsx'
import { LinesList } from './import-lines.tsx'
import { lineSourceOf, parseLine, sourceFile } from './import-source.ts'

export interface Looked {
  look: Look
  /** What of the file is in no line, in a sentence. */
  left: string | undefined
}

/** Samples, and lines that can't be stored, that are shown. */
const kept = 20
const samplesShown = 5

/** What would be stored of a file; the service is not asked. */
export async function lookAt(
  file: File,
  conversion: Conversion | undefined,
  { signal, tell }: { signal: AbortSignal; tell: (lines: number) => void },
): Promise<Looked> {
  const read = sourceFile(file, signal)
  // Converting says it itself; lines of JSON would each be called wrong.
  const fault = conversion === undefined ? await encodingFaultOf(read) : undefined
  if (fault !== undefined) throw new DamagedFile(fault)
  const source = lineSourceOf(read, conversion)
  const look = await lookThrough(source.lines(0, { line: 0 }), {
    parse: parseLine,
    kept,
    onLine: ({ number }) => tell(number),
  })
  return { look, left: source.left().describe() }
}

export function ImportLook({ look, left }: Looked) {
  const { t } = useTranslation()
  const numbers = useNumbers()
  const dropped = [...look.dropped].slice(0, kept)
  return (
    <section aria-label={t('data.import.wouldStore')}>
      <Title order={3} size="h4" mb="xs">
        {t('data.import.wouldStore')}
      </Title>
      <Stack gap="sm">
        <SimpleGrid minColWidth="9rem">
          <Figure name={t('data.import.texts')} value={numbers(look.texts)} />
          {look.vectors === 0 ? null : (
            <Figure name={t('data.import.vectors')} value={numbers(look.vectors)} />
          )}
          {look.expired === 0 ? null : (
            <Figure name={t('data.import.expiredLines')} value={numbers(look.expired)} />
          )}
          {look.invalid === 0 ? null : (
            <Figure name={t('data.import.invalidLines')} value={numbers(look.invalid)} />
          )}
        </SimpleGrid>
        {look.texts + look.vectors + look.expired + look.invalid > 0 ? null : (
          <Text>{t('data.import.nothing')}</Text>
        )}
        <LinesList
          title={t('data.import.reasons')}
          lines={look.reasons.map(({ place, reason }) => [place, reason])}
          count={look.invalid}
        />
        {dropped.length === 0 ? null : (
          <Text size="sm" className="stored" dir="auto">
            {t('data.import.dropped')}{' '}
            <Shown text={dropped.map(([name, count]) => `${name} (${numbers(count)})`).join(', ')} />
            {look.dropped.size > dropped.length ? ' …' : ''}
          </Text>
        )}
        {left === undefined ? null : (
          <Text size="sm" className="stored" dir="auto">
            <Shown text={left} />
          </Text>
        )}
        {look.samples.slice(0, samplesShown).map((sample, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: samples stay where they are
          <Code key={at} block className="stored clamped" dir="auto">
            <Shown text={sample.slice(0, 1_000)} />
          </Code>
        ))}
        <Text size="sm">{t('data.import.checkedAgain')}</Text>
      </Stack>
    </section>
  )
}
