import type { MemoryContext } from './context.ts'

/**
 * Writes what requests have noted of uses: accesses before learning, whose strengths are stored in the same rows, and learning
 * also where accesses fail.
 * @param isLast whether the process ends, so that nothing may be kept to be counted later
 */
export async function writeUses(
  { accesses, learning }: Pick<MemoryContext, 'accesses' | 'learning'>,
  isLast = false,
): Promise<void> {
  try {
    await (isLast ? accesses.flush() : accesses.keep())
  } finally {
    await learning.flush()
  }
}
