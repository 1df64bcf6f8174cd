import { Failure } from './command.ts'

/** Writes to a file. @throws Failure that says why it can't be written */
export async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const isFull = code === 'ENOSPC' || code === 'EDQUOT'
    throw new Failure(
      isFull ? `The disk of ${path} is full: free some space.` : `${path} can't be written (${code}).`,
      { cause },
    )
  }
}
