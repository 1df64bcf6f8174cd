/**
 * Which pairs of texts sleep reports: of sentences that people have compared, of contradictions that were written for it,
 * and of turns of conversations.
 *
 *   npm run bench -- conflicts --data FOLDER [--languages en,fr] [--conversations FILE] [--embeddings FOLDER]
 */
import {
  contradictionReasons,
  findContradiction,
  readComparable,
} from '../packages/engine/src/contradiction/contradiction.ts'
import { parameters } from '../packages/engine/src/parameters.ts'
import { findConflict } from '../packages/engine/src/sleep/conflicts.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { Embeddings } from './belief/embeddings.ts'
import { languages as allLanguages } from './belief/language.ts'
import { readPairs } from './belief/pairs.ts'
import { readLabelledPairs } from './forget/pairs.ts'
import { dot } from './support/dot.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { readConversations } from './support/locomo.ts'
import { table, writeResult } from './support/results.ts'

const { values: options } = readOptions({
  options: {
    /** A folder of `stsb-LANGUAGE-dev.csv`. */
    data: { type: 'string' },
    /** Of the sentence pairs; all that there are unless said. */
    languages: { type: 'string' },
    /** A file of conversations, as the bench of recall takes it. */
    conversations: { type: 'string' },
    /** A folder that keeps the embeddings for the next run. */
    embeddings: { type: 'string' },
  },
})
/** Judged so similar, two sentences say the same but for details at most, and as good as the same. */
const [alikeScore, sameScore] = [4, 4.5]
/** Cosines from which pairs might be near duplicates. */
const thresholds = [0.85, 0.875, 0.9, 0.92, 0.94, 0.96]
const { duplicateMin, contradictionMin, sharedMin, neighbours } = parameters.conflicts

/** Two texts, and what they are to each other. */
interface Compared {
  similarity: number
  kind: 'near' | 'differing' | undefined
}

/** A pair that people have compared. */
interface Judged extends Compared {
  /** How similar they found it, of 5. */
  score: number
}

const data = required('data', options.data, 'the folder of the sentence pairs, see bench/README.md')
const languages = options.languages?.split(',') ?? allLanguages
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const embeddings = await Embeddings.open(options.embeddings)
const judged = await comparePairs()
const written = await compareWritten()
const conversations = options.conversations === undefined ? [] : await compareTurns(options.conversations)
await embeddings.close()
const result = {
  encoder: embeddings.modelId,
  ...{ duplicateMin, contradictionMin, sharedMin, neighbours, alikeScore, sameScore },
  languages,
  duplicates: thresholds.map(judgeDuplicates),
  differences: judgeDifferences(),
  written: judgeWritten(),
  conversations,
}
print()
writeResult('conflicts', environment, result)

/** As sleep compares them, but that whatever shows no difference may be a near duplicate. */
function compare(one: string, other: string): Compared {
  const similarity = dot(embeddings.of(one), embeddings.of(other))
  if (similarity < contradictionMin) return { similarity, kind: undefined }
  const [a, b] = [readComparable(one), readComparable(other)]
  if (findContradiction(a, b) === undefined) return { similarity, kind: 'near' }
  const conflict = findConflict({ comparable: a, at: 0 }, { comparable: b, at: 0 }, similarity)
  return { similarity, kind: conflict === undefined ? undefined : 'differing' }
}

/** Pairs of all languages that are not the same text. */
async function comparePairs(): Promise<Judged[]> {
  const compared: Judged[] = []
  for (const language of languages) {
    const file = readPairs(data, language, 'dev')
    const pairs = file?.pairs.filter(({ first, second }) => first !== second) ?? []
    await embeddings.encode(
      pairs.flatMap(({ first, second }) => [first, second]),
      language,
    )
    for (const { first, second, score } of pairs) compared.push({ ...compare(first, second), score })
  }
  return compared
}

function isSame({ score }: Judged): boolean {
  return score >= sameScore
}

/** Near duplicates at a cosine: how many, how many of these people found alike, and how many of the same there are. */
function judgeDuplicates(threshold: number) {
  const reported = judged.filter(({ similarity, kind }) => similarity >= threshold && kind === 'near')
  return {
    threshold,
    reported: reported.length,
    alike: reported.filter(({ score }) => score >= alikeScore).length,
    same: reported.filter(isSame).length,
    allSame: judged.filter(isSame).length,
  }
}

/** Differences that are reported, and of how many of these people found that they say the same. */
function judgeDifferences() {
  const reported = judged.filter(({ kind }) => kind === 'differing')
  return { reported: reported.length, same: reported.filter(isSame).length }
}

interface Written extends Compared {
  name: string
  difference: string
}

async function compareWritten(): Promise<Written[]> {
  const compared: Written[] = []
  for (const name of ['pairs', 'held-out'] as const) {
    const pairs = readLabelledPairs(name)
    await embeddings.encode(
      pairs.flatMap(({ one, other }) => [one, other]),
      name,
    )
    for (const { kind, one, other } of pairs) {
      compared.push({ ...compare(one, other), name, difference: kind })
    }
  }
  return compared
}

/** Of each difference, how many pairs are reported as differing. */
function judgeWritten() {
  return ['pairs', 'held-out'].flatMap((name) =>
    [...contradictionReasons, 'same'].map((difference) => {
      const pairs = written.filter((pair) => pair.name === name && pair.difference === difference)
      const differing = pairs.filter(({ kind }) => kind === 'differing').length
      return { name, difference, pairs: pairs.length, differing }
    }),
  )
}

/** What is reported of the turns of each conversation, each compared with its nearest. */
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
    const found = [...pairs.values()]
    conversations.push({
      name,
      turns: texts.length,
      duplicates: found.filter(({ kind, similarity }) => kind === 'near' && similarity >= duplicateMin)
        .length,
      differences: found.filter(({ kind }) => kind === 'differing').length,
    })
  }
  return conversations
}

function print(): void {
  const share = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`
  const { differences } = result
  console.log(
    table(
      ['near duplicates from', 'reported', 'alike', 'the same', 'of the same found'],
      result.duplicates.map(({ threshold, reported, alike, same, allSame }) => [
        ...[String(threshold), String(reported)],
        ...[share(alike, reported), share(same, reported), share(same, allSame)],
      ]),
    ),
  )
  console.log(`\nOf ${differences.reported} differences people found ${differences.same} to say the same.\n`)
  console.log(
    table(
      ['written pairs', 'difference', 'pairs', 'reported as differing'],
      result.written.map(({ name, difference, pairs, differing }) => [
        ...[name, difference, String(pairs), String(differing)],
      ]),
    ),
  )
  console.log(
    `\n${table(
      ['conversation', 'turns', 'near duplicates', 'differences'],
      conversations.map(({ name, turns, duplicates, differences }) => [
        ...[name, String(turns), String(duplicates), String(differences)],
      ]),
    )}`,
  )
}
