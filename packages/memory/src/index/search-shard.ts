import { accel } from '@memory/accel'
import { kernels, type Matrix, RowFlag } from '@memory/engine/kernels/kernels'
import { hasBit } from './bits.ts'
import type { Found, SearchTarget, ShardSearch } from './shard.ts'

/** Searches a shard with one vector, in the calling thread, which may be any. */
export function searchShard(target: SearchTarget, query: Float32Array, search: ShardSearch): Found {
  if (target.kind === 'native') return native().searchShard(...argumentsOf(target, query, search))
  const { k, minScore, textOnly, allowed } = search
  const rows = allowed && rowsOf(target.matrix, allowed)
  return kernels.nearest(target.matrix, query, k, minScore, {
    requiredFlags: flagsFor(textOnly),
    allowed: rows,
  })
}

/** Searches a shard with each of several vectors, in the calling thread; a native shard is scanned once for all of them. */
export function searchShardMany(
  target: SearchTarget,
  queries: readonly Float32Array[],
  search: ShardSearch,
): Found[] {
  if (target.kind === 'matrix' || queries.length === 0) {
    return queries.map((query) => searchShard(target, query, search))
  }
  return native().searchShardMany(...argumentsOf(target, joined(queries), search))
}

/**
 * Like `searchShardMany`, but in a thread of libuv's pool (Node's four threads for file access). The addon keeps the shard's
 * memory alive meanwhile.
 * @param queries at least one
 */
export function searchShardInLibuv(
  target: NativeTarget,
  queries: readonly Float32Array[],
  search: ShardSearch,
): Promise<Found[]> {
  return native().searchShardLater(...argumentsOf(target, joined(queries), search))
}

type NativeTarget = Extract<SearchTarget, { kind: 'native' }>

/** The arguments of the addon's search functions. */
const argumentsOf = (
  { id }: NativeTarget,
  vectors: Float32Array,
  { k, exactK, minScore, textOnly, allowed }: ShardSearch,
) => [id, vectors, k, exactK, minScore, flagsFor(textOnly), allowed] as const

/** For each row 1 if its pattern is let in, else 0. */
function rowsOf({ count, labels }: Matrix, allowed: Uint8Array): Uint8Array {
  const rows = new Uint8Array(count)
  for (let row = 0; row < count; row++) rows[row] = hasBit(allowed, labels[row] as number) ? 1 : 0
  return rows
}

/** The vectors as one array, row after row. Vectors parsed from one request body lie like that already and are not copied. */
function joined(queries: readonly Float32Array[]): Float32Array {
  const { buffer, byteOffset, byteLength, length } = queries[0] as Float32Array
  const lieSideBySide = queries.every(
    (query, i) => query.buffer === buffer && query.byteOffset === byteOffset + i * byteLength,
  )
  if (lieSideBySide) return new Float32Array(buffer, byteOffset, queries.length * length)
  const all = new Float32Array(queries.length * length)
  for (const [i, query] of queries.entries()) all.set(query, i * length)
  return all
}

function flagsFor(textOnly: boolean): number {
  return textOnly ? RowFlag.alive | RowFlag.text : RowFlag.alive
}

function native(): NonNullable<typeof accel> {
  if (accel === null) throw new Error('A native shard was made without the native addon.')
  return accel
}
