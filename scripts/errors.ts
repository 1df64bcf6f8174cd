import { readFileSync, writeFileSync } from 'node:fs'
import { type ErrorCode, errors } from '@memory/shared/catalogue/errors'
import { fieldRemedies, remedies } from './errors/remedies.ts'
import { fillMarks } from './marks.ts'

/** A table with cells that are not padded: as wide as the longest would make a page of white space. */
const table = (header: string[], rows: string[][]): string =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The catalogue's errors by status; those of one status in the order of the catalogue. */
function errorsTable(): string {
  const codes = Object.keys(errors) as ErrorCode[]
  const rows = codes.toSorted((a, b) => errors[a].status - errors[b].status)
  return table(
    ['status', '`detail`', 'what to do'],
    rows.map((code) => [String(errors[code].status), errors[code].detail, remedies[code]]),
  )
}

/** `docs/errors.md` with the errors as they are. `npm test` fails when it is another. */
export function renderErrors(page: string): string {
  const types = fieldRemedies.map(([types, what]) => [types.map((type) => `\`${type}\``).join(', '), what])
  return fillMarks(
    fillMarks(page, 'errors', errorsTable()),
    'errors: fields',
    table(['`type`', 'what to do'], types),
  )
}

if (import.meta.main) {
  const page = new URL('../docs/errors.md', import.meta.url)
  writeFileSync(page, renderErrors(readFileSync(page, 'utf8')))
}
