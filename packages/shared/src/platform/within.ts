/**
 * Waits for `work`, but no longer than `withinMs`.
 * @throws what `work` throws; after `withinMs` the error that `late` gives. The work then goes on, its outcome is ignored
 */
export async function within<T>(work: Promise<T>, withinMs: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), withinMs)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

/** Whether the work ended within the time. */
export async function isOver(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
