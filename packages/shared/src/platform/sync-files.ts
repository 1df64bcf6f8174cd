import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes a folder and everything in it durably to the disk (fsync). */
export async function syncFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  // Several at a time share flushes of the disk; more than this would only wait for libuv's threads.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await sync(path)
    }),
  )
}

/** Writes the contents of a file, or the entries of a folder, durably to the disk (fsync). */
export async function sync(path: string): Promise<void> {
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r').catch(
    (error: NodeJS.ErrnoException) => {
      // Windows makes a folder's entries durable itself, and can't open folders.
      if (process.platform === 'win32' && ['EISDIR', 'EPERM'].includes(error.code ?? '')) return undefined
      throw error
    },
  )
  try {
    await file?.sync()
  } finally {
    await file?.close()
  }
}
