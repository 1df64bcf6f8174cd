import { parameters } from '../../packages/engine/src/parameters.ts'
import { type HeadWeights, startWeights } from '../../packages/engine/src/recall/heads.ts'
import type { Fusion } from '../../packages/engine/src/recall/score.ts'
import { table } from '../support/results.ts'
import { mean } from '../support/statistics.ts'
import { measureRanking } from './measures.ts'
import { type Rehearsed, recalled } from './rehearse.ts'

/** Queries of one set in one order that are looked at: enough to tell parameters apart. */
const queriesOfSet = 150

/** What is tried in place of each parameter, one at a time. The queries of these sets name no time. */
const tried: { [Name in Exclude<keyof Fusion, 'timeGain'>]: number[] } = {
  coverageFull: [0.001, 0.15, 0.3, 0.4, 0.6],
  spacelessFull: [0.15, 0.5, 1],
  statementWords: [0, 0.15, 0.6, 1],
  foreignShare: [0, 1.5, 2.5, 3.5, 5, 7],
  foreignMargin: [0.5, 1, 2, 3],
  queryWords: [0, 1, 3, 5],
  everyWord: [0, 2, 6],
  unlikeCosine: [-1, 0, 0.15],
  likeCosine: [0.15, 0.2, 0.4],
  turnCharacters: [200, 400, 800],
  groupShare: [0, 0.3, 0.45, 0.6, 1],
  groupMax: [0.3, 0.6, 0.9, 1.2, 100],
}
/** Of words beside meaning. */
const lexicalWeights = [0.1, 0.145, 0.2]

interface Variant {
  name: string
  fusion: Fusion
  weights: HeadWeights
}

/** Sets that were made from the same texts are one family: what is fitted on one knows the others. */
function familyOf(set: string): string {
  return /^(?:xquad|longquery|needles)/.test(set) ? 'xquad' : set
}

/** How good each variant is on each set, and for each family the one that is best on all others. */
export function fitFusion(all: readonly { set: string; order: string; asked: readonly Rehearsed[] }[]) {
  const variants = variantsOf()
  const names = all.map(({ set, order }) => `${set} (${order})`)
  const figures = variants.map((variant) => {
    console.error(variant.name)
    return all.map(({ asked }) => mean(some(asked).map((one) => ndcgOf(one, variant))))
  })
  const families = [...new Set(all.map(({ set }) => familyOf(set)))]
  const leftOut = families.map((family) => {
    const isOf = (i: number) => familyOf(all[i]?.set as string) === family
    const over = (values: readonly number[], of: (i: number) => boolean) =>
      mean(values.filter((_, i) => of(i)))
    const scores = figures.map((values) => over(values, (i) => !isOf(i)))
    const best = scores.indexOf(Math.max(...scores))
    const own = (at: number) => over(figures[at] as number[], isOf)
    return { family, chosen: variants[best]?.name as string, ndcg: own(best), asItIs: own(0) }
  })
  console.log(
    table(
      ['variant', 'mean nDCG@10'],
      variants.map(({ name }, i) => [name, mean(figures[i] as number[]).toFixed(4)]),
    ),
  )
  console.log(
    `\n${table(
      ['family left out', 'best on the others', 'nDCG@10 there', 'as it is'],
      leftOut.map(({ family, chosen, ndcg, asItIs }) => [family, chosen, ndcg.toFixed(4), asItIs.toFixed(4)]),
    )}`,
  )
  return {
    sets: names,
    variants: variants.map(({ name }, i) => ({ name, mean: mean(figures[i] as number[]) })),
    leftOut,
  }
}

function variantsOf(): Variant[] {
  const now = parameters.recall as Fusion
  const variants: Variant[] = [{ name: 'as it is', fusion: now, weights: startWeights }]
  for (const [name, values] of Object.entries(tried) as [keyof Fusion, number[]][]) {
    for (const value of values) {
      if (value === now[name]) continue
      variants.push({
        name: `${name} ${value}`,
        fusion: { ...pick(now), [name]: value },
        weights: startWeights,
      })
    }
  }
  for (const lexical of lexicalWeights) {
    if (lexical === startWeights.lexical) continue
    const semantic = startWeights.semantic + startWeights.lexical - lexical
    variants.push({
      name: `lexical ${lexical}`,
      fusion: now,
      weights: { ...startWeights, lexical, semantic },
    })
  }
  return variants
}

const pick = ({
  coverageFull,
  spacelessFull,
  statementWords,
  foreignShare,
  foreignMargin,
  queryWords,
  everyWord,
  unlikeCosine,
  likeCosine,
  turnCharacters,
  groupShare,
  groupMax,
  timeGain,
}: Fusion): Fusion => ({
  coverageFull,
  spacelessFull,
  statementWords,
  foreignShare,
  foreignMargin,
  queryWords,
  everyWord,
  unlikeCosine,
  likeCosine,
  turnCharacters,
  groupShare,
  groupMax,
  timeGain,
})

const ndcgOf = (one: Rehearsed, { fusion, weights }: Variant): number =>
  measureRanking(recalled(one, fusion, weights), one.query.rel).ndcg

/** Evenly spread over the queries. */
function some(asked: readonly Rehearsed[]): Rehearsed[] {
  const step = Math.max(1, asked.length / queriesOfSet)
  return Array.from(
    { length: Math.min(asked.length, queriesOfSet) },
    (_, i) => asked[Math.floor(i * step)] as Rehearsed,
  )
}
