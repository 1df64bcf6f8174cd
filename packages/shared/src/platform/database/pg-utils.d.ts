/** What is used of node-postgres beyond its own types. */
declare module 'pg/lib/utils' {
  /** A parameter as the protocol has it: text, or bytes in the binary form of its type. */
  export function prepareValue(value: unknown): string | Buffer | null
}
