import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { accel } from '@memory/accel'
import { NativeMetadata } from './native-metadata.ts'

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

  /** Removes the file of a space. */
  async discard(spaceId: string): Promise<void> {
    await rm(this.#file(spaceId), { force: true })
  }

  /** The ids of spaces that have a file. */
  async list(): Promise<string[]> {
    const files = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return files.filter((file) => file.endsWith('.metadata')).map((file) => file.slice(0, file.indexOf('.')))
  }

  #file(spaceId: string): string {
    return join(this.#folder, `${spaceId}.metadata`)
  }
}
