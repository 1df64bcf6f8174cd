/** What is read of, or done with, what a browser keeps; undefined where it keeps nothing, as some are told to. */
export function ifKept<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
