/** Spearman's rank correlation of two lists. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)]
  const mean = (a.length - 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [dx, dy] = [(x[i] as number) - mean, (y[i] as number) - mean]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xy / Math.sqrt(xx * yy)
}

/** The rank of each value from 0; equal ones share the mean of theirs. */
function ranks(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((i, j) => (values[i] as number) - (values[j] as number))
  const ranks = new Float64Array(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && values[order[end] as number] === values[order[start] as number]) end++
    for (let i = start; i < end; i++) ranks[order[i] as number] = (start + end - 1) / 2
    start = end
  }
  return ranks
}
