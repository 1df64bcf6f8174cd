/** Decides which inputs an error may echo: nothing secret, and nothing large. */

/** Fields whose values no error repeats, for any operation. Compared without letter case, `_` and `-`. */
const secretNames = [
  'password',
  'new_password',
  'current_password',
  'token',
  'access_token',
  'refresh_token',
  'mfa_token',
  'code',
  'mfa_code',
  'recovery_code',
  'recovery_codes',
  'secret',
  'client_secret',
  'api_key',
  'x-api-key',
  'authorization',
  'cookie',
] as const

/** Shown in an error in place of a secret. */
export const redacted = '[redacted]'

/** An input with more bytes of JSON is left out of its entry. */
export const inputBytesMax = 8 * 1024
/** The most bytes of all inputs of one answer together. */
export const inputsBytesMax = 64 * 1024
const depthMax = 64

const folded = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')
const alwaysSecret: ReadonlySet<string> = new Set(secretNames.map(folded))

type Echoed = { readonly input: unknown; readonly bytes: number } | 'too_large'

/**
 * Makes the `input` of the entries of one answer. `redact` names further secret fields of the operation. When there are any,
 * objects, lists and whole bodies are not echoed at all, since they may contain a secret under a mistyped name.
 */
export class Echo {
  readonly #secret: (name: string) => boolean
  readonly #scalarsOnly: boolean
  /** Cached results, because the same parent, which may be large, is echoed for each of its missing fields. */
  readonly #seen = new Map<object, Echoed>()
  #left = inputsBytesMax

  constructor(redact: Iterable<string>) {
    const named = new Set([...redact].map(folded))
    this.#scalarsOnly = named.size > 0
    this.#secret = (name) => alwaysSecret.has(folded(name)) || named.has(folded(name))
  }

  /** `{ input }`, with secrets redacted, for an entry at `loc`; `{}` when it is too large. */
  of(input: unknown, loc: readonly (string | number)[]): { input?: unknown } {
    // The first segment says body, query, path or header.
    const [, ...names] = loc
    if (names.some((name) => typeof name === 'string' && this.#secret(name))) return { input: redacted }
    const object = typeof input === 'object' && input !== null
    if (this.#scalarsOnly && input != null && (object || names.length === 0)) return { input: redacted }
    const echoed = object ? this.#once(input) : this.#copy(input)
    if (echoed === 'too_large' || echoed.bytes > this.#left) return {}
    this.#left -= echoed.bytes
    return { input: echoed.input }
  }

  #once(input: object): Echoed {
    const known = this.#seen.get(input)
    if (known !== undefined) return known
    const echoed = this.#copy(input)
    this.#seen.set(input, echoed)
    return echoed
  }

  #copy(input: unknown): Echoed {
    const copier = new Copier(this.#secret)
    const copy = copier.copy(input, 0)
    return copier.left < 0 ? 'too_large' : { input: copy, bytes: inputBytesMax - copier.left }
  }
}

/** Copies JSON with its secrets redacted, and stops soon after the copy has become too large. */
class Copier {
  left = inputBytesMax
  readonly #secret: (name: string) => boolean

  constructor(secret: (name: string) => boolean) {
    this.#secret = secret
  }

  copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#string(value)
    if (typeof value === 'boolean' || value === null) return this.#scalar(value, 5)
    // JSON can't represent infinity, which a body can still contain as 1e999.
    if (typeof value === 'number')
      return this.#scalar(Number.isFinite(value) ? value : null, String(value).length)
    if (typeof value !== 'object') return this.#scalar(null, 4)
    this.left -= depth > depthMax ? inputBytesMax + 1 : 2
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth)
  }

  #scalar<T>(value: T, bytes: number): T {
    this.left -= bytes + 1
    return value
  }

  #string(value: string): string {
    // Escapes and UTF-8 only make a text longer, so one with too many characters need not be encoded to know its bytes.
    const bytes = value.length > this.left ? value.length : Buffer.byteLength(JSON.stringify(value))
    return this.#scalar(value, bytes)
  }

  #list(value: readonly unknown[], depth: number): unknown[] {
    const copy: unknown[] = []
    for (const item of value) {
      if (this.left < 0) break
      copy.push(this.copy(item, depth + 1))
    }
    return copy
  }

  #object(value: object, depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = []
    for (const [key, item] of Object.entries(value)) {
      if (this.left < 0) break
      this.#string(key)
      entries.push([key, this.#secret(key) ? this.#string(redacted) : this.copy(item, depth + 1)])
    }
    // Unlike an assignment, this treats `__proto__` like any other key.
    return Object.fromEntries(entries)
  }
}
