/**
 * What meaning finds by the encoder's output, by what its head is given, and by both together; that without and with the
 * prefixes that E5 was trained with: retrieve and recall on parts of sets of many kinds, and how well cosines agree with
 * people on pairs of sentences.
 *
 *   npm run bench -- encoder-geometry --data FOLDER --pairs FOLDER [--only a,b] [--texts 300] [--characters 100000]
 *                                     [--queries 100] [--cache FILE]
 *
 * --data has the sets of `retrieval`, --pairs the pairs of `belief`. Nothing is learned.
 */
import { fileURLToPath } from 'node:url'
import { type Encoder, openEncoder } from '../../packages/engine/src/encoder/encoder.ts'
import { readOptions, required } from '../../scripts/read-options.ts'
import { readPairs } from '../belief/pairs.ts'
import { differenceOf, measureRanking } from '../retrieval/measures.ts'
import { recalled, rehearse, textsOf, type Vectors } from '../retrieval/rehearse.ts'
import { type RetrievalSet, type RetrievalSpace, readSets } from '../retrieval/sets.ts'
import { dot } from '../support/dot.ts'
import { embedAll } from '../support/embedding-cache.ts'
import { environmentLine, readEnvironment } from '../support/environment.ts'
import { spearman } from '../support/rank-correlation.ts'
import { table, writeResult } from '../support/results.ts'
import { newFolder, removeFolder } from '../support/server.ts'
import { mean } from '../support/statistics.ts'
import { copyHeadless } from './headless.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    pairs: { type: 'string' },
    only: { type: 'string' },
    texts: { type: 'string', default: '300' },
    characters: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '100' },
    cache: { type: 'string' },
  },
})
const folder = required('data', options.data, 'the folder of sets, see bench/README.md')
const pairsFolder = required('pairs', options.pairs, 'the folder of the sentence pairs')
const { texts, characters, queries } = options
/** Of each set. */
const most = { texts: Number(texts), characters: Number(characters), queries: Number(queries) }
/** Of a space, where there are so many: what is found among few says little. */
const textsMin = 60
const languages = ['en', 'fr', 'zh', 'ja']
const pairsOfLanguage = 300
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

/** What stands before texts that are stored, and before those that are asked; both are asked where neither is. */
const prefixes = { stored: 'passage: ', asked: 'query: ' }
const length = 384

/** How much of a cosine is that of what the head is given, and whether E5's prefixes stand before texts for that. */
const variants = [
  { name: 'as it is', share: 0, isPrefixed: false },
  { name: 'before the head', share: 1, isPrefixed: false },
  { name: 'before the head, prefixes', share: 1, isPrefixed: true },
  ...[0.5, 0.75, 0.9].flatMap((share) => [
    { name: `mean, ${share} before the head`, share, isPrefixed: false },
    { name: `mean, ${share} before the head, prefixes`, share, isPrefixed: true },
  ]),
]
type Variant = (typeof variants)[number]

const files = newFolder()
let encoder: Encoder | undefined
try {
  copyHeadless(fileURLToPath(new URL('../../models', import.meta.url)), files)
  encoder = await openEncoder(files, { dimensions: 2 * length })
  const agreement = await agreementOf(encoder)
  const sets: { set: string; queries: number; found: Found[] }[] = []
  for (const set of readSets(folder, options.only?.split(','))) {
    const found = await foundBy(encoder, { ...set, spaces: partsOf(set) })
    sets.push({ set: set.name, queries: (found[0] as Found).retrieve.length, found })
    console.error(set.name)
  }
  const rows = variants.map(({ name }, i) => {
    const of = (what: 'retrieve' | 'recall', at: number) => sets.map(({ found }) => found[at]?.[what] ?? [])
    const meanOf = (what: 'retrieve' | 'recall') => mean(of(what, i).map((values) => mean(values)))
    const against = (what: 'retrieve' | 'recall') => differenceOf(of(what, i).flat(), of(what, 0).flat())
    const worse = sets.filter(
      ({ found }) => differenceOf(found[i]?.recall ?? [], found[0]?.recall ?? []).high < 0,
    )
    const better = sets.filter(
      ({ found }) => differenceOf(found[i]?.recall ?? [], found[0]?.recall ?? []).low > 0,
    )
    return {
      name,
      retrieve: meanOf('retrieve'),
      retrieveGain: against('retrieve'),
      recall: meanOf('recall'),
      recallGain: against('recall'),
      better: better.map(({ set }) => set),
      worse: worse.map(({ set }) => set),
      spearman: agreement[i] as number,
    }
  })
  const bySet = sets.map(({ set, queries, found }) => ({
    set,
    queries,
    retrieve: found.map(({ retrieve }) => mean(retrieve)),
    recall: found.map(({ recall }) => mean(recall)),
  }))
  const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`
  console.log(
    table(
      ['cosines', 'retrieve', 'recall', 'gain of recall (95 %)', 'sets better', 'worse', 'Spearman'],
      rows.map(({ name, retrieve, recall, recallGain: gain, better, worse, spearman }) => [
        name,
        ...[retrieve, recall].map((value) => value.toFixed(3)),
        `${signed(gain.mean)} (${signed(gain.low)} to ${signed(gain.high)})`,
        better.join(' '),
        worse.join(' '),
        spearman.toFixed(3),
      ]),
    ),
  )
  for (const what of ['retrieve', 'recall'] as const) {
    console.log(
      `\n${table(
        [what, 'queries', ...variants.map(({ name }) => name)],
        bySet.map((one) => [one.set, String(one.queries), ...one[what].map((value) => value.toFixed(3))]),
      )}`,
    )
  }
  writeResult('encoder-geometry', environment, { ...most, rows, sets: bySet })
} finally {
  await encoder?.close()
  removeFolder(files)
}

/** nDCG@10 of each query. */
interface Found {
  retrieve: number[]
  recall: number[]
}

/** The first spaces of a set with the first of their texts, as far as the limits go, and what is asked of these. */
function partsOf({ spaces }: RetrievalSet): RetrievalSpace[] {
  const quota = Math.max(textsMin, Math.ceil(most.texts / spaces.length))
  let left = { texts: most.texts, characters: most.characters }
  const parts: RetrievalSpace[] = []
  for (const space of spaces) {
    const docs: RetrievalSpace['docs'] = []
    for (const doc of space.docs.slice(0, Math.min(quota, left.texts))) {
      if (doc.text.length > left.characters) break
      docs.push(doc)
      left = { texts: left.texts - 1, characters: left.characters - doc.text.length }
    }
    const queries = answeredBy(docs, space)
    if (queries.length > 0) parts.push({ ...space, docs, queries })
  }
  const share = Math.min(1, most.queries / parts.reduce((sum, part) => sum + part.queries.length, 0))
  return parts.map((part) => ({ ...part, queries: spread(part.queries, share) }))
}

/** The queries that some of these texts answer. */
function answeredBy(docs: RetrievalSpace['docs'], { queries }: RetrievalSpace): RetrievalSpace['queries'] {
  const ids = new Set(docs.map(({ id }) => id))
  return queries.flatMap((query) => {
    const rel = Object.entries(query.rel).filter(([id, grade]) => ids.has(id) && grade > 0)
    return rel.length === 0 ? [] : [{ ...query, rel: Object.fromEntries(rel) }]
  })
}

/** A share of a list, evenly spread over it. */
function spread<T>(list: readonly T[], share: number): T[] {
  return list.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share))
}

/** What each variant finds in a set. */
async function foundBy(encoder: Encoder, set: RetrievalSet): Promise<Found[]> {
  const { stored, asked } = textsOf(set)
  const bare = await embed(encoder, [...stored, ...asked], '')
  const passages = await embed(encoder, stored, prefixes.stored)
  const queries = await embed(encoder, asked, prefixes.asked)
  const found: Found[] = []
  for (const variant of variants) {
    const [of, forQueries] = variant.isPrefixed ? [passages, queries] : [bare, bare]
    const vectors = mapped(stored, (text) => vectorOf(variant, bare, of, text))
    const queryVectors = mapped(asked, (text) => vectorOf(variant, bare, forQueries, text))
    const all = []
    for (const space of set.spaces) all.push(...(await rehearse(space, vectors, false, queryVectors)))
    const ndcg = (ranking: string[], rel: Record<string, number>) => measureRanking(ranking, rel).ndcg
    found.push({
      retrieve: all.map(({ nearest, query }) => ndcg(nearest, query.rel)),
      recall: all.map((one) => ndcg(recalled(one), one.query.rel)),
    })
  }
  return found
}

/** How well each variant's cosines agree with people, a mean over languages. */
async function agreementOf(encoder: Encoder): Promise<number[]> {
  const found: number[][] = variants.map(() => [])
  for (const language of languages) {
    const all = readPairs(pairsFolder, language, 'dev')?.pairs
    if (all === undefined) throw new Error(`${pairsFolder} has no stsb-${language}-dev.csv`)
    const pairs = spread(all, Math.min(1, pairsOfLanguage / all.length))
    const texts = pairs.flatMap(({ first, second }) => [first, second])
    const bare = await embed(encoder, texts, '')
    // Neither of two statements is a passage that answers the other.
    const prefixed = await embed(encoder, texts, prefixes.asked)
    for (const [i, variant] of variants.entries()) {
      const of = variant.isPrefixed ? prefixed : bare
      const cosines = pairs.map(({ first, second }) =>
        dot(vectorOf(variant, bare, of, first), vectorOf(variant, bare, of, second)),
      )
      found[i]?.push(
        spearman(
          cosines,
          pairs.map(({ score }) => score),
        ),
      )
    }
  }
  return found.map((values) => mean(values))
}

/** What the head is given, then what it gives, of texts with a prefix. */
async function embed(encoder: Encoder, texts: readonly string[], prefix: string): Promise<Vectors> {
  const distinct = [...new Set(texts)]
  const vectors = await embedAll(
    encoder,
    distinct.map((text) => prefix + text),
    options.cache,
  )
  return new Map(distinct.map((text, i) => [text, vectors[i] as Float32Array]))
}

/** A vector whose dot product with others of its kind is the mean of both cosines. */
function vectorOf({ share }: Variant, bare: Vectors, before: Vectors, text: string): Float32Array {
  const given = unit((before.get(text) as Float32Array).subarray(0, length), Math.sqrt(share))
  const shipped = unit((bare.get(text) as Float32Array).subarray(length), Math.sqrt(1 - share))
  if (share === 0) return shipped
  if (share === 1) return given
  const both = new Float32Array(2 * length)
  both.set(given)
  both.set(shipped, length)
  return both
}

/** A vector in another length. */
function unit(vector: Float32Array, to: number): Float32Array {
  const norm = Math.sqrt(dot(vector, vector))
  return vector.map((value) => (to * value) / norm)
}

function mapped(texts: readonly string[], vector: (text: string) => Float32Array): Vectors {
  return new Map(texts.map((text) => [text, vector(text)]))
}
