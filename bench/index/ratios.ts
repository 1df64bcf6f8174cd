import type { Spread } from '../support/statistics.ts'

/** What of a measured index is compared with others. */
interface Measured {
  data: string
  patterns: number
  index: string
  recall: number
  p50: Spread
}

/** Of one data set: how many times as long a query of `other` takes as one of `own`, by the medians of p50. */
export interface Ratio {
  data: string
  patterns: number
  other: string
  own: string
  ratio: number
  /** The lower one. */
  recall: number
}

const exact = "service's kernel, float32"
const bytes = "service's kernel, bytes"
const lists = 'service, hot'
const flat = 'service, hot without lists'
const pairs = [
  ['faiss flat', exact],
  [exact, bytes],
  [exact, flat],
  ['faiss RaBitQ', flat],
  ['faiss RaBitQ fast scan', flat],
  ['hnswlib', flat],
  ['hnswlib', lists],
  [bytes, lists],
] as const

/** The comparisons that goals are stated as, where both sides were measured. */
export function ratiosOf(figures: readonly Measured[]): Ratio[] {
  return [...Map.groupBy(figures, ({ data, patterns }) => `${data} ${patterns}`).values()].flatMap(
    (measured) => {
      const by = new Map(measured.map((each) => [each.index, each]))
      return pairs.flatMap(([otherName, ownName]) => {
        const [other, own] = [by.get(otherName), by.get(ownName)]
        if (other === undefined || own === undefined) return []
        const { data, patterns } = own
        return [
          {
            data,
            patterns,
            other: otherName,
            own: ownName,
            ratio: other.p50.median / own.p50.median,
            recall: Math.min(own.recall, other.recall),
          },
        ]
      })
    },
  )
}
