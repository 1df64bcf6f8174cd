import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm'
/** A database takes some 50 MB, and each worker of the tests has a few at a time. */
const roomNeededBytes = 2 * 2 ** 30

/** The folder for temporary files that no commit waits for: in memory where there is room. */
export function fastFolder(): string {
  return roomOf(inMemory) >= roomNeededBytes ? inMemory : tmpdir()
}

/** Bytes that may be written below a folder; 0 where there is no such folder. */
function roomOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
