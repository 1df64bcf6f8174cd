/**
 * A JSON value in PostgreSQL's text form of `jsonb`: keys are sorted by their length in UTF-8, then by their bytes. The results
 * differ only for numbers that JavaScript writes with an exponent, which PostgreSQL writes out in full.
 */
export function jsonbText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value)
    .map(([key, item]) => ({ key, bytes: Buffer.from(key), item }))
    .sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes))
  return `{${fields.map(({ key, item }) => `${JSON.stringify(key)}: ${jsonbText(item)}`).join(', ')}}`
}
