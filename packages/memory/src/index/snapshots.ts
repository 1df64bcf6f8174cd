import { randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tiers } from '@memory/engine/tiers'
import { KeyedQueue } from '@memory/shared/platform/keyed-queue'
import { z } from 'zod'
import type { Shard } from './shard.ts'
import { loadShard } from './shards.ts'
import { SpaceIndex } from './space-index.ts'

/** What lies beside the shards of a space: everything else that its index holds. */
const Manifest = z.object({
  format: z.literal(1),
  /** A copy under the name of another space is none of it. */
  spaceId: z.string(),
  /** A random number that all files of one save carry. */
  save: z.int().nonnegative(),
  version: z.int().nonnegative(),
  limit: z.enum(tiers),
  /** The keys of each shard lie in a file of its own, in this order. */
  shards: z.array(z.object({ sourceDim: z.int().nullable() })),
  /** Indexes of patterns that expire, and when, in ms since 1970. */
  expiries: z.array(z.tuple([z.int(), z.int()])),
})
type Manifest = z.infer<typeof Manifest>

export interface Snapshot {
  spaceId: string
  version: number
  /** Of its files; the space takes about as much memory. */
  bytes: number
  /** When it was last what its space holds, in ms since 1970. */
  savedAt: number
}

/** What of a space is in its files: which state, and how much of it is sorted for searches. */
interface Kept {
  index: number
  version: number
  listed: number
  size: number
}

/** A save that was cut off leaves files; one that is under way, here or in another process, has younger ones. */
const abandonedAfterMs = 10 * 60_000
/** A random number of so many values is never drawn twice. */
const saves = 2 ** 48 - 1

/** The snapshots of a data directory. */
export const snapshotsIn = (dataDir: string): Snapshots => new Snapshots(join(dataDir, 'index'))

/**
 * Spaces as files in a folder, so that a start need not read large ones from the database. A space's manifest is
 * written last and under its name only when it is whole, so that whatever happens there is a whole snapshot or none;
 * one that can't be used costs time, never correctness. What is done to one space is done one after the other.
 */
export class Snapshots {
  readonly #folder: string
  readonly #queue = new KeyedQueue<string>()
  // What this process saved or loaded and has not discarded since.
  readonly #kept = new Map<string, Kept>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The index as it was when it was saved; undefined when it was not. @throws for files that can't be used */
  load(
    spaceId: string,
    onChange: (index: SpaceIndex, idx: number) => void,
    modelId?: string,
  ): Promise<SpaceIndex | undefined> {
    return this.#queue.run(spaceId, async () => {
      const manifest = await this.#readManifest(spaceId)
      if (manifest === undefined) return undefined
      const shards: Shard[] = []
      for (const [i, { sourceDim }] of manifest.shards.entries()) {
        shards.push(await loadShard(this.#shardFile(manifest, i), sourceDim, manifest.save, modelId))
      }
      const index = SpaceIndex.restore({ ...manifest, shards }, onChange, modelId)
      this.#kept.set(spaceId, {
        index: index.id,
        version: index.version,
        listed: index.listed,
        size: index.size,
      })
      return index
    })
  }

  /** How many patterns of an index are in files; 0 for one that this process neither saved nor loaded. */
  savedSize(spaceId: string, index: SpaceIndex): number {
    const kept = this.#kept.get(spaceId)
    return kept?.index === index.id ? kept.size : 0
  }

  /** Saves what the index holds; where it is saved already, only that it still is what the space holds. */
  save(spaceId: string, index: SpaceIndex, now: Date): Promise<void> {
    return this.#queue.run(spaceId, async () => {
      const kept = this.#kept.get(spaceId)
      const { listed } = index
      if (kept?.index === index.id && kept.version === index.version && kept.listed === listed) {
        await ifThere(utimes(this.#manifestFile(spaceId), now, now))
        return
      }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      // A damaged one is written over.
      const previous = await this.#readManifest(spaceId).catch(() => undefined)
      const { size } = index
      const { shards, ...contents } = index.contents()
      const save = randomInt(saves)
      const manifest: Manifest = {
        ...contents,
        format: 1,
        spaceId,
        save,
        shards: shards.map(({ sourceDim }) => ({ sourceDim })),
      }
      const unfinished = join(this.#folder, `${spaceId}.${save}.new`)
      try {
        // Changes that reach a shard while it is saved are made again when it is loaded.
        for (const i of manifest.shards.keys()) await shards[i]?.save?.(this.#shardFile(manifest, i), save)
        await writeFile(unfinished, JSON.stringify(manifest), { flush: true })
        await rename(unfinished, this.#manifestFile(spaceId))
      } catch (error) {
        await rm(unfinished, { force: true })
        await this.#removeShards(manifest)
        throw error
      }
      this.#kept.set(spaceId, { index: index.id, version: manifest.version, listed, size })
      if (previous !== undefined) await this.#removeShards(previous)
    })
  }

  /** Removes what is kept of a space, also what is being saved: something of it was forgotten. */
  discard(spaceId: string): Promise<void> {
    return this.#queue.run(spaceId, async () => {
      this.#kept.delete(spaceId)
      // First the manifest: without it the others are no snapshot.
      const isThere = await ifThere(unlink(this.#manifestFile(spaceId)).then(() => true))
      if (isThere === undefined) return
      for (const file of await this.#list()) {
        if (spaceOf(file) === spaceId) await rm(join(this.#folder, file), { force: true })
      }
    })
  }

  /** The snapshots in the folder. Those that can't be read, and what is left of saves that were cut off, go. */
  async cleanUp(now: Date): Promise<Snapshot[]> {
    const snapshots: Snapshot[] = []
    for (const [spaceId, files] of Map.groupBy(await this.#list(), spaceOf)) {
      const manifest = await this.#readManifest(spaceId).catch(() => undefined)
      if (manifest !== undefined) snapshots.push(await this.#describe(manifest))
      for (const file of files) {
        const isOwn =
          manifest !== undefined &&
          (file === `${spaceId}.json` || file.startsWith(`${spaceId}.${manifest.save}.`))
        if (!isOwn && (await this.#isAbandoned(file, now)))
          await rm(join(this.#folder, file), { force: true })
      }
    }
    return snapshots
  }

  /** The spaces that have a snapshot, whether it can be used or not. */
  async list(): Promise<string[]> {
    const files = await this.#list()
    return files.filter((file) => file === `${spaceOf(file)}.json`).map(spaceOf)
  }

  /** Waits for what is being done now. */
  async idle(): Promise<void> {
    await this.#queue.idle()
  }

  async #readManifest(spaceId: string): Promise<Manifest | undefined> {
    const text = await ifThere(readFile(this.#manifestFile(spaceId), 'utf8'))
    if (text === undefined) return undefined
    const manifest = Manifest.parse(JSON.parse(text))
    if (manifest.spaceId !== spaceId) throw new Error(`It is the manifest of space ${manifest.spaceId}.`)
    return manifest
  }

  #manifestFile(spaceId: string): string {
    return join(this.#folder, `${spaceId}.json`)
  }

  #shardFile({ spaceId, save }: Manifest, i: number): string {
    return join(this.#folder, `${spaceId}.${save}.${i}`)
  }

  async #describe(manifest: Manifest): Promise<Snapshot> {
    const { spaceId, version } = manifest
    const found = await ifThere(stat(this.#manifestFile(spaceId)))
    let bytes = 0
    for (const i of manifest.shards.keys()) {
      bytes += (await ifThere(stat(this.#shardFile(manifest, i))))?.size ?? 0
    }
    return { spaceId, version, bytes, savedAt: found?.mtimeMs ?? 0 }
  }

  async #removeShards(manifest: Manifest): Promise<void> {
    for (const i of manifest.shards.keys()) await rm(this.#shardFile(manifest, i), { force: true })
  }

  /** Files of snapshots; others are nobody's business here. */
  async #list(): Promise<string[]> {
    const files = (await ifThere(readdir(this.#folder))) ?? []
    return files.filter((file) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\./.test(file))
  }

  async #isAbandoned(file: string, now: Date): Promise<boolean> {
    const found = await ifThere(stat(join(this.#folder, file)))
    return found !== undefined && now.getTime() - found.mtimeMs > abandonedAfterMs
  }
}

function spaceOf(file: string): string {
  return file.slice(0, file.indexOf('.'))
}

/** Undefined for a file that is not there. */
async function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
