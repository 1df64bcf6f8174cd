import type { AnswerOf } from 'memory-service-sdk'

export type AuditEntry = AnswerOf<'GET /v1/security/audit-log'>['entries'][number]

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The service's most for a page. */
export const pageEntries = 200
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

interface Export {
  format: ExportFormat
  /** The entries, newest first. */
  log: AsyncIterable<AuditEntry>
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
 * Reads the audit log into a file. What was read is given to the browser's store of files a page at a time, so that this page holds
 * no more of it. @throws what reading throws
 */
export async function exportAudit({ format, log, onRead, bytesMax = fileBytes }: Export): Promise<Exported> {
  const { type, head, row } = written[format]
  const parts = [new Blob([head])]
  let rows: string[] = []
  let entries = 0
  let bytes = 0
  const keep = () => {
    const part = new Blob(rows)
    rows = []
    parts.push(part)
    bytes += part.size
    onRead?.(entries)
  }
  let isCut = false
  for await (const entry of log) {
    isCut = bytes >= bytesMax
    if (isCut) break
    rows.push(row(entry))
    entries++
    if (rows.length === pageEntries) keep()
  }
  if (rows.length > 0) keep()
  return { file: new Blob(parts, { type }), entries, isCut }
}
