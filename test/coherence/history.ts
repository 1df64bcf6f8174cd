/**
 * What clients of one space did and saw, and whether a single memory could have answered so: each request takes effect
 * at one moment between its start and its end (linearisability), so where two overlap either order is right.
 */

/** When a request was sent and when its answer came, as positions in the one order of all such events. */
export interface Interval {
  start: number
  end: number
}

export interface StoredPattern {
  id: string
  /** Texts by themselves; vectors by the length of their key. */
  kind: 'text' | number
  /** Empty for texts. */
  key: string
  /** What filters ask for. */
  group: number
}

/** A new pattern in its first revision. */
export interface Store {
  during: Interval
  pattern: StoredPattern
  revision: number
}

/** A new revision of one pattern: of the one named, or of the newest with a key. */
export interface Change {
  during: Interval
  revision: number
  target: { id: string } | { key: string }
}

/** Nothing of what it covers is there afterwards. */
export interface Removal {
  during: Interval
  covers(pattern: StoredPattern): boolean
}

/** Sees every pattern that is there of those it covers. */
export interface Read {
  what: string
  during: Interval
  covers(pattern: StoredPattern): boolean
  /** Pattern ids with the revision, undefined where the answer does not show it. */
  seen: Map<string, number | undefined>
}

export interface History {
  stores: Store[]
  changes: Change[]
  removals: Removal[]
  reads: Read[]
}

interface Write {
  during: Interval
  revision: number
}

const isBefore = (a: Interval, b: Interval) => a.end < b.start

/** One sentence for everything in a history that no order of its requests explains. */
export function findViolations(history: History): string[] {
  const stored = new Map(history.stores.map((store) => [store.pattern.id, store]))
  const strangers = history.reads.flatMap((read) =>
    [...read.seen.keys()]
      .filter((id) => {
        const store = stored.get(id)
        return store === undefined || !read.covers(store.pattern) || isBefore(read.during, store.during)
      })
      .map((id) => `${read.what} saw ${id}, which nobody had stored so.`),
  )
  const wrong = history.stores.flatMap((store) => {
    const reads = history.reads.filter((read) => read.covers(store.pattern))
    return [...wrongMembership(store, history.removals, reads), ...wrongRevisions(store, history, reads)]
  })
  return [...strangers, ...wrong]
}

function wrongMembership({ during, pattern }: Store, all: Removal[], reads: Read[]): string[] {
  const removals = all.filter((removal) => removal.covers(pattern) && !isBefore(removal.during, during))
  const seeing = reads.filter((read) => read.seen.has(pattern.id))
  // The pattern is surely there from the first answer that says so.
  const knownFrom = Math.min(during.end, ...seeing.map((read) => read.during.end))
  const goneFrom = Math.min(
    ...[...removals, ...reads.filter((read) => !read.seen.has(pattern.id))]
      .filter((each) => each.during.start > knownFrom)
      .map((each) => each.during.end),
  )
  return reads.flatMap((read) => {
    if (read.seen.has(pattern.id))
      return goneFrom < read.during.start ? [`${read.what} saw ${pattern.id}, which was gone.`] : []
    // What a request removes is what it says it saw.
    const mayBeGone = removals.some(
      (removal) => removal.during !== read.during && removal.during.start < read.during.end,
    )
    return knownFrom < read.during.start && !mayBeGone ? [`${read.what} did not see ${pattern.id}.`] : []
  })
}

function wrongRevisions(store: Store, history: History, reads: Read[]): string[] {
  const { id, key } = store.pattern
  const seen = reads.flatMap((read) => {
    const revision = read.seen.get(id)
    return revision === undefined ? [] : [{ ...read, revision }]
  })
  const seenRevisions = new Set(seen.map(({ revision }) => revision))
  const isOfThis = ({ target, revision, during }: Change) => {
    if ('id' in target) return target.id === id
    return target.key === key && (seenRevisions.has(revision) || newest(key, during, history) === id)
  }
  const writes: Write[] = [store, ...history.changes.filter(isOfThis)]
  return seen.flatMap(({ what, during, revision }) => {
    const write = writes.find((each) => each.revision === revision)
    if (write === undefined || isBefore(during, write.during))
      return [`${what} saw ${id} in revision ${revision}, which nobody had written so.`]
    const later = writes.filter((each) => isBefore(write.during, each.during))
    const isOutdated =
      later.some((each) => isBefore(each.during, during)) ||
      seen.some(
        (other) => isBefore(other.during, during) && later.some((each) => each.revision === other.revision),
      )
    return isOutdated ? [`${what} saw ${id} in revision ${revision}, which was outdated.`] : []
  })
}

/** The newest pattern with a key at the time of a request, where no other request makes that uncertain. */
function newest(key: string, during: Interval, { stores, removals }: History): string | undefined {
  const candidates = stores.filter((store) => store.pattern.key === key && !isBefore(during, store.during))
  const last = candidates.toSorted((a, b) => a.during.end - b.during.end).at(-1)
  if (last === undefined || !isBefore(last.during, during)) return undefined
  const others = candidates.filter((store) => store !== last)
  const isRemoved = removals.some(
    (removal) =>
      removal.covers(last.pattern) &&
      !isBefore(removal.during, last.during) &&
      !isBefore(during, removal.during),
  )
  return isRemoved || !others.every((store) => isBefore(store.during, last.during))
    ? undefined
    : last.pattern.id
}
