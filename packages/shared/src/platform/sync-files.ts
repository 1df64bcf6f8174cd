import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Brings a folder with all that is in it to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))]
  // Several at a time share the disk's own flushes; more would only wait for a thread.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) await sync(path)
    }),
  )
}

/** Brings the contents of a file, or the names in a folder, to the disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r').catch(
    (error: NodeJS.ErrnoException) => {
      // Windows keeps a folder's names by itself and opens no folder.
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
