/**
 * What forgetting by a query keeps: of other words for the same, which should go, and of contradictions, which should
 * stay, as near to the query as the threshold says.
 *
 *   npm run bench -- forget --data FOLDER [--embeddings FOLDER]
 */
import {
  contradictionReasons,
  findContradiction,
  readComparable,
} from '../packages/engine/src/contradiction/contradiction.ts'
import { ForgetTexts } from '../packages/memory/src/schema.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { Embeddings } from './belief/embeddings.ts'
import { languages } from './belief/language.ts'
import { readPairs, type Split } from './belief/pairs.ts'
import { type LabelledPair, readLabelledPairs } from './forget/pairs.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'

const { values: options } = readOptions({
  options: {
    /** A folder of `stsb-LANGUAGE-SPLIT.csv`. */
    data: { type: 'string' },
    /** A folder that keeps the embeddings for the next run. */
    embeddings: { type: 'string' },
  },
})
/** What people judged so similar says the same. */
const sameScore = 4.5

const data = required('data', options.data, 'the folder of the sentence pairs, see bench/README.md')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const { threshold } = ForgetTexts.body.parse({ query: 'any' })
const embeddings = await Embeddings.open(options.embeddings)
const paraphrases = await judgeParaphrases()
const contradictions = await judgeContradictions()
await embeddings.close()
print()
writeResult('forget', environment, {
  encoder: embeddings.modelId,
  threshold,
  sameScore,
  paraphrases,
  contradictions,
})

interface Kept {
  name: string
  /** Pairs at or above the threshold. */
  near: number
  kept: number
}

/** Of pairs that people find to say the same, those that are near enough to go, and how many of these are kept. */
async function judgeParaphrases(): Promise<Kept[]> {
  const rows: Kept[] = []
  for (const split of ['dev', 'train'] as const) {
    const all: Kept = { name: `all languages, ${split}`, near: 0, kept: 0 }
    for (const language of languages) {
      const row = await judgeLanguage(language, split)
      if (row === undefined) continue
      rows.push(row)
      all.near += row.near
      all.kept += row.kept
    }
    rows.push(all)
  }
  return rows
}

async function judgeLanguage(language: string, split: Split): Promise<Kept | undefined> {
  const file = readPairs(data, language, split)
  if (file === undefined) return undefined
  const same = file.pairs.filter(({ score }) => score >= sameScore)
  await embeddings.encode(
    same.flatMap(({ first, second }) => [first, second]),
    `${language}, ${split}`,
  )
  const near = same.filter(({ first, second }) => cosine(first, second) >= threshold)
  const kept = near.filter(({ first, second }) => contradict(first, second))
  return { name: `${language}, ${split}`, near: near.length, kept: kept.length }
}

interface Contradictions {
  name: string
  kind: string
  pairs: number
  /** Found, whatever their cosine. */
  found: number
  /** At or above the threshold, so that they would go without the guard, and of these those that are not found. */
  near: number
  lost: number
}

async function judgeContradictions(): Promise<Contradictions[]> {
  const rows: Contradictions[] = []
  for (const name of ['pairs', 'held-out'] as const) {
    const pairs = readLabelledPairs(name)
    await embeddings.encode(
      pairs.flatMap(({ one, other }) => [one, other]),
      name,
    )
    for (const kind of [...contradictionReasons, 'same'])
      rows.push(
        judgeKind(
          name,
          kind,
          pairs.filter((pair) => pair.kind === kind),
        ),
      )
  }
  return rows
}

function judgeKind(name: string, kind: string, pairs: readonly LabelledPair[]): Contradictions {
  const found = pairs.filter(({ one, other }) => contradict(one, other))
  const near = pairs.filter(({ one, other }) => cosine(one, other) >= threshold)
  const lost = near.filter((pair) => !found.includes(pair))
  return { name, kind, pairs: pairs.length, found: found.length, near: near.length, lost: lost.length }
}

function contradict(one: string, other: string): boolean {
  return findContradiction(readComparable(one), readComparable(other)) !== undefined
}

function cosine(one: string, other: string): number {
  const [a, b] = [embeddings.of(one), embeddings.of(other)]
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
}

function print(): void {
  console.log(
    table(
      ['other words for the same', 'near enough to go', 'kept', 'share'],
      paraphrases.map(({ name, near, kept }) => [
        name,
        String(near),
        String(kept),
        `${((100 * kept) / Math.max(1, near)).toFixed(1)} %`,
      ]),
    ),
  )
  console.log(
    `\n${table(
      ['pairs', 'kind', 'pairs', 'found', 'near enough to go', 'of these not found'],
      contradictions.map(({ name, kind, pairs, found, near, lost }) => [
        name,
        kind,
        ...[pairs, found, near, lost].map(String),
      ]),
    )}`,
  )
}
