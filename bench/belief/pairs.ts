import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Two sentences with how similar people find what they state, from 0 (nothing in common) to 5 (the same). */
export interface Pair {
  first: string
  second: string
  score: number
}

export type Split = 'train' | 'dev'

/** The pairs of one language. */
export interface PairFile {
  language: string
  pairs: Pair[]
  /** SHA-256 of the file, hexadecimal. */
  sha256: string
}

/** `stsb-LANGUAGE-SPLIT.csv` of a folder; undefined when there is none. */
export function readPairs(folder: string, language: string, split: Split): PairFile | undefined {
  const path = join(folder, `stsb-${language}-${split}.csv`)
  if (!existsSync(path)) return undefined
  const bytes = readFileSync(path)
  const pairs = parseCsv(bytes.toString('utf8')).map(([first = '', second = '', score]) => {
    const pair = { first: first.trim(), second: second.trim(), score: Number(score) }
    if (!(pair.score >= 0 && pair.score <= 5)) throw new Error(`${path}: ${score} is no score from 0 to 5`)
    return pair
  })
  return { language, pairs, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Records of comma-separated values as RFC 4180 writes them: quoted fields may hold commas, quotes and line ends. */
function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [, quoted, plain = '', end] = match
    const isAfterLast = match[0] === '' && record.length === 0
    if (isAfterLast) break
    record.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}
