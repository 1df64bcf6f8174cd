/**
 * What recall finds on sets of many kinds and languages, in a space that nobody has used, beside retrieve, BM25 and rank
 * fusion; the texts of each stored as given and in a random order.
 *
 *   npm run bench -- retrieval --data FOLDER [--only a,b] [--cache FILE] [--results NAME] [--fit]
 *
 * The results are named `retrieval` unless another name is given.
 * With --fit: what recall would find with other parameters, and how well those would do that are best on all families of
 * sets but one, on that one. Recall is the service's own functions, over its real indexes, in this process.
 */
import { openEncoder } from '../packages/engine/src/encoder/encoder.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { fitFusion } from './retrieval/fit.ts'
import { differenceOf, type Measures, meansOf, measureRanking } from './retrieval/measures.ts'
import { embedSet, type Rehearsed, recalled, rehearse } from './retrieval/rehearse.ts'
import { readSets } from './retrieval/sets.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { fusedByRank } from './support/rank-fusion.ts'
import { table, writeResult } from './support/results.ts'
import { mean } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    cache: { type: 'string' },
    results: { type: 'string', default: 'retrieval' },
    fit: { type: 'boolean', default: false },
  },
})
const folder = required('data', options.data, 'the folder of sets, see bench/README.md')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const sets = readSets(folder, options.only?.split(','))
const encoder = await openEncoder(new URL('../models', import.meta.url).pathname)
const orders = { given: false, shuffled: true } as const
const all: { set: string; order: keyof typeof orders; asked: Rehearsed[] }[] = []
for (const set of sets) {
  const vectors = await embedSet(encoder, set, options.cache)
  for (const [order, isShuffled] of Object.entries(orders)) {
    const asked: Rehearsed[] = []
    for (const space of set.spaces) asked.push(...(await rehearse(space, vectors, isShuffled)))
    all.push({ set: set.name, order: order as keyof typeof orders, asked })
  }
  console.error(set.name)
}
await encoder.close()

if (options.fit) {
  writeResult('fusion', environment, fitFusion(all))
} else {
  const rows = all.map(({ set, order, asked }) => ({ set, order, ...figuresOf(asked) }))
  console.log(tableOf(rows))
  const given = rows.filter(({ order }) => order === 'given')
  const worse = rows.filter(({ againstBest }) => againstBest.high < 0)
  console.log(`\nnDCG@10 of recall, mean over sets: ${mean(given.map((row) => row.recall.ndcg)).toFixed(3)}`)
  const names = worse.map(({ set, order }) => `${set} (${order})`).join(', ')
  console.log(`recall below the better of retrieve and BM25 beyond chance: ${names || 'nowhere'}`)
  writeResult(options.results, environment, { rows })
}

function figuresOf(asked: readonly Rehearsed[]) {
  const measured = (ranking: (one: Rehearsed) => string[]): Measures[] =>
    asked.map((one) => measureRanking(ranking(one), one.query.rel))
  const recall = measured((one) => recalled(one))
  const retrieve = measured(({ nearest }) => nearest)
  const words = measured(({ byWords }) => byWords)
  const fusion = measured(({ nearest, byWords }) => fusedByRank([nearest, byWords]))
  const [a, b] = [meansOf(retrieve), meansOf(words)]
  const best = a.ndcg >= b.ndcg ? retrieve : words
  const ndcg = (values: readonly Measures[]) => values.map((one) => one.ndcg)
  return {
    queries: asked.length,
    recall: meansOf(recall),
    retrieve: a,
    bm25: b,
    rankFusion: meansOf(fusion),
    againstBest: differenceOf(ndcg(recall), ndcg(best)),
  }
}

function tableOf(rows: readonly ({ set: string; order: string } & ReturnType<typeof figuresOf>)[]): string {
  const header = [
    'set',
    'order',
    'queries',
    'recall nDCG@10',
    'recall@5',
    'recall@10',
    'first',
    'retrieve',
    'BM25',
    'rank fusion',
    'recall - best (95 %)',
  ]
  return table(
    header,
    rows.map(({ set, order, queries, recall, retrieve, bm25, rankFusion, againstBest }) => [
      set,
      order,
      String(queries),
      ...[recall.ndcg, recall.at5, recall.at10, recall.first, retrieve.ndcg, bm25.ndcg, rankFusion.ndcg].map(
        (value) => value.toFixed(3),
      ),
      `${againstBest.mean.toFixed(3)} (${againstBest.low.toFixed(3)} to ${againstBest.high.toFixed(3)})`,
    ]),
  )
}
