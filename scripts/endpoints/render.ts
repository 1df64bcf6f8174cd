import { fillMarks } from '../marks.ts'
import { type Contracted, contracted } from './contract.ts'
import { addedTo, answeredBy, type Documented, type OpenApi, takenBy } from './fields.ts'
import { notes } from './notes.ts'

/** How this service has an operation of the specification. */
export interface Compared {
  operation: string
  status: 'same' | 'more' | 'differs' | 'missing'
  /** What differs, what is more, and a note if there is one: a sentence each. */
  how: string[]
}

/** Stands for the answer of an operation whose fields the specification does not tell. */
const unknown = '?'

/** Compares every operation of the specification with the OpenAPI document. */
export function compare(document: OpenApi): Compared[] {
  return contracted.map((each) => {
    const operation = `${each.method} ${each.path}`
    const here = document.paths[each.path]?.[each.method.toLowerCase()]
    if (here === undefined) return { operation, status: 'missing', how: [] }
    const { more, otherwise } = differencesOf(each, here, document)
    const status = otherwise.length > 0 ? 'differs' : more.length > 0 ? 'more' : 'same'
    return {
      operation,
      status,
      how: [...otherwise, ...more, ...(notes[operation] ? [notes[operation]] : [])],
    }
  })
}

function differencesOf(each: Contracted, here: Documented, document: OpenApi) {
  const takes = takenBy(here, document)
  const { status, fields } = answeredBy(here, document)
  const otherwise: string[] = []
  const more: string[] = []
  const tell = (into: string[], what: string, names: string[]) => {
    if (names.length > 0) into.push(`${what} ${names.map((name) => `\`${name}\``).join(', ')}.`)
  }
  if (status !== each.status) otherwise.push(`Answers ${status} instead of ${each.status}.`)
  tell(otherwise, 'Does not take', lackOf(each.takes, takes))
  tell(more, 'Also takes', addedTo(each.takes, takes))
  if (!each.answers.includes(unknown)) {
    tell(otherwise, 'Does not answer', lackOf(each.answers, fields))
    tell(more, 'Also answers', addedTo(each.answers, fields))
  }
  return { more, otherwise }
}

const lackOf = (wanted: string[], here: string[]) => wanted.filter((path) => !here.includes(path))

/** The operations that the specification does not have: how they are called, and what they do. */
export function added({ paths }: OpenApi): { operation: string; summary: string }[] {
  const known = new Set(contracted.map(({ method, path }) => `${method} ${path}`))
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => ({
        operation: `${method.toUpperCase()} ${path}`,
        summary,
      })),
    )
    .filter(({ operation }) => !known.has(operation))
}

/** The tables of `docs/endpoints.md`. */
function renderTables(document: OpenApi): string {
  const compared = compare(document)
  const count = (status: Compared['status']) => compared.filter((each) => each.status === status).length
  const more = added(document)
  return `| of the specification | same | more | differs | missing | added here |
|---|---|---|---|---|---|
| ${[compared.length, count('same'), count('more'), count('differs'), count('missing'), more.length].join(' | ')} |

| operation | | how |
|---|---|---|
${compared.map(({ operation, status, how }) => `| \`${operation}\` | ${status} | ${how.join(' ')} |`).join('\n')}

## Added

| operation | |
|---|---|
${more.map(({ operation, summary }) => `| \`${operation}\` | ${summary} |`).join('\n')}`
}

/** What of an operation says how many queries it counts. */
interface Counting {
  method: string
  path: string
  queries?(body: never): number
}

/** The operations that count against the queries of a day, and those that do by what their body says. */
function renderQueries(operations: readonly Counting[]): string {
  const nameOf = ({ method, path }: Counting) => `\`${method.toUpperCase()} ${path}\``
  const list = (ofBody: boolean) =>
    operations
      .filter(({ queries }) => queries !== undefined && queries.length > 0 === ofBody)
      .map(nameOf)
      .join(', ')
  return `- One each: ${list(false)}.\n- By their body: ${list(true)}.`
}

/** The page with what its marks stand for as of today. @throws where it lacks them */
export function renderPage(page: string, document: OpenApi, operations: readonly Counting[]): string {
  const tables = fillMarks(page, 'endpoints', renderTables(document))
  return fillMarks(tables, 'queries', renderQueries(operations))
}
