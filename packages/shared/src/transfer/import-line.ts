import { isObject } from '../catalogue/fields-json.ts'
import { membersOf } from './json-members.ts'
import type { Line } from './lines.ts'

/** What a line can be stored as: by which operation, and in which list of its body. */
export const kinds = {
  text: { route: 'POST /v1/memory/text/batch-store', list: 'items' },
  vector: { route: 'POST /v1/memory/batch/store', list: 'patterns' },
} as const

type Kind = keyof typeof kinds

export interface Item {
  kind: Kind
  /** The item as it is sent: each field as the line has it, since parsing and writing would round numbers. */
  json: string
}

export type ParsedLine =
  | {
      kind: 'item'
      item: Item
      /** Its own id, where it has one: a line with the id of another takes that one's place. */
      externalId?: string
      /** Its `pattern_id` in the space that it was exported from. */
      patternId?: string
      /** Fields with a value that the service does not store. */
      dropped: string[]
    }
  | { kind: 'blank' }
  /** The item's `expires_at` has passed, or its validity ended before it began, so nobody would ever see it. */
  | { kind: 'expired' }
  | { kind: 'invalid'; reason: string }

/** A line that can't be stored, and why. */
export class InvalidLine extends Error {}

/** The service's rules for items, as far as whoever imports knows them. */
export interface LineRules {
  /** The fields that items of a kind may have. */
  fields: Readonly<Record<Kind, readonly string[]>>
  /** Categories of which a memory is protected unless somebody says otherwise. */
  protectedCategories: ReadonlySet<string>
  /**
   * Checks an item as far as that is possible before it is sent.
   * @returns when it expires, and what is wrong with the time in which it is valid @throws InvalidLine
   */
  check(
    kind: Kind,
    item: Record<string, unknown>,
  ): { expiresAt?: Date | null; validityFault?: string | undefined }
}

/**
 * The field that names the pattern whose place an item takes. It is not imported: the pattern may not exist in this space (ids
 * are given anew, and its line may have been left out), and one wrong link would keep a whole batch from being stored.
 */
const link = 'supersedes'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads one line of an import, so that a bad line is named before anything is sent. */
export function parseLine(line: Line, now: number, rules: LineRules): ParsedLine {
  const { fields, check } = rules
  try {
    if (line.fault !== undefined) throw new InvalidLine(line.fault)
    if (line.bytes === undefined) throw new InvalidLine('the line is too long')
    const source = decode(line.bytes).trim()
    if (source === '') return { kind: 'blank' }
    const value = parseObject(source)
    // An export gives the vectors of texts as well; the service makes them anew.
    const kind = value.text == null && value.key != null ? 'vector' : 'text'
    const stored = fields[kind].filter((name) => name !== link)
    const sources = new Map<string, string>()
    const dropped: string[] = []
    for (const [name, text] of membersOf(source)) {
      if (sources.has(name)) dropped.push(`${name} (the first of two)`)
      if (isDefault(name, value, rules)) continue
      if (stored.includes(name)) sources.set(name, text)
      else if (text !== 'null') dropped.push(name)
    }
    // An export writes null for the value of a pattern whose value is its key.
    if (kind === 'vector' && value.value === null) {
      value.value = value.key
      sources.set('value', sources.get('key') as string)
    }
    if (kind === 'text' && value.text == null) {
      const names = Object.keys(value).slice(0, 10).join(', ')
      throw new InvalidLine(
        `it has neither a text nor a key${names === '' ? '' : `; its fields are ${names}`}`,
      )
    }
    const own = Object.fromEntries(
      stored.filter((name) => !isDefault(name, value, rules)).map((name) => [name, value[name]]),
    )
    const { expiresAt, validityFault } = check(kind, own)
    if (expiresAt != null && expiresAt.getTime() <= now) return { kind: 'expired' }
    if (validityFault !== undefined) {
      // In an export, this is a pattern that another one replaced before it was stored, or before it began to be valid.
      if ((value.superseded_by ?? value.pattern_id) != null) return { kind: 'expired' }
      throw new InvalidLine(`valid_to: ${validityFault}`)
    }
    const members = [...sources].map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    const externalId = own.external_id
    return {
      kind: 'item',
      item: { kind, json: `{${members.join(',')}}` },
      ...(typeof externalId === 'string' && { externalId }),
      ...(typeof value.pattern_id === 'string' && { patternId: value.pattern_id }),
      dropped,
    }
  } catch (error) {
    if (error instanceof InvalidLine) return { kind: 'invalid', reason: error.message }
    throw error
  }
}

/**
 * Whether a field of an export only repeats what follows from others: that a memory is valid since it occurred, or protected
 * by its metadata or category. Stored as said, it would not follow a change of these any more. Of what had ended when it was
 * stored, and nobody said since when it was so, both times follow from that: only the end is stored again.
 */
function isDefault(name: string, line: Record<string, unknown>, { protectedCategories }: LineRules): boolean {
  const { pattern_id, asked_protected: asked, metadata } = line
  if (pattern_id == null) return false
  if (name === 'valid_from') return line.valid_from === line.occurred_at || hadEnded(line)
  if (name === 'occurred_at') return hadEnded(line)
  if (name !== 'protected') return false
  if (asked !== undefined) return asked === null
  // Exports of before said of every memory whether it is protected, and of none whether somebody said so.
  const stated = isObject(metadata) ? metadata : {}
  const category = line.category ?? stated.category
  const follows =
    stated.protected === true || (typeof category === 'string' && protectedCategories.has(category))
  return line.protected === follows
}

const hadEnded = ({ occurred_at, valid_from, valid_to }: Record<string, unknown>): boolean =>
  valid_from === valid_to && Date.parse(String(valid_to)) < Date.parse(String(occurred_at))

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new InvalidLine('it is not UTF-8')
  }
}

function parseObject(source: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    throw new InvalidLine('it is not JSON')
  }
  if (!isObject(value)) throw new InvalidLine('it is not a JSON object')
  return value
}
