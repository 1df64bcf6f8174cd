import { accel } from '@memory/accel'
import { JavascriptShard } from './javascript-shard.ts'
import { NativeShard } from './native-shard.ts'
import type { Shard } from './shard.ts'

/** An empty shard: native where the addon is there, else in JavaScript. */
export function newShard(dimensions: number, sourceDim: number | null, modelId?: string): Shard {
  return accel === null
    ? new JavascriptShard(dimensions, sourceDim, 0, modelId)
    : new NativeShard(new accel.Shard(dimensions), sourceDim, modelId)
}

/** Whether shards can be saved to files and loaded from them. */
export const shardsPersist = accel !== null

/** Loads a shard from its file. @throws for a file that is damaged, foreign or of another mark, and without the addon */
export async function loadShard(
  path: string,
  sourceDim: number | null,
  mark: number,
  modelId?: string,
): Promise<Shard> {
  if (accel === null) throw new Error('Shards are loaded by the native addon only.')
  const shard = await accel.loadShard(path)
  if (shard.version !== mark) throw new Error(`${path} was saved with another snapshot.`)
  return new NativeShard(shard, sourceDim, modelId)
}
