import { randomFrom } from '../support/random.ts'
import { mean, quantile } from '../support/statistics.ts'

/** How well one query was answered, each in [0, 1]. */
export interface Measures {
  /** Normalised discounted cumulative gain of the first 10 (Järvelin and Kekäläinen, 2002), with grades as gains. */
  ndcg: number
  /** Share of the texts that answer among the first 5, and the first 10. */
  at5: number
  at10: number
  /** 1 where the first text answers. */
  first: number
}

const measureNames = ['ndcg', 'at5', 'at10', 'first'] as const satisfies (keyof Measures)[]

/** @param grades of the texts that answer, by id */
export function measureRanking(
  ranking: readonly string[],
  grades: Readonly<Record<string, number>>,
): Measures {
  const answers = Object.entries(grades).filter(([, grade]) => grade > 0)
  const within = (k: number) => mean(answers.map(([id]) => (ranking.slice(0, k).includes(id) ? 1 : 0)))
  const gain = (grade: number, i: number) => grade / Math.log2(i + 2)
  const sum = (gains: readonly number[]) => gains.reduce((total, one) => total + one, 0)
  const best = answers.map(([, grade]) => grade).sort((a, b) => b - a)
  return {
    ndcg:
      sum(ranking.slice(0, 10).map((id, i) => gain(Math.max(0, grades[id] ?? 0), i))) /
      sum(best.slice(0, 10).map(gain)),
    at5: within(5),
    at10: within(10),
    first: (grades[ranking[0] ?? ''] ?? 0) > 0 ? 1 : 0,
  }
}

export const meansOf = (measured: readonly Measures[]): Measures =>
  Object.fromEntries(
    measureNames.map((name) => [name, mean(measured.map((one) => one[name]))]),
  ) as unknown as Measures

/** A mean difference and its 95 % interval. */
export interface Difference {
  mean: number
  low: number
  high: number
}

const draws = 2_000

/** How much more the first is than the second, over the same queries (paired bootstrap over queries). */
export function differenceOf(first: readonly number[], second: readonly number[], seed = 1): Difference {
  const differences = first.map((value, i) => value - (second[i] as number))
  const random = randomFrom(seed)
  const means = Array.from({ length: draws }, () => {
    let sum = 0
    for (let i = 0; i < differences.length; i++) {
      sum += differences[Math.floor(random() * differences.length)] as number
    }
    return sum / differences.length
  })
  return { mean: mean(differences), low: quantile(means, 0.025), high: quantile(means, 0.975) }
}
