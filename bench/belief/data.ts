import { type Case, measureCases } from './cases.ts'
import type { Embeddings } from './embeddings.ts'
import { languages } from './language.ts'
import { type Pair, readPairs, type Split } from './pairs.ts'
import { sameFactScore } from './spaces.ts'

export interface CaseData {
  cases: Case[]
  /** SHA-256 of each file read, by language. */
  files: Record<string, string>
}

const seeds = { train: 1, dev: 2 }

/** The cases of every language that a folder has pairs of. @throws Error when it has none of English */
export async function readCases(embeddings: Embeddings, folder: string, split: Split): Promise<CaseData> {
  const english = readPairs(folder, 'en', split)
  if (english === undefined)
    throw new Error(`${folder} has no stsb-en-${split}.csv, which says what is one statement`)
  const chosen = choose(english.pairs, split)
  const data: CaseData = { cases: [], files: {} }
  for (const language of languages) {
    const file = readPairs(folder, language, split)
    if (file === undefined) continue
    if (file.pairs.length !== english.pairs.length)
      throw new Error(`${language} and en differ in their pairs`)
    data.files[language] = file.sha256
    const of = (pairs: readonly Pair[]) => chosen.map((row) => pairs[row] as Pair)
    data.cases.push(
      ...(await measureCases(embeddings, language, of(file.pairs), of(english.pairs), seeds[split])),
    )
  }
  return data
}

/** Rows that are used: of the pairs to fit on, those that say the same, which are few, and an even sample of the rest. */
function choose(english: readonly Pair[], split: Split): number[] {
  const step = english.length / 1_800
  const sampled = new Set(Array.from({ length: 1_800 }, (_, i) => Math.floor(i * step)))
  return english.flatMap(({ score }, row) =>
    split === 'dev' || score >= sameFactScore || sampled.has(row) ? [row] : [],
  )
}
