import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contradictionReasons } from '../../packages/engine/src/contradiction/contradiction.ts'
import { repository } from '../support/environment.ts'

/** What the second text of a pair is to the first: a contradiction of a kind, or `same`, other words for it. */
export const pairKinds: readonly string[] = [...contradictionReasons, 'same']

export interface LabelledPair {
  language: string
  kind: string
  one: string
  other: string
}

/** The pairs of `test/data/contradictions/NAME.tsv`. @throws Error for a line that is no pair */
export function readLabelledPairs(name: 'pairs' | 'held-out'): LabelledPair[] {
  const [, ...lines] = readFileSync(join(repository, `test/data/contradictions/${name}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const [language, kind, one, other] = line.split('\t')
    if (!language || !kind || !pairKinds.includes(kind) || !one || !other) throw new Error(`No pair: ${line}`)
    return { language, kind, one, other }
  })
}
