import { statfs } from 'node:fs/promises'
import { openAsFound } from '../database/embedded.ts'
import { type DatabaseFacts, readFacts } from './facts.ts'

/** Twice the size of a log file, in bytes: with less free space, PostgreSQL may not get the next one. */
const neededBytes = 2 * 16 * 2 ** 20

/** Opens a copy of the embedded database and reads its facts: what can't be opened is no backup. */
export async function readCopiedFacts(directory: string): Promise<DatabaseFacts> {
  try {
    return await openAndRead(directory)
  } catch (cause) {
    // On a full disk PostgreSQL only says that it does not open.
    const disk = await statfs(directory).catch(() => undefined)
    if (disk === undefined || disk.bavail * disk.bsize >= neededBytes) throw cause
    throw Object.assign(new Error(`The disk of ${directory} is full.`, { cause }), { code: 'ENOSPC' })
  }
}

async function openAndRead(directory: string): Promise<DatabaseFacts> {
  const copy = await openAsFound(directory)
  try {
    return await readFacts((statement) => copy.connection.query(statement))
  } finally {
    await copy.close()
  }
}
