import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ImportState } from '@memory/shared/transfer/batches'
import { type Conversion, converterRevision } from '@memory/shared/transfer/formats/convert'
import { Failure } from './command.ts'
import { type Connection, keyFingerprint } from './connection.ts'
import { counted } from './format.ts'
import { type Holder, hold, letGo, readFree } from './holder.ts'
import { writeJsonFile } from './json-file.ts'
import { openFile } from './open-file.ts'

/** Tells whether a file is still the one an import began with, without reading all of it. */
interface FileIdentity {
  size: number
  modified_ms: number
  sha256_of_start: string
}

/** How far an import has come. */
export interface ImportCheckpoint extends ImportState {
  version: 1
  file: FileIdentity
  target: { url: string; key_sha256: string }
  /** How the file is read, where it is one of another product. */
  conversion?: Conversion
  /** `converterRevision` of the run that began it, where the file is converted. */
  converter?: number
  /** Set until the parts that shorter texts need no more were deleted, which comes when all lines are stored. */
  surplus?: boolean
  /** The run that works on it; none where it has ended. */
  holder?: Holder
  /** Set until the first batch is sent: the lines are still being checked. */
  unsent?: boolean
  updated_at: string
}

const startBytes = 64 * 1024

const checkpointPath = (file: string): string => `${file}.progress.json`

/**
 * Takes a file for this run alone, before it is read: the checkpoint to go on from, or a new one when there is none or
 * `restart` is set.
 * @throws Failure while another run imports the file
 */
export async function takeCheckpoint(
  file: string,
  connection: Connection,
  restart: boolean,
  conversion?: Conversion,
): Promise<ImportCheckpoint> {
  const identity = await identify(file)
  const target = { url: connection.url, key_sha256: keyFingerprint(connection.key) }
  const path = checkpointPath(file)
  const held = { file, doing: 'imported' } as const
  const { text, progress: found } = await readFree<ImportCheckpoint>(held, path, restart)
  const goesOn = !restart && found !== undefined && !found.unsent
  if (goesOn) requireSame(found, { identity, target, conversion: toJson(conversion), file })
  if (goesOn && isDone(found)) return found
  return hold(held, path, text, goesOn ? found : newCheckpoint(identity, target, conversion))
}

/** Whether nothing of an import is left to do. */
export const isDone = ({ complete, surplus = false }: ImportCheckpoint): boolean => complete && !surplus

const newCheckpoint = (
  file: FileIdentity,
  target: ImportCheckpoint['target'],
  conversion: Conversion | undefined,
): ImportCheckpoint => ({
  version: 1,
  import_id: randomUUID(),
  file,
  target,
  ...(conversion !== undefined && {
    conversion: toJson(conversion),
    converter: converterRevision,
    surplus: true,
  }),
  ...{ offset: 0, line: 0, stored: 0, replaced: 0, invalid: 0, expired: 0 },
  complete: false,
  unsent: true,
  updated_at: new Date().toISOString(),
})

export function saveCheckpoint(file: string, checkpoint: ImportCheckpoint): Promise<void> {
  return writeJsonFile(checkpointPath(file), { ...checkpoint, updated_at: new Date().toISOString() })
}

/** Lets another run have the file. A run that sent nothing leaves no progress file, so that a corrected file begins anew. */
export async function releaseCheckpoint(file: string, checkpoint: ImportCheckpoint): Promise<void> {
  const { holder, ...free } = checkpoint
  if (holder === undefined) return
  try {
    if (free.unsent) await rm(checkpointPath(file), { force: true })
    else await saveCheckpoint(file, free)
  } finally {
    letGo(holder)
  }
}

interface Begun {
  identity: FileIdentity
  target: ImportCheckpoint['target']
  conversion: Conversion | undefined
  file: string
}

/** A conversion as it comes back from a progress file, without members that are undefined. */
const toJson = (conversion: Conversion | undefined): Conversion | undefined =>
  conversion === undefined ? undefined : (JSON.parse(JSON.stringify(conversion)) as Conversion)

function requireSame(found: ImportCheckpoint, { identity, target, conversion, file }: Begun): void {
  const what = found.complete ? 'This file was imported' : 'The import of this file was begun'
  const begun = `${what} (${counted(found.stored, 'line')} stored, see ${checkpointPath(file)})`
  const again =
    'With --restart it begins again: lines with an own id (external_id) replace what is there, others are stored once more.'
  if (found.version !== 1) throw new Failure(`${begun} by another version of this command. ${again}`)
  if (conversion !== undefined && !found.complete && found.converter !== converterRevision) {
    throw new Failure(`${begun} by another version of this command, which made other lines of it. ${again}`)
  }
  const { size, modified_ms, sha256_of_start } = found.file
  const sameFile =
    size === identity.size &&
    modified_ms === identity.modified_ms &&
    sha256_of_start === identity.sha256_of_start
  if (!sameFile) throw new Failure(`${begun} and the file has changed since. ${again}`)
  if (!isDeepStrictEqual(found.conversion, conversion))
    throw new Failure(`${begun} and read in another way. ${again}`)
  if (found.target.url !== target.url) throw new Failure(`${begun} to ${found.target.url}. ${again}`)
  if (found.target.key_sha256 !== target.key_sha256) {
    throw new Failure(`${begun} with another API key, so perhaps into another memory. ${again}`)
  }
}

/** @throws Failure for what is no file, or can't be read */
export async function identify(path: string): Promise<FileIdentity> {
  const file = await openFile(path)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Failure(`${path} is no regular file; \`-\` reads standard input.`)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0)
    const sha256_of_start = createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex')
    return { size: stat.size, modified_ms: stat.mtimeMs, sha256_of_start }
  } finally {
    await file.close()
  }
}
