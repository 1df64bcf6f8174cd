import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Environment, repository } from './environment.ts'

/** Keeps a run's figures in `bench/results/NAME.json`, replacing the previous run's. */
export function writeResult(name: string, environment: Environment, figures: object): void {
  const folder = join(repository, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ environment, ...figures }, rounded, 2)}\n`)
  console.log(`\nKept in bench/results/${name}.json`)
}

/** Timings are not known to more than four decimals. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toFixed(4)) : value
}

/** A Markdown table, columns padded so that it also reads well in a terminal. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
