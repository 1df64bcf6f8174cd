/** Waits until `look` gives something other than undefined or false, asking again and again. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs} ms in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
