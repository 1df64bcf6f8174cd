import { ApiError } from '@memory/shared/catalogue/errors'
import type { Address, ConflictRule, NewPattern, Placed } from '../store.ts'

/** A batch in which no name is there twice. */
export interface NamedBatch {
  patterns: NewPattern[]
  /** Of each item of the request, the pattern that stands for it. */
  of: number[]
  /** Of each pattern, the item that it was made of. */
  chosen: number[]
}

/**
 * Of items with one name only one is stored, as if they had been stored one after the other: the last, or the first where
 * what is there is kept. @throws ApiError external_id_exists where a name may not be there, or is that of two end users
 */
export function nameBatch(items: NewPattern[], rule: ConflictRule): NamedBatch {
  if (items.every(({ address }) => address?.externalId == null)) {
    const of = items.map((_, i) => i)
    return { patterns: items, of, chosen: of }
  }
  const chosen = new Map<string, number>()
  /** Whose each is by then, and what was said of its protection: a store that says nothing of these leaves them. */
  const lasting = new Map<string, Pick<Address, 'subject' | 'protected'>>()
  for (const [i, { address }] of items.entries()) {
    const name = address?.externalId
    if (name == null) continue
    const before = lasting.get(name)
    const subject = address?.subject === undefined ? before?.subject : address.subject
    const isOfAnother = before?.subject != null && before.subject !== subject
    if (chosen.has(name) && (rule === 'error' || isOfAnother)) throw new ApiError('external_id_exists')
    if (chosen.has(name) && rule !== 'replace') continue
    chosen.set(name, i)
    const asked = address?.protected === undefined ? before?.protected : address.protected
    lasting.set(name, { subject, protected: asked })
  }
  const standIn = items.map(({ address }, i) => chosen.get(address?.externalId ?? '') ?? i)
  const kept = [...new Set(standIn)].sort((a, b) => a - b)
  const placeOf = new Map(kept.map((i, place) => [i, place]))
  return {
    patterns: kept.map((i) => withLasting(items[i] as NewPattern, lasting)),
    of: standIn.map((i) => placeOf.get(i) as number),
    chosen: kept,
  }
}

const withLasting = (
  item: NewPattern,
  lasting: ReadonlyMap<string, Pick<Address, 'subject' | 'protected'>>,
): NewPattern => ({
  ...item,
  address: item.address && { ...item.address, ...lasting.get(item.address.externalId ?? '') },
})

/** What became of an item of a request. */
export interface StoredItem {
  id: string
  /** False for one that took the place of another or was left out for it; null for one that there was no room for. */
  created: boolean | null
}

/** @param placed of the patterns of the batch, in their order */
export function itemsOf({ of }: NamedBatch, placed: readonly Placed[]): StoredItem[] {
  const told = new Set<number>()
  return of.map((place) => {
    const { id, outcome } = placed[place] as Placed
    if (outcome === 'failed') return { id, created: null }
    const created = outcome === 'created' && !told.has(place)
    told.add(place)
    return { id, created }
  })
}
