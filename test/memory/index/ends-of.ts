import type { SpaceIndex } from '@memory/memory/index/space-index'

/** When the patterns of an index end, for those that do: idx and ms since 1970, in the order of idx. */
export function endsOf(index: SpaceIndex): [idx: number, end: number][] {
  const numbers = [...index.contents().expiries]
  const ends = numbers.flatMap((end, i): [number, number][] =>
    i % 2 === 0 ? [] : [[numbers[i - 1] as number, end]],
  )
  return ends.sort(([a], [b]) => a - b)
}
