import { ApiError } from '@memory/shared/catalogue/errors'
import type { ConflictRule, NewPattern, Placed } from '../store.ts'

/** A batch in which no name is there twice. */
export interface NamedBatch {
  patterns: NewPattern[]
  /** Of each item of the request, the pattern that stands for it. */
  of: number[]
}

/**
 * Of items with one name only one is stored, as if they had been stored one after the other: the last, or the first where
 * what is there is kept. @throws ApiError external_id_exists where a name may not be there, or is that of two end users
 */
export function nameBatch(items: NewPattern[], rule: ConflictRule): NamedBatch {
  if (items.every(({ address }) => address?.externalId == null)) {
    return { patterns: items, of: items.map((_, i) => i) }
  }
  const chosen = new Map<string, number>()
  /** Whose each is by then: a store that says nothing of it leaves it. */
  const subjects = new Map<string, string | null | undefined>()
  for (const [i, { address }] of items.entries()) {
    const name = address?.externalId
    if (name == null) continue
    const other = subjects.get(name)
    const subject = address?.subject === undefined ? other : address.subject
    const isOfAnother = other != null && other !== subject
    if (chosen.has(name) && (rule === 'error' || isOfAnother)) throw new ApiError('external_id_exists')
    if (chosen.has(name) && rule !== 'replace') continue
    chosen.set(name, i)
    subjects.set(name, subject)
  }
  const standIn = items.map(({ address }, i) => chosen.get(address?.externalId ?? '') ?? i)
  const kept = [...new Set(standIn)].sort((a, b) => a - b)
  const placeOf = new Map(kept.map((i, place) => [i, place]))
  return {
    patterns: kept.map((i) => ofSubject(items[i] as NewPattern, subjects)),
    of: standIn.map((i) => placeOf.get(i) as number),
  }
}

function ofSubject(item: NewPattern, subjects: ReadonlyMap<string, string | null | undefined>): NewPattern {
  const subject = subjects.get(item.address?.externalId ?? '')
  return subject == null || item.address === undefined
    ? item
    : { ...item, address: { ...item.address, subject } }
}

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
