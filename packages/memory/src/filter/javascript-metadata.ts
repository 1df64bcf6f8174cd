import type { JsonValue } from '@memory/shared/catalogue/fields-json'
import type { Filter } from '@memory/shared/catalogue/filter'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import { bitsOf, hasBit } from '../index/bits.ts'
import { type FilterDocument, matches } from './matches.ts'
import type { DocumentRow, MetadataFound, MetadataIndex, TimePage } from './metadata-index.ts'

/** About the bytes that a pattern takes beside its metadata; and how many times its JSON text parsed metadata takes. */
const rowBytes = 400
const parsedFactor = 4

/** A row as `matches` takes it. @param text needed only if the filter may ask for it */
export function documentOf(row: DocumentRow, text: string | null = null): FilterDocument {
  return {
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as JsonValue),
    reserved: {
      $subject: row.subject,
      $external_id: row.external_id,
      $category: row.category,
      $tier: row.tier,
      $created_at: row.created_at,
      $updated_at: row.updated_at,
      $occurred_at: row.occurred_at,
      $expires_at: row.expires_at,
    },
    text,
  }
}

/** Metadata in JavaScript, for when there is no native addon: every filter is matched against every pattern. */
export class JavascriptMetadata implements MetadataIndex {
  readonly #documents = new Map<number, { document: FilterDocument; row: Validity; bytes: number }>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Never, so that results are not kept: see `MetadataIndex`. */
  get isTimeless(): boolean {
    return false
  }

  put(rows: readonly DocumentRow[]): void {
    this.remove(rows.map(({ idx }) => idx))
    for (const row of rows) {
      const bytes = rowBytes + parsedFactor * (row.metadata?.length ?? 0)
      const { expires_at, valid_to, enters_at } = row
      this.#documents.set(row.idx, {
        document: documentOf(row),
        row: { expires_at, valid_to, enters_at },
        bytes,
      })
      this.#bytes += bytes
    }
  }

  remove(indexes: readonly number[]): void {
    for (const idx of indexes) {
      this.#bytes -= this.#documents.get(idx)?.bytes ?? 0
      this.#documents.delete(idx)
    }
  }

  page(among: Uint8Array, { field, isDescending, count, after }: TimePage): { idx: number; at: number }[] {
    const sign = isDescending ? -1 : 1
    const end = after && { idx: after.idx, at: after.at ?? 0 }
    type Place = { idx: number; at: number }
    const compare = (a: Place, b: Place) => sign * (a.at - b.at || a.idx - b.idx)
    const places: Place[] = []
    for (const [idx, { document }] of this.#documents) {
      const at = document.reserved[field]
      if (at === null || !hasBit(among, idx)) continue
      if (end === undefined || compare(end, { idx, at }) < 0) places.push({ idx, at })
    }
    return places.sort(compare).slice(0, count)
  }

  async find(filter: Filter, now: number, all: boolean): Promise<MetadataFound> {
    const sure: number[] = []
    const unsure: number[] = []
    const knows = !asksForText(filter)
    // A copy of the keys: a pattern that is replaced during a turn of others moves to the map's end, and would come twice.
    for (const idx of [...this.#documents.keys()]) {
      await yieldToEventLoop()
      const known = this.#documents.get(idx)
      if (known === undefined || !isThere(known.row, now, all)) continue
      if (!knows) unsure.push(idx)
      else if (matches(filter, known.document)) sure.push(idx)
    }
    unsure.sort((a, b) => a - b)
    return { sure: bitsOf(sure), count: sure.length, unsure: Int32Array.from(unsure) }
  }
}

type Validity = Pick<DocumentRow, 'expires_at' | 'valid_to' | 'enters_at'>

/** Whether a pattern is unexpired and, unless all are wanted, valid. */
function isThere({ expires_at, valid_to, enters_at }: Validity, now: number, all: boolean): boolean {
  if (expires_at !== null && expires_at <= now) return false
  return all || ((valid_to === null || valid_to > now) && enters_at === null)
}

/** Whether a filter asks for texts, which the index does not hold. */
function asksForText(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some(asksForText)
    case 'not':
      return asksForText(filter.of)
    default:
      return filter.field === '$text'
  }
}
