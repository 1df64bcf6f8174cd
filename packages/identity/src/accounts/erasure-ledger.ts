import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Log } from '@memory/shared/platform/log'
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
      // A full disk or a crash may have cut the last line short: this one must not go on in it.
      await file.appendFile(`\n${JSON.stringify(erasure)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  /** All erasures, as `readLedger` gives them; none where nothing was erased yet. */
  async list(log: Pick<Log, 'warn'>): Promise<Erasure[]> {
    return (await readLedger(this.#file, log)) ?? []
  }
}

/**
 * All erasures of a ledger, oldest first. An interrupted one may be listed twice. A line that was cut short is passed over with a
 * warning: the erasure that it was for had not begun.
 * @returns undefined where there is no such file
 * @throws for a line that is whole and no erasure
 */
export async function readLedger(file: string, log: Pick<Log, 'warn'>): Promise<Erasure[] | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  // What is behind the last line end is nothing, or cut short.
  const lines = text?.split('\n').slice(0, -1)
  const erasures = lines?.flatMap((line, i) => {
    if (line === '') return []
    const erasure = readLine(line)
    if (erasure === undefined) log.warn({ line: i + 1 }, 'a line of the ledger of erasures was cut short')
    return erasure ?? []
  })
  // What a restore has brought along from the ledger of a backup comes behind what was there.
  return erasures?.sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
}

/** The erasure of a line; undefined when the line was cut short. */
function readLine(line: string): Erasure | undefined {
  // An earlier release went on in a line that was cut short. What it added there begins at the last brace: a line has one.
  const whole = line.slice(Math.max(0, line.lastIndexOf('{')))
  let json: unknown
  try {
    json = JSON.parse(whole)
  } catch {
    return undefined
  }
  return Line.parse(json)
}
