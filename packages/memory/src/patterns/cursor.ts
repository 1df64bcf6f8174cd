/** A page's end as an opaque text: callers keep it, and only this file reads it. */
export function encodeCursor(idx: number): string {
  return Buffer.from(`after:${idx}`).toString('base64url')
}

/** @returns the idx, or undefined for a text that `encodeCursor` did not give. */
export function decodeCursor(cursor: string): number | undefined {
  const match = /^after:(\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString())
  const idx = match === null ? Number.NaN : Number(match[1])
  return idx <= 0x7fffffff && encodeCursor(idx) === cursor ? idx : undefined
}
