import { randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tiers } from '@memory/engine/tiers'
import { KeyedQueue } from '@memory/shared/platform/keyed-queue'
import { z } from 'zod'
import type { Shard } from './shard.ts'
import { loadShard } from './shards.ts'
import { SpaceIndex } from './space-index.ts'

/** `Expiries.all` as base64, since a list of a million takes a second to check. The first snapshots have it as pairs in lists. */
const Expiries = z
  .union([
    z.string().transform((text) => new Float64Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)),
    z.array(z.tuple([z.int(), z.int()])).transform((pairs) => Float64Array.from(pairs.flat())),
  ])
  .refine((numbers) => numbers.length % 2 === 0 && numbers.every(Number.isSafeInteger))

/** The JSON file of a snapshot: everything that an index holds except the keys, which lie in one file per shard. */
const Manifest = z.object({
  format: z.literal(1),
  /** Checked against the file's name, so that a file copied from another space is refused. */
  spaceId: z.string(),
  /** A random number in the names and contents of all files of one save. */
  save: z.int().nonnegative(),
  version: z.int().nonnegative(),
  /** See `SpaceIndex.limit`. */
  limit: z.enum(tiers),
  /** The shards, in the order of the numbers of their files. */
  shards: z.array(z.object({ sourceDim: z.int().nullable() })),
  expiries: Expiries,
  /** See `Expiries.leftOutBy`; the first snapshots don't say. */
  leftOutBy: z.int().default(0),
})
type Manifest = z.infer<typeof Manifest>

export interface Snapshot {
  spaceId: string
  version: number
  /** Size of its files; in memory the space takes about as much. */
  bytes: number
  /** When its space was last in memory, as far as is known, in ms since 1970. */
  savedAt: number
}

/** What the files of a space hold. */
interface Kept {
  /** `SpaceIndex.id` of the index that was saved or loaded. */
  index: number
  version: number
  /** Patterns in inverted lists. */
  listed: number
  /** Patterns. */
  size: number
  /** `SpaceIndex.changes`. */
  changes: number
  /** When it was saved; of one that was loaded, when its space was last in memory before. In ms since 1970. */
  at: number
}

/**
 * Files that belong to no manifest are removed at this age. Younger ones may belong to a save that is under way, here or in
 * another process.
 */
const abandonedAfterMs = 10 * 60_000
/** Save numbers are random below this: too many for one to be drawn twice. */
const saves = 2 ** 48 - 1

const folderIn = (dataDir: string): string => join(dataDir, 'index')

/** The snapshots of a data directory. */
export const snapshotsIn = (dataDir: string): Snapshots => new Snapshots(folderIn(dataDir))

/** Removes all that processes with native kernels have saved: one without them can't keep what is erased out of it. */
export const removeSnapshots = (dataDir: string): Promise<void> =>
  rm(folderIn(dataDir), { recursive: true, force: true })

/**
 * Large spaces saved as files in a folder, so that a start need not read them from the database. Crash-safe: the manifest is
 * written last, to a temporary name, and renamed, so there is a whole snapshot or none. An unusable snapshot costs time, never
 * correctness. Operations on one space run one after the other.
 */
export class Snapshots {
  readonly #folder: string
  readonly #queue = new KeyedQueue<string>()
  // By space: what this process last saved or loaded, and has not discarded since.
  readonly #kept = new Map<string, Kept>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Loads the index as it was saved; undefined without a snapshot. @throws for files that can't be used */
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
      this.#kept.set(spaceId, stateOf(index, await this.#touchedAt(spaceId)))
      return index
    })
  }

  /** What the files of a space hold, if they are of this index, which was saved or loaded. */
  keptOf(spaceId: string, index: SpaceIndex): Readonly<Kept> | undefined {
    const kept = this.#kept.get(spaceId)
    return kept?.index === index.id ? kept : undefined
  }

  /** Notes, by the manifest's mtime, that a space is in memory. */
  note(spaceId: string, now: Date): Promise<void> {
    return this.#queue.run(spaceId, () => this.#touch(spaceId, now))
  }

  async #touch(spaceId: string, now: Date): Promise<void> {
    await ifThere(utimes(this.#manifestFile(spaceId), now, now))
  }

  /** When a space was last touched or saved, in ms since 1970; 0 without a manifest. */
  async #touchedAt(spaceId: string): Promise<number> {
    return (await ifThere(stat(this.#manifestFile(spaceId))))?.mtimeMs ?? 0
  }

  /** Saves an index, unless its current state is saved already, and notes that it is in memory. */
  save(spaceId: string, index: SpaceIndex, now: Date): Promise<void> {
    return this.#queue.run(spaceId, async () => {
      const kept = this.keptOf(spaceId, index)
      if (kept !== undefined && kept.version === index.version && kept.listed === index.listed) {
        await this.#touch(spaceId, now)
        return
      }
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      // A damaged manifest is overwritten.
      const previous = await this.#readManifest(spaceId).catch(() => undefined)
      const saved = stateOf(index, now.getTime())
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
        // A shard may take in later changes while it is being saved. They are applied again after loading, which does no harm.
        for (const i of manifest.shards.keys()) await shards[i]?.save?.(this.#shardFile(manifest, i), save)
        await writeFile(unfinished, jsonOf(manifest), { flush: true })
        await rename(unfinished, this.#manifestFile(spaceId))
      } catch (error) {
        await rm(unfinished, { force: true })
        await this.#removeShards(manifest)
        throw error
      }
      this.#kept.set(spaceId, saved)
      if (previous !== undefined) await this.#removeShards(previous)
    })
  }

  /** Removes the snapshot of a space, after a save that is under way: something was deleted that must not stay in files. */
  discard(spaceId: string): Promise<void> {
    return this.#queue.run(spaceId, async () => {
      this.#kept.delete(spaceId)
      // The manifest goes first: without it the other files are no snapshot, whatever interrupts this.
      const isThere = await ifThere(unlink(this.#manifestFile(spaceId)).then(() => true))
      if (isThere === undefined) return
      for (const file of await this.#list()) {
        if (spaceOf(file) === spaceId) await rm(join(this.#folder, file), { force: true })
      }
    })
  }

  /** Lists the snapshots in the folder. Removes unreadable ones, and files left over from interrupted saves. */
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

  /** The ids of spaces that have a snapshot, usable or not. */
  async list(): Promise<string[]> {
    const files = await this.#list()
    return files.filter((file) => file === `${spaceOf(file)}.json`).map(spaceOf)
  }

  /** Waits until the operations under way are done. */
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
    let bytes = 0
    for (const i of manifest.shards.keys()) {
      bytes += (await ifThere(stat(this.#shardFile(manifest, i))))?.size ?? 0
    }
    return { spaceId, version, bytes, savedAt: await this.#touchedAt(spaceId) }
  }

  async #removeShards(manifest: Manifest): Promise<void> {
    for (const i of manifest.shards.keys()) await rm(this.#shardFile(manifest, i), { force: true })
  }

  /** Files whose name begins with a space's id (a UUID); other files in the folder are left alone. */
  async #list(): Promise<string[]> {
    const files = (await ifThere(readdir(this.#folder))) ?? []
    return files.filter((file) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\./.test(file))
  }

  async #isAbandoned(file: string, now: Date): Promise<boolean> {
    const found = await ifThere(stat(join(this.#folder, file)))
    return found !== undefined && now.getTime() - found.mtimeMs > abandonedAfterMs
  }
}

const jsonOf = ({ expiries, ...others }: Manifest): string =>
  JSON.stringify({ ...others, expiries: Buffer.from(expiries.buffer).toString('base64') })

const stateOf = ({ id, version, listed, size, changes }: SpaceIndex, at: number): Kept => ({
  index: id,
  version,
  listed,
  size,
  changes,
  at,
})

function spaceOf(file: string): string {
  return file.slice(0, file.indexOf('.'))
}

/** Gives undefined, instead of throwing, if the file does not exist. */
async function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
