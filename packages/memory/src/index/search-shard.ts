import { accel } from '@memory/accel'
import { kernels, type Matrix, RowFlag } from '@memory/engine/kernels/kernels'
import { hasBit } from './bits.ts'
import type { Found, SearchTarget, ShardSearch } from './shard.ts'

/** Searches a shard, in whatever thread. */
export function searchShard(target: SearchTarget, query: Float32Array, search: ShardSearch): Found {
  if (target.kind === 'native') return native().searchShard(target.id, query, ...nativeSearch(search))
  const { k, minScore, textOnly, allowed } = search
  const requiredFlags = flagsFor(textOnly)
  const rows = allowed && rowsOf(target.matrix, allowed)
  return kernels.nearest(target.matrix, query, k, minScore, { requiredFlags, allowed: rows })
}

/** The rows of patterns that are let in, a byte each. */
function rowsOf({ count, labels }: Matrix, allowed: Uint8Array): Uint8Array {
  const rows = new Uint8Array(count)
  for (let row = 0; row < count; row++) rows[row] = hasBit(allowed, labels[row] as number) ? 1 : 0
  return rows
}

/** Searches a shard with each of several vectors, in one pass where the shard can. */
export function searchShardMany(
  target: SearchTarget,
  queries: readonly Float32Array[],
  search: ShardSearch,
): Found[] {
  const [first] = queries
  if (target.kind === 'matrix' || first === undefined) {
    return queries.map((query) => searchShard(target, query, search))
  }
  return native().searchShardMany(target.id, joined(queries, first.length), ...nativeSearch(search))
}

/**
 * The same on one of the threads that Node has for files, where the shard can: there and back takes 0.05 ms, where a
 * message to a thread of JavaScript and its answer take 0.15 to 0.2 ms. They are four, so not for searches that take
 * long.
 * @returns undefined where the shard can't
 */
export function searchShardLater(
  target: SearchTarget,
  queries: readonly Float32Array[],
  search: ShardSearch,
): Promise<Found[]> | undefined {
  const [first] = queries
  if (target.kind === 'matrix' || first === undefined) return undefined
  return native().searchShardLater(target.id, joined(queries, first.length), ...nativeSearch(search))
}

/** Row after row, as those of one body lie already. */
function joined(queries: readonly Float32Array[], dimensions: number): Float32Array {
  const { buffer, byteOffset, byteLength } = queries[0] as Float32Array
  const lieSideBySide = queries.every(
    (query, i) => query.buffer === buffer && query.byteOffset === byteOffset + i * byteLength,
  )
  if (lieSideBySide) return new Float32Array(buffer, byteOffset, queries.length * dimensions)
  const all = new Float32Array(queries.length * dimensions)
  for (const [i, query] of queries.entries()) all.set(query, i * dimensions)
  return all
}

/** The native searches' arguments after the queries. */
function nativeSearch({ k, exactK, minScore, textOnly, allowed }: ShardSearch) {
  return [k, exactK, minScore, flagsFor(textOnly), allowed] as const
}

function flagsFor(textOnly: boolean): number {
  return textOnly ? RowFlag.alive | RowFlag.text : RowFlag.alive
}

function native(): NonNullable<typeof accel> {
  if (accel === null) throw new Error('A native shard was made without the native addon.')
  return accel
}
