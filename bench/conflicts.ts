/**
 * Which pairs of texts sleep reports: of sentences that people have compared, of contradictions that were written for it,
 * and of turns of conversations; and what other thresholds would report.
 *
 *   npm run bench -- conflicts --data FOLDER [--conversations FILE] [--embeddings FOLDER]
 */
import {
  contradictionReasons,
  findContradiction,
  readComparable,
} from '../packages/engine/src/contradiction/contradiction.ts'
import { parameters } from '../packages/engine/src/parameters.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { Embeddings } from './belief/embeddings.ts'
import { languages } from './belief/language.ts'
import { readPairs, type Split } from './belief/pairs.ts'
import { readLabelledPairs } from './forget/pairs.ts'
import { dot } from './support/dot.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { readConversations } from './support/locomo.ts'
import { table, writeResult } from './support/results.ts'

const { values: options } = readOptions({
  options: {
    /** A folder of `stsb-LANGUAGE-SPLIT.csv`. */
    data: { type: 'string' },
    /** A file of conversations, as the bench of recall takes it. */
    conversations: { type: 'string' },
    /** A folder that keeps the embeddings for the next run. */
    embeddings: { type: 'string' },
  },
})
/** Judged so similar, two sentences say the same but for details at most, and as good as the same. */
const [alikeScore, sameScore] = [4, 4.5]
const thresholds = [0.8, 0.85, 0.875, 0.9, 0.925, 0.95, 0.97]
const { duplicateMin, contradictionMin, neighbours } = parameters.conflicts

/** Two texts as near as they are, and in what they contradict each other. */
interface Compared {
  similarity: number
  reason: string | undefined
  /** How similar people found them, of 5. */
  score?: number
}

const data = required('data', options.data, 'the folder of the sentence pairs, see bench/README.md')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const embeddings = await Embeddings.open(options.embeddings)
const judged = { dev: await comparePairs('dev'), train: await comparePairs('train') }
const written = await compareWritten()
const turns = options.conversations === undefined ? [] : await compareTurns(options.conversations)
await embeddings.close()
const result = {
  encoder: embeddings.modelId,
  ...{ duplicateMin, contradictionMin, neighbours, alikeScore, sameScore },
  duplicates: (['dev', 'train'] as const).flatMap((split) =>
    thresholds.map((threshold) => ({ split, threshold, ...judgeDuplicates(judged[split], threshold) })),
  ),
  differences: (['dev', 'train'] as const).flatMap((split) =>
    thresholds.map((threshold) => ({ split, threshold, ...judgeDifferences(judged[split], threshold) })),
  ),
  written: thresholds.flatMap((threshold) => judgeWritten(threshold)),
  conversations: turns.map(({ name, turns, pairs }) => ({ name, turns, ...reportedOf(pairs) })),
}
print()
writeResult('conflicts', environment, result)

function compare(one: string, other: string): Compared {
  const similarity = dot(embeddings.of(one), embeddings.of(other))
  // Nothing less is reported at any of the thresholds.
  const isNear = similarity >= (thresholds[0] as number)
  return {
    similarity,
    reason: isNear ? findContradiction(readComparable(one), readComparable(other)) : undefined,
  }
}

/** Pairs of all languages that are not the same text. */
async function comparePairs(split: Split): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const language of languages) {
    const pairs =
      readPairs(data, language, split)?.pairs.filter(({ first, second }) => first !== second) ?? []
    await embeddings.encode(
      pairs.flatMap(({ first, second }) => [first, second]),
      `${language}, ${split}`,
    )
    for (const { first, second, score } of pairs) compared.push({ ...compare(first, second), score })
  }
  return compared
}

/** Near duplicates at a threshold: how many, how many of these people found alike, and how many of the same are missed. */
function judgeDuplicates(pairs: readonly Compared[], threshold: number) {
  const reported = pairs.filter(({ similarity, reason }) => similarity >= threshold && reason === undefined)
  const isSame = ({ score = 0 }: Compared) => score >= sameScore
  return {
    reported: reported.length,
    alike: reported.filter(({ score = 0 }) => score >= alikeScore).length,
    same: reported.filter(isSame).length,
    allSame: pairs.filter(isSame).length,
  }
}

/** Differences that are reported at a threshold, and of how many of these people found that they say the same. */
function judgeDifferences(pairs: readonly Compared[], threshold: number) {
  const reported = pairs.filter(({ similarity, reason }) => similarity >= threshold && reason !== undefined)
  return {
    reported: reported.length,
    same: reported.filter(({ score = 0 }) => score >= sameScore).length,
  }
}

interface Written extends Compared {
  name: string
  kind: string
}

async function compareWritten(): Promise<Written[]> {
  const compared: Written[] = []
  for (const name of ['pairs', 'held-out'] as const) {
    const pairs = readLabelledPairs(name)
    await embeddings.encode(
      pairs.flatMap(({ one, other }) => [one, other]),
      name,
    )
    for (const { kind, one, other } of pairs) compared.push({ name, kind, ...compare(one, other) })
  }
  return compared
}

/** Of each kind, how many pairs are reported as differing, at a threshold. */
function judgeWritten(threshold: number) {
  return ['pairs', 'held-out'].flatMap((name) =>
    [...contradictionReasons, 'same'].map((kind) => {
      const pairs = written.filter((pair) => pair.name === name && pair.kind === kind)
      const differing = pairs.filter(
        ({ similarity, reason }) => similarity >= threshold && reason !== undefined,
      )
      return { threshold, name, kind, pairs: pairs.length, differing: differing.length }
    }),
  )
}

/** The turns of each conversation, each with its nearest. */
async function compareTurns(path: string) {
  const conversations = []
  for (const { name, turns } of readConversations(path)) {
    const texts = [...new Set(turns.map(({ text }) => text))]
    await embeddings.encode(texts, name)
    const pairs = new Map<string, Compared>()
    for (const [i, one] of texts.entries()) {
      const near = texts
        .map((other, j) => ({ j, similarity: i === j ? -1 : dot(embeddings.of(one), embeddings.of(other)) }))
        .toSorted((a, b) => b.similarity - a.similarity)
        .slice(0, neighbours)
      for (const { j } of near) {
        const [a, b] = [Math.min(i, j), Math.max(i, j)]
        pairs.set(`${a},${b}`, compare(texts[a] as string, texts[b] as string))
      }
    }
    conversations.push({ name, turns: texts.length, pairs: [...pairs.values()] })
  }
  return conversations
}

const reportedOf = (pairs: readonly Compared[]) => ({
  duplicates: judgeDuplicates(pairs, duplicateMin).reported,
  differences: judgeDifferences(pairs, contradictionMin).reported,
})

function print(): void {
  const share = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`
  console.log(
    table(
      ['near duplicates', 'cosine', 'reported', 'alike', 'the same', 'of the same found'],
      result.duplicates.map(({ split, threshold, reported, alike, same, allSame }) => [
        ...[split, String(threshold), String(reported)],
        ...[share(alike, reported), share(same, reported), share(same, allSame)],
      ]),
    ),
  )
  console.log(
    `\n${table(
      ['differences', 'cosine', 'reported', 'of these the same'],
      result.differences.map(({ split, threshold, reported, same }) => [
        ...[split, String(threshold), String(reported), share(same, reported)],
      ]),
    )}`,
  )
  console.log(
    `\n${table(
      ['written pairs', 'kind', 'cosine', 'pairs', 'reported as differing'],
      result.written.map(({ name, kind, threshold, pairs, differing }) => [
        ...[name, kind, String(threshold), String(pairs), String(differing)],
      ]),
    )}`,
  )
  console.log(
    `\n${table(
      ['conversation', 'turns', 'near duplicates', 'differences'],
      result.conversations.map(({ name, turns, duplicates, differences }) => [
        ...[name, String(turns), String(duplicates), String(differences)],
      ]),
    )}`,
  )
}
