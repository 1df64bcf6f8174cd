/**
 * A JSON value as PostgreSQL writes a `jsonb` of it: keys in the order of their lengths in UTF-8, those of one length in
 * the order of their bytes. Numbers that JavaScript writes with an exponent, it writes out in full.
 */
export function jsonbText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value)
    .map(([key, item]) => ({ key, bytes: Buffer.from(key), item }))
    .sort((a, b) => a.bytes.length - b.bytes.length || Buffer.compare(a.bytes, b.bytes))
  return `{${fields.map(({ key, item }) => `${JSON.stringify(key)}: ${jsonbText(item)}`).join(', ')}}`
}
