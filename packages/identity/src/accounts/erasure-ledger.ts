import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const Line = z.object({ kind: z.enum(['user', 'organization']), id: z.guid(), at: z.iso.datetime() })

/** An erased user or organization, by id only. */
export type Erasure = z.output<typeof Line>

/**
 * The ledger of erasures: an append-only file outside the database, so that restoring a backup that is older than an erasure does
 * not undo it.
 */
export class ErasureLedger {
  readonly #file: string

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'erasures.ndjson')
  }

  /** Adds an erasure, which is on the disk when this returns. */
  async add(erasure: Erasure): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
    const file = await open(this.#file, 'a', 0o600)
    try {
      await file.appendFile(`${JSON.stringify(erasure)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /** All erasures, oldest first. An interrupted one may be listed twice. @throws for a line that is not valid */
  async list(): Promise<Erasure[]> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    // A crash can truncate the last line. The erasure that it was for had not begun.
    const lines = text.split('\n').slice(0, -1)
    return lines.filter((line) => line !== '').map((line) => Line.parse(JSON.parse(line)))
  }
}
