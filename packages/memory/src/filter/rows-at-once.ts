/** Bytes of rows that are read by one statement, or indexed in one turn: some milliseconds, during which all others wait. */
const readBytes = 512 * 1024
const indexedBytes = 64 * 1024
/** Rows of the first statement, of which nothing is known, and the most and least of others. */
const firstRows = 64
const mostRows = 500
const leastRows = 4
/** About what a row takes beside its texts. */
const rowBytes = 100

interface Row {
  metadata: string | null
  text?: string | null
}

const sizeOf = ({ metadata, text }: Row): number => rowBytes + (metadata?.length ?? 0) + (text?.length ?? 0)

/** How many rows the next statement reads, by the size of those of the last one. @param read undefined at first */
export function rowsOfNext(read?: readonly Row[]): number {
  if (read === undefined || read.length === 0) return firstRows
  const bytes = read.reduce((sum, row) => sum + sizeOf(row), 0)
  return Math.min(mostRows, Math.max(leastRows, Math.floor((readBytes * read.length) / bytes)))
}

/** Parts of rows that are each indexed in one turn. */
export function* turnsOf<R extends Row>(rows: readonly R[]): Generator<R[]> {
  let first = 0
  let bytes = 0
  for (const [i, row] of rows.entries()) {
    bytes += sizeOf(row)
    if (bytes < indexedBytes && i < rows.length - 1) continue
    yield rows.slice(first, i + 1)
    first = i + 1
    bytes = 0
  }
}
