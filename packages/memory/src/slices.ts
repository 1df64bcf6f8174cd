/** The most patterns that one statement changes: even on a busy server it ends long before the time limit of statements. */
export const patternsAtOnce = 5_000

/** Parts of a list for one statement each; an empty one for an empty list. */
export function* slicesOf<T>(patterns: ArrayLike<T>): Generator<T[]> {
  for (let from = 0; from === 0 || from < patterns.length; from += patternsAtOnce) {
    yield Array.prototype.slice.call(patterns, from, from + patternsAtOnce)
  }
}
