import 'uplot/dist/uPlot.min.css'
import { Box, Table, Text, useComputedColorScheme } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import UPlot from 'uplot'
import { daySteps, dayTicks, tickTexts, valueSteps } from './chart-ticks.ts'
import { useDays, useLocale, useNumbers, useTimes } from './when.tsx'

export interface Line {
  name: string
  /** One for each time; null where there is none. */
  values: (number | null)[]
}

interface Props {
  /** What it shows, with the unit of its values. */
  label: string
  /** In ascending order. */
  times: Date[]
  /** Whether the times are days, which begin at midnight of UTC, and are shown as days. */
  areDays?: boolean
  /** At most as many as there are {@link colours}. */
  lines: Line[]
  /** Digits after the point of a value. */
  digits?: number
  heightPx?: number
}

/** Shades of the theme that are told from their ground, and from each other, in both schemes. */
const colours = ['indigo', 'orange', 'teal', 'pink', 'gray'] as const

/** Values over time: drawn, and as a table for who does not see the drawing. */
export function Chart({ label, times, areDays = false, lines, digits = 2, heightPx = 200 }: Props) {
  const { t } = useTranslation()
  const titleId = useId()
  return (
    <Box component="figure" m={0} aria-labelledby={titleId}>
      <Text component="figcaption" id={titleId} size="sm" fw={600} mb="xs">
        {label}
      </Text>
      <Drawing times={times} areDays={areDays} lines={lines} heightPx={heightPx} digits={digits} />
      <details>
        <summary>{t('chart.table')}</summary>
        <Values label={label} times={times} areDays={areDays} lines={lines} digits={digits} />
      </details>
    </Box>
  )
}

/** Times as the reader writes them, or days, and what they are called. */
function useTimeWords(areDays: boolean) {
  const { t } = useTranslation()
  const [times, days] = [useTimes(), useDays()]
  return areDays ? { name: t('chart.date'), write: days } : { name: t('chart.time'), write: times }
}

/** The width that the time or the day at a mark takes. */
const markPx = 80

/** What stands for a value where there is none, such as before one points at the drawing. */
const unpointed = '–'

function Drawing({ times, areDays, lines, digits, heightPx }: Omit<Required<Props>, 'label'>) {
  const language = useLocale()
  const place = useRef<HTMLDivElement>(null)
  const numbers = useNumbers()
  const { name: timeName, write } = useTimeWords(areDays)
  const colorScheme = useComputedColorScheme()
  // What it is drawn of is made anew with every rendering; it is drawn anew when it is another.
  const drawn = JSON.stringify([times, areDays, lines, digits, heightPx, colorScheme, language])
  // biome-ignore lint/correctness/useExhaustiveDependencies: all of them are in what is drawn
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const style = getComputedStyle(element)
    const ink = style.getPropertyValue('--mantine-color-text')
    const grid = { stroke: style.getPropertyValue('--mantine-color-default-border'), width: 1 }
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: heightPx,
        series: [
          { label: timeName, value: (_, at) => (at == null ? unpointed : write(new Date(at * 1_000))) },
          ...lines.map(({ name }, at) => ({
            label: name,
            stroke: style.getPropertyValue(`--chart-${colours[at % colours.length]}`),
            width: 2,
            points: { show: times.length < 3 },
            value: (_: UPlot, value: number | null) => (value == null ? unpointed : numbers(value, digits)),
          })),
        ],
        axes: [
          {
            stroke: ink,
            grid,
            space: markPx,
            values: (_, ticks, _axis, _space, step) =>
              tickTexts(ticks, step, { language, timeZone: areDays ? 'UTC' : undefined }),
            ...(areDays
              ? { incrs: daySteps, splits: (_, _axis, from, to, step) => dayTicks(from, to, step) }
              : {}),
          },
          {
            stroke: ink,
            grid,
            size: 64,
            incrs: valueSteps(digits),
            values: (_, ticks) => ticks.map((tick) => numbers(tick, digits)),
          },
        ],
      },
      [times.map((time) => time.getTime() / 1_000), ...lines.map(({ values }) => values)],
      element,
    )
    const watching = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: heightPx }))
    watching.observe(element)
    return () => {
      watching.disconnect()
      chart.destroy()
    }
  }, [drawn])
  return <div ref={place} className="chart" aria-hidden="true" />
}

function Values({
  label,
  times,
  areDays,
  lines,
  digits,
}: Pick<Required<Props>, 'label' | 'times' | 'areDays' | 'lines' | 'digits'>) {
  const numbers = useNumbers()
  const { name, write } = useTimeWords(areDays)
  return (
    <Table.ScrollContainer
      minWidth={300}
      mah="20rem"
      style={{ overflow: 'auto' }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {lines.map(({ name }) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keyed(times).map(({ key, time, at }) => (
            <Table.Tr key={key}>
              <Table.Td>{write(time)}</Table.Td>
              {lines.map(({ name, values }) => {
                const value = values[at]
                return <Table.Td key={name}>{value == null ? '' : numbers(value, digits)}</Table.Td>
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** Times with where they stand and names of their own: several may be of one millisecond. */
function keyed(times: readonly Date[]) {
  return times.map((time, at) => ({ key: `${at} ${time.getTime()}`, time, at }))
}
