import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { loadShard, type Shard } from './shard.ts'
import { SpaceIndex } from './space-index.ts'

/** What lies beside the shards of a space: everything else that its index holds. */
const Manifest = z.object({
  format: z.literal(1),
  version: z.int().nonnegative(),
  shards: z.array(z.object({ file: z.string(), sourceDim: z.int().nullable() })),
  /** Indexes of patterns that expire, and when, in ms since 1970. */
  expiries: z.array(z.tuple([z.int(), z.int()])),
})

/**
 * Spaces as files in a folder, so that a start need not read large ones from the database. A space's manifest is
 * written last and under its name only when it is whole, so that whatever happens there is a whole snapshot or none;
 * one that can't be used costs time, never correctness.
 */
export class Snapshots {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The index as it was when it was saved; undefined when it was not. @throws for files that can't be used */
  async load(
    spaceId: string,
    onChange: (index: SpaceIndex, idx: number) => void,
  ): Promise<SpaceIndex | undefined> {
    const text = await this.#readManifest(spaceId)
    if (text === undefined) return undefined
    const { version, shards, expiries } = Manifest.parse(JSON.parse(text))
    const loaded: Shard[] = []
    for (const { file, sourceDim } of shards) {
      loaded.push(await loadShard(join(this.#folder, file), sourceDim))
    }
    return SpaceIndex.restore({ version, shards: loaded, expiries }, onChange)
  }

  /** Saves what the index holds now or, where it changes meanwhile, a moment later. */
  async save(spaceId: string, index: SpaceIndex): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { version, shards, expiries } = index.contents()
    const saved = `${spaceId}.${randomUUID()}`
    const files = shards.map(({ sourceDim }, i) => ({ file: `${saved}.${i}`, sourceDim }))
    try {
      // Changes that reach a shard while it is saved are made again when it is loaded.
      for (const [i, { file }] of files.entries()) await shards[i]?.save?.(join(this.#folder, file))
      const manifest = { format: 1, version, shards: files, expiries } satisfies z.input<typeof Manifest>
      const unfinished = join(this.#folder, `${saved}.new`)
      await writeFile(unfinished, JSON.stringify(manifest), { flush: true })
      await rename(unfinished, this.#manifest(spaceId))
    } finally {
      await this.#removeOthers(spaceId)
    }
  }

  /** Removes what is kept of a space: something of it was forgotten. */
  async discard(spaceId: string): Promise<void> {
    try {
      await rm(this.#manifest(spaceId))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    await this.#removeOthers(spaceId)
  }

  async #readManifest(spaceId: string): Promise<string | undefined> {
    try {
      return await readFile(this.#manifest(spaceId), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  #manifest(spaceId: string): string {
    return join(this.#folder, `${spaceId}.json`)
  }

  /** Removes the files of a space that its manifest does not name. */
  async #removeOthers(spaceId: string): Promise<void> {
    const manifest = (await this.#readManifest(spaceId)) ?? ''
    for (const file of await readdir(this.#folder).catch(() => [])) {
      const kept = file === `${spaceId}.json` || manifest.includes(`"${file}"`)
      if (file.startsWith(`${spaceId}.`) && !kept) await rm(join(this.#folder, file), { force: true })
    }
  }
}
