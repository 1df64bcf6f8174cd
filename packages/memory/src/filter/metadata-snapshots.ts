import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { accel } from '@memory/accel'
import { NativeMetadata } from './native-metadata.ts'

const ending = '.metadata'
/** Longer than a save takes. */
const abandonedAfterMs = 3_600_000
/** A file that a save has not given its name yet: `SPACE.metadata.….new`. */
const isUnfinished = (file: string): boolean => file.includes(`${ending}.`) && file.endsWith('.new')

/** An index, and the version of its space that it is as of. */
export interface SavedMetadata {
  index: NativeMetadata
  version: number
}

/**
 * The metadata of large spaces as files in a folder, so that a start need not read them from the database. A file that can't
 * be used costs time, never correctness.
 */
export class MetadataSnapshots {
  readonly #folder: string

  /** @param dataDir the folder of the process; a restore removes what is in its folder `index` */
  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'index', 'metadata')
  }

  /** Loads an index; undefined if there is no file. @throws for a file that is damaged, or another space's */
  async load(spaceId: string): Promise<SavedMetadata | undefined> {
    if (accel === null || !(await this.list()).includes(spaceId)) return undefined
    const loaded = await accel.loadMetadata(this.#file(spaceId), spaceId)
    return { index: new NativeMetadata(loaded), version: loaded.version }
  }

  async save(spaceId: string, { index, version }: SavedMetadata): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    index.save(this.#file(spaceId), spaceId, version)
  }

  /** Removes the file of a space, and what saves of it that were killed have left. */
  async discard(spaceId: string): Promise<void> {
    const own = `${spaceId}${ending}`
    for (const file of await this.#files()) {
      if (file === own || (file.startsWith(`${own}.`) && isUnfinished(file))) await this.#remove(file)
    }
  }

  /** The ids of spaces that have a file. */
  async list(): Promise<string[]> {
    const files = await this.#files()
    return files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, file.indexOf('.')))
  }

  /** Removes files that saves which were killed have left: nothing else would, and they hold metadata. */
  async cleanUp(now: Date): Promise<void> {
    for (const file of (await this.#files()).filter(isUnfinished)) {
      const found = await stat(join(this.#folder, file)).catch(() => undefined)
      // Another process of the same folder may be writing a newer one.
      if (found !== undefined && now.getTime() - found.mtimeMs > abandonedAfterMs) await this.#remove(file)
    }
  }

  async #files(): Promise<string[]> {
    return await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  }

  async #remove(file: string): Promise<void> {
    await rm(join(this.#folder, file), { force: true })
  }

  #file(spaceId: string): string {
    return join(this.#folder, `${spaceId}${ending}`)
  }
}
