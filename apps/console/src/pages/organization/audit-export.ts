import type { AnswerOf } from 'memory-service-sdk'

type AuditPage = AnswerOf<'GET /v1/security/audit-log'>
export type AuditEntry = AuditPage['entries'][number]

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The service's most for a page. */
const pageEntries = 200
/** What a browser holds of a file before it is saved, at most. */
const fileBytes = 256 * 2 ** 20

const columns = ['timestamp', 'action', 'success', 'actor_email', 'ip', 'user_agent', 'details'] as const

/**
 * What spreadsheets take for the beginning of a formula, in their wide forms and after what they trim too. Names, user agents
 * and details are what anybody has sent.
 */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
/** The same where the lists of a country are separated by these, which end a cell there whatever quotes are around it. */
const laterFormula = /([;\t])(?=\s*[=+\-@＝＋－＠])/g

/** A cell of CSV (RFC 4180) that every spreadsheet takes for text. */
export function csvCell(text: string): string {
  const safe = text.replaceAll(laterFormula, "$1'")
  return `"${(formula.test(text) ? `'${safe}` : safe).replaceAll('"', '""')}"`
}

const csvRow = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`

const cellOf = (value: AuditEntry[keyof AuditEntry]) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const written: Record<ExportFormat, { type: string; head: string; row: (entry: AuditEntry) => string }> = {
  csv: {
    type: 'text/csv;charset=utf-8',
    // By the mark before it spreadsheets know its encoding.
    head: `\uFEFF${csvRow(columns)}`,
    row: (entry) => csvRow(columns.map((column) => cellOf(entry[column]))),
  },
  jsonl: {
    type: 'application/jsonl;charset=utf-8',
    head: '',
    row: (entry) => `${JSON.stringify(entry)}\n`,
  },
}

interface Asked {
  page: number
  limit: number
  until: string | undefined
}

interface Export {
  format: ExportFormat
  /** Only what is earlier; undefined for all that there is when the export begins. */
  until?: string | undefined
  /** Answers a page of the log, newest first. */
  read: (asked: Asked) => Promise<AuditPage>
  /** Is told how many entries there are already. */
  onRead?: (entries: number) => void
  /** Bytes after which nothing more is read. */
  bytesMax?: number
}

interface Exported {
  file: Blob
  entries: number
  /** Whether the file was full before all was read. */
  isCut: boolean
}

/**
 * Reads the audit log page by page into a file. What was read is given to the browser's store of files at once, so that the
 * page holds a page of entries at a time. @throws what reading throws
 */
export async function exportAudit({
  format,
  until,
  read,
  onRead,
  bytesMax = fileBytes,
}: Export): Promise<Exported> {
  const { type, head, row } = written[format]
  const parts = [new Blob([head])]
  let entries = 0
  let bytes = 0
  let end = until
  for (let page = 1; ; page++) {
    const answer = await read({ page, limit: pageEntries, until: end })
    // What comes in meanwhile would push entries from one page onto the next.
    end ??= justAfter(answer.entries)
    const part = new Blob(answer.entries.map(row))
    parts.push(part)
    bytes += part.size
    entries += answer.entries.length
    onRead?.(entries)
    const isFull = bytes >= bytesMax
    if (!answer.has_more || isFull) {
      return { file: new Blob(parts, { type }), entries, isCut: answer.has_more }
    }
  }
}

/** The first time that is after all of them. */
function justAfter(entries: readonly AuditEntry[]): string | undefined {
  const times = entries.map(({ timestamp }) => Date.parse(timestamp))
  return times.length === 0 ? undefined : new Date(Math.max(...times) + 1).toISOString()
}
