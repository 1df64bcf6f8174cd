import type { RunReport } from './run.ts'

const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const ms = (value: number) => (value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`)

/** A run as tables in Markdown. */
export function writeReport(
  name: string,
  { seed, seconds, tally, differences, effects, results }: RunReport,
): string {
  const counts = table(
    ['', 'count'],
    [
      ['acknowledged writes', tally.acknowledged],
      ['lost', differences.lost],
      ['duplicated', differences.duplicated],
      ['foreign', differences.foreign],
      ['half batches', differences.halves],
      ['ambiguous (unanswered or 503)', tally.ambiguous],
      ['effects', effects.expected],
      ['missing effects', effects.missing],
      ['duplicated effects', effects.duplicated],
      ['delivered again under the same id', effects.redelivered],
    ],
  )
  const windows = table(
    ['fault', 'times', 'requests', '5xx', 'slowest 5xx', 'unanswered'],
    [...tally.windows].map(([fault, each]) => [
      fault,
      fault === 'none' ? '' : each.times,
      each.requests,
      each.serverErrors,
      each.serverErrors === 0 ? '' : ms(each.slowestErrorMs),
      each.unanswered,
    ]),
  )
  const times = table(
    ['time', 'samples', 'p50', 'max'],
    [
      ...results.times().map(({ what, count, p50, max }) => [what, count, ms(p50), ms(max)]),
      ['last write until every effect', 1, '', ms(effects.drainMs)],
    ],
  )
  const broken = [...results.broken, ...differences.details].slice(0, 50).map((each) => `- ${each}`)
  return [
    `## ${name}: seed ${seed}, ${Math.round(seconds)} s`,
    counts,
    windows,
    times,
    ...(broken.length === 0 ? [] : [`Broken:\n\n${broken.join('\n')}`]),
  ].join('\n\n')
}
