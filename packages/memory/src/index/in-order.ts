/** If the greatest label is more than this many times the count, sorting is faster than counting. */
const placesMax = 32

/**
 * Sorts labels in place, ascending. Labels of a shard are dense, so a counting sort takes a tenth of the time of `sort()` for
 * 100,000.
 * @param labels distinct, none negative
 */
export function inOrder(labels: Int32Array): Int32Array {
  const end = labels.reduce((most, label) => Math.max(most, label), -1) + 1
  if (end > placesMax * labels.length) return labels.sort()
  const isThere = new Uint8Array(end)
  for (const label of labels) isThere[label] = 1
  let at = 0
  for (let label = 0; label < end; label++) if (isThere[label] === 1) labels[at++] = label
  return labels
}
