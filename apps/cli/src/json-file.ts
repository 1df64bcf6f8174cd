import { open, readFile, rename, rm } from 'node:fs/promises'
import { Failure } from './command.ts'
import { writing } from './writing.ts'

/** JSON as these commands write it into files. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes a small JSON file whole or not at all, whatever happens in between. */
export function writeJsonFile(path: string, value: unknown): Promise<void> {
  return replaceFile(path, jsonText(value))
}

/** Writes a small file whole or not at all. Its draft is this process's own: another's would be renamed half written. */
export async function replaceFile(path: string, contents: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`
  await writing(path, async () => {
    try {
      const file = await open(draft, 'w', 0o600)
      try {
        await file.writeFile(contents)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  })
}

/** The text of a file, or undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure(`${path} can't be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

/**
 * Parses a progress file.
 * @param path where its `text` was read, for messages
 * @param restart whether its contents do not matter
 * @returns undefined for a damaged file whose contents do not matter
 * @throws Failure for any other damaged file
 */
export function parseProgress<Content>(path: string, text: string, restart: boolean): Content | undefined {
  try {
    return JSON.parse(text) as Content
  } catch (cause) {
    if (restart) return undefined
    throw new Failure(`${path} is damaged: delete it, or run with --restart to begin again.`, { cause })
  }
}
