import { open, readFile, rename } from 'node:fs/promises'
import { Failure } from './command.ts'

/** Writes a small JSON file whole or not at all, whatever happens in between. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const draft = `${path}.tmp`
  try {
    const file = await open(draft, 'w')
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (cause) {
    throw new Failure(`${path} can't be written (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

/** The file's content, or undefined when there is none. */
export async function readJsonFile<Content>(path: string): Promise<Content | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Failure(`${path} can't be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
  try {
    return JSON.parse(text) as Content
  } catch (cause) {
    throw new Failure(`${path} is damaged: delete it, or run with --restart to begin again.`, { cause })
  }
}
