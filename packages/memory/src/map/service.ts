import { norm } from '@memory/engine/kernels/javascript'
import { faded } from '@memory/engine/learning/association'
import { parameters } from '@memory/engine/parameters'
import { tiers } from '@memory/engine/tiers'
import type { Filter } from '@memory/shared/catalogue/filter'
import { JsonText } from '@memory/shared/catalogue/json-text'
import type { Caller, Input, Output } from '@memory/shared/catalogue/operation'
import { yieldToEventLoop } from '@memory/shared/platform/event-loop'
import type { MemoryContext } from '../context.ts'
import { findMatching } from '../filter/find-matching.ts'
import { PatternSet } from '../index/pattern-set.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { SpaceLearning } from '../learning/space-learning.ts'
import { findShardKeys } from '../patterns/key-lookup.ts'
import { readSpace } from '../spaces/open-space.ts'
import { type Drawing, drawMap, type ReadKeys } from './draw-map.ts'
import type { KnownMap } from './map-cache.ts'
import { findBeginnings, findMapped, type MappedRow } from './map-store.ts'
import type { SpaceMap } from './schema.ts'
import { strongestLinks } from './strongest-links.ts'

type Wanted = Input<typeof SpaceMap>['query']

/** Rows that the database reads at once: the embedded one takes about 10 ms for them. */
const rowsAtOnce = 2_000
/** Patterns that are gone through at once: that takes about a millisecond. */
const lookedAtOnce = 50_000
/** Elements of a list that are written at once. */
const writtenAtOnce = 4_000
const everything: Filter = { kind: 'and', of: [] }
const placeDigits = 4

/** Patterns whose keys can be compared: those of one length. */
interface Comparable {
  dimensions: number
  /** Of keys of this length there may be several: one for each length that keys were projected from. */
  shard: Shard
  patterns: PatternSet
}

/** A map of a space: see the operation. */
export async function spaceMap(
  context: MemoryContext,
  caller: Caller,
  wanted: Wanted,
): Promise<JsonText<Output<typeof SpaceMap>>> {
  const [{ index, learned }, among] = await Promise.all([
    readSpace(context, caller),
    findMatching(context, caller, wanted.filter ?? everything),
  ])
  const map = await context.maps.get(
    caller.spaceId,
    JSON.stringify([caller.subject ?? null, wanted]),
    // What is valid changes with time alone too.
    ({ version, total }) => version >= index.version && total === among.count,
    () => draw(context, caller, wanted, index, among),
  )
  const associations = await associationsOf(map, learned, context.clock.now().getTime())
  return new JsonText(...map.parts, `,"associations":${JSON.stringify(associations)}}`)
}

async function draw(
  context: MemoryContext,
  caller: Caller,
  { limit, dimensions }: Wanted,
  index: SpaceIndex,
  among: PatternSet,
): Promise<KnownMap> {
  const { version } = index
  const lengths = comparableOf(index, among)
  const shown = dimensions === undefined ? lengths[0] : lengths.find((each) => each.dimensions === dimensions)
  const rows = await readRows(context, caller, await spread(shown?.patterns, limit))
  const drawing =
    shown === undefined || rows.size === 0
      ? undefined
      : await drawMap(
          context.compute,
          { organizationId: caller.organizationId },
          [...rows.keys()],
          shown.shard.dimensions,
          keysOf(context, caller, shown.shard),
        )
  const head = {
    total: among.count,
    dimensions: shown?.dimensions ?? dimensions ?? 0,
    lengths: lengths.map((each) => ({ dimensions: each.dimensions, patterns: each.patterns.count })),
    clusters: drawing === undefined ? [] : await clustersOf(context, caller, drawing),
  }
  const parts = [JSON.stringify(head).slice(0, -1)]
  for await (const part of listsOf(drawing, rows)) parts.push(part)
  return { version, total: among.count, indexes: drawing?.indexes ?? new Int32Array(), parts }
}

/** Most first. */
function comparableOf(index: SpaceIndex, among: PatternSet): Comparable[] {
  const lengths = new Map<number, Comparable>()
  for (const shard of index.shards) {
    const { dimensions } = shard
    const patterns = index.allow(shard, among)
    const before = lengths.get(dimensions)
    if (patterns.count === 0) continue
    lengths.set(
      dimensions,
      before === undefined
        ? { dimensions, shard, patterns }
        : { ...before, patterns: joined(before.patterns, patterns) },
    )
  }
  return [...lengths.values()].sort(
    (a, b) => b.patterns.count - a.patterns.count || a.dimensions - b.dimensions,
  )
}

/** Two sets that have nothing in common. */
const joined = (one: PatternSet, other: PatternSet): PatternSet =>
  PatternSet.joined(one.bits, one.count, [...other.from(0)])

/** Some of them, evenly spread in store order. */
async function spread(patterns: PatternSet | undefined, wanted: number): Promise<number[]> {
  const chosen: number[] = []
  if (patterns === undefined) return chosen
  const step = Math.max(1, patterns.count / wanted)
  let seen = 0
  for (let first = 0; seen < patterns.count; ) {
    const page = patterns.page(first, lookedAtOnce)
    for (const idx of page) if (seen++ >= chosen.length * step) chosen.push(idx)
    first = (page.at(-1) ?? 0) + 1
    await yieldToEventLoop(2)
  }
  return chosen
}

async function readRows(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  indexes: readonly number[],
): Promise<Map<number, MappedRow>> {
  const found = new Map<number, MappedRow>()
  for (let from = 0; from < indexes.length; from += rowsAtOnce) {
    for (const row of await findMapped(queries, spaceId, indexes.slice(from, from + rowsAtOnce))) {
      found.set(row.idx, row)
    }
    await yieldToEventLoop(2)
  }
  return found
}

/** Keys at length 1, since what is near is so by the cosine. */
function keysOf({ queries }: Pick<MemoryContext, 'queries'>, { spaceId }: Caller, shard: Shard): ReadKeys {
  const { dimensions } = shard
  return async (wanted) => {
    const keys = await findShardKeys(queries, spaceId, shard, Int32Array.from(wanted))
    const indexes = wanted.filter((idx) => keys.has(idx))
    const rows = new Float32Array(new SharedArrayBuffer(4 * indexes.length * dimensions))
    for (const [row, idx] of indexes.entries()) {
      const key = keys.get(idx) as Float32Array
      const scale = 1 / norm(key)
      for (let i = 0; i < dimensions; i++) rows[row * dimensions + i] = scale * (key[i] as number)
    }
    return { indexes, rows }
  }
}

async function clustersOf(
  { queries, compute }: Pick<MemoryContext, 'queries' | 'compute'>,
  { spaceId, organizationId }: Caller,
  { indexes, places, cluster, typical }: Drawing,
): Promise<Output<typeof SpaceMap>['clusters']> {
  const texts = await findBeginnings(queries, spaceId, typical.flat(), parameters.map.wordChars)
  const words = await compute.mapStep(
    { organizationId },
    { kind: 'words', texts: typical.map((some) => some.flatMap((idx) => texts.get(idx) ?? [])) },
  )
  const middles = typical.map((_, n) => ({ words: words[n] ?? [], patterns: 0, x: 0, y: 0 }))
  for (let row = 0; row < indexes.length; row++) {
    const middle = middles[cluster[row] as number]
    if (middle === undefined) continue
    middle.patterns++
    middle.x += places[2 * row] as number
    middle.y += places[2 * row + 1] as number
  }
  return middles.map(({ words, patterns, x, y }) => ({
    words,
    patterns,
    x: rounded(x / patterns),
    y: rounded(y / patterns),
  }))
}

const rounded = (place: number): number => Number(place.toFixed(placeDigits))

/** The lists of the answer as JSON text, a few milliseconds of work a part. */
async function* listsOf(
  drawing: Drawing | undefined,
  rows: ReadonlyMap<number, MappedRow>,
): AsyncGenerator<string, void> {
  const { indexes, places, cluster } = drawing ?? { indexes: [], places: [], cluster: [] }
  const rowAt = (n: number) => rows.get(indexes[n] as number) as MappedRow
  const lists: Record<string, (n: number) => unknown> = {
    pattern_ids: (n) => rowAt(n).id,
    x: (n) => rounded(places[2 * n] as number),
    y: (n) => rounded(places[2 * n + 1] as number),
    cluster: (n) => cluster[n],
    tier: (n) => tiers.indexOf(rowAt(n).tier),
    created_s: (n) => Math.floor(rowAt(n).created_at.getTime() / 1_000),
  }
  for (const [name, valueAt] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:[`
    for (let from = 0; from < indexes.length; from += writtenAtOnce) {
      const count = Math.min(writtenAtOnce, indexes.length - from)
      const values = Array.from({ length: count }, (_, n) => valueAt(from + n))
      yield `${from === 0 ? '' : ','}${JSON.stringify(values).slice(1, -1)}`
      await yieldToEventLoop(2)
    }
    yield ']'
  }
}

/** The strongest of what use has associated, as it is now. They are looked for and sorted once for what was learned. */
async function associationsOf(
  map: KnownMap,
  learned: SpaceLearning,
  now: number,
): Promise<Output<typeof SpaceMap>['associations']> {
  if (map.strongest?.version !== learned.version)
    map.strongest = await strongestLinks(map.indexes, learned, now)
  const { links } = map.strongest
  return {
    from: links.map(({ from }) => from),
    to: links.map(({ to }) => to),
    strength: links.map(({ weight, at }) => rounded(faded(weight, at, now))),
  }
}
