/**
 * The edit distance of two words (Damerau-Levenshtein, optimal string alignment): how many letters have to be added, removed,
 * replaced or swapped with the next one to turn one word into the other.
 */
export function editDistance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? before![j - 2]! + 1 : Infinity
      row.push(Math.min(last![j]! + 1, row[j - 1]! + 1, replaced, swapped))
    }
    ;[before, last] = [last, row]
  }
  return last![b.length]!
}
