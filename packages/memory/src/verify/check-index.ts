import { kernels } from '@memory/engine/kernels/kernels'
import type { Queries } from '@memory/shared/platform/database/database'
import { searchShard } from '../index/search-shard.ts'
import type { Shard } from '../index/shard.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import * as store from '../store.ts'
import { countPatterns, readSentences } from './verify-store.ts'

/** What encodes the texts that are compared with what is stored of them. */
export interface Comparer {
  modelId: string
  encode(text: string): Promise<Float32Array>
}

/** What was found out of the index of a space. */
export interface IndexCheck {
  patterns: number
  /** Vectors from the rows that were looked for in the index. */
  vectors: number
  /** Texts from the rows that were encoded again and looked for. */
  texts: number
  /** What is wrong, in words; nothing of what is stored. */
  problems: string[]
}

const vectorsPerShard = 20
const textsPerShard = 3
/** A stored vector that is looked for is found as itself; large indexes estimate to a hundredth. */
const sameLeast = 0.98
/** How often a space that changes meanwhile is looked at. */
const attempts = 5

/**
 * Holds the index of a space against its rows: as many patterns, vectors of some rows are found as themselves, and texts
 * of some are encoded to what is stored.
 * @param open gives the index, of the version that it is asked for at least
 * @param comparer undefined: texts are left
 * @returns undefined for a space that is gone, or that changes all the time
 */
export async function checkIndex(
  queries: Queries,
  spaceId: string,
  open: (version: number) => Promise<SpaceIndex>,
  comparer: Comparer | undefined,
): Promise<IndexCheck | undefined> {
  let newest: IndexCheck | undefined
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = await countPatterns(queries, spaceId)
    if (before === undefined) return undefined
    const index = await open(before.version)
    const { patterns } = before
    newest =
      index.version > before.version
        ? {
            ...{ patterns, vectors: 0, texts: 0 },
            problems: [`the index is of version ${index.version}, and its rows of ${before.version}`],
          }
        : undefined
    if (index.version !== before.version) continue
    const check: IndexCheck = { patterns, vectors: 0, texts: 0, problems: [] }
    if (index.size !== patterns) check.problems.push(`the index holds ${index.size} of ${patterns} patterns`)
    for (const shard of index.shards) await checkShard(queries, spaceId, index, shard, comparer, check)
    // What was changed meanwhile could look wrong.
    if ((await countPatterns(queries, spaceId))?.version === before.version) return check
  }
  return newest
}

async function checkShard(
  queries: Queries,
  spaceId: string,
  index: SpaceIndex,
  shard: Shard,
  comparer: Comparer | undefined,
  check: IndexCheck,
): Promise<void> {
  const sample = index.spread(shard, vectorsPerShard)
  const keys = await store.findKeys(queries, spaceId, sample, shard.modelId)
  for (const idx of sample) {
    const key = keys.get(idx)
    check.vectors++
    if (key === undefined) check.problems.push(`pattern ${idx} is in the index and has no row`)
    else if (!finds(shard, key)) check.problems.push(`the vector of pattern ${idx} is not found`)
  }
  if (comparer === undefined || shard.sourceDim !== null) return
  const sentences = await readSentences(queries, spaceId, comparer.modelId, sample, textsPerShard)
  for (const { idx, text } of sentences) {
    const embedding = await comparer.encode(text)
    check.texts++
    const key = keys.get(idx)
    if (key === undefined || kernels.cosine(embedding, key) < sameLeast || !finds(shard, embedding)) {
      check.problems.push(`the text of pattern ${idx} is encoded to another vector than is stored of it`)
    }
  }
}

function finds(shard: Shard, key: Float32Array): boolean {
  const search = { k: 5, exactK: 5, minScore: -1, textOnly: false, allowed: undefined }
  const { scores } = searchShard(shard.target, key, search)
  return Math.max(...scores) >= sameLeast
}
