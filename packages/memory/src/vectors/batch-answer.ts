import type { Hits } from '@memory/engine/kernels/kernels'
import { ValidationError } from '@memory/shared/catalogue/errors'
import type { JsonStream, JsonText } from '@memory/shared/catalogue/json-text'
import { limits } from '@memory/shared/catalogue/limits'
import type { Caller, Output } from '@memory/shared/catalogue/operation'
import { inParts } from '@memory/shared/platform/in-parts'
import type { MemoryContext } from '../context.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import type { Payload } from '../patterns/pattern-cache.ts'
import { resultJson } from './result-json.ts'
import type { BatchRetrieveVectors } from './vector-schema.ts'
import { listValueChars } from './vector-store.ts'

/** Patterns whose values are read first, while nobody knows how long they are, and at most at a time. */
const firstPatterns = 32
const mostPatterns = 1_000
/** Characters of values that are read at a time, as far as those read before tell. */
const readChars = 2 ** 20
/** Characters of a part. */
const partChars = 2 ** 16
/** Most characters of a number and the comma after it, and of a result beside its value. */
const numberChars = 16
const resultChars = 200

type BatchAnswer = Output<typeof BatchRetrieveVectors>

/**
 * The answer to several queries. A long one is made as it is sent: values are read a mebibyte at a time, once the
 * client has taken what came before. What can be refused is refused before.
 * @throws ValidationError for an answer over its limit
 */
export async function batchAnswer(
  context: Pick<MemoryContext, 'queries' | 'payloads' | 'accesses'>,
  caller: Caller,
  index: SpaceIndex,
  hits: readonly Hits[],
): Promise<JsonText<BatchAnswer> | JsonStream<BatchAnswer>> {
  await requireFits(context, caller, hits)
  return inParts(partsOf(context, caller, index, hits))
}

/** JSON text of the answer, in parts of about one size. */
async function* partsOf(
  { payloads, accesses }: Pick<MemoryContext, 'payloads' | 'accesses'>,
  { spaceId }: Caller,
  index: SpaceIndex,
  hits: readonly Hits[],
): AsyncGenerator<string, void> {
  let part = '{"results":['
  let known: ReadonlyMap<number, Payload> = new Map()
  let [isKnownTo, most] = [0, firstPatterns]
  let at = 0
  for (const [query, { labels, scores }] of hits.entries()) {
    part += query === 0 ? '[' : ',['
    let isFirst = true
    const shown: number[] = []
    for (const [i, idx] of labels.entries()) {
      if (at === isKnownTo) {
        const ahead = nextPatterns(hits, query, i, most)
        known = await payloads.find(spaceId, index, ahead.patterns, { value: true })
        isKnownTo += ahead.results
        most = patternsAtOnce(known)
      }
      at++
      const payload = known.get(idx)
      // A pattern that is gone by now is left out.
      if (payload?.value == null) continue
      shown.push(idx)
      part += `${isFirst ? '' : ','}${resultJson(payload, payload.value, scores[i] as number, 'exact')}`
      isFirst = false
      if (part.length < partChars) continue
      yield part
      part = ''
    }
    accesses.record(spaceId, shown)
    part += ']'
  }
  yield `${part}]}`
}

/** The results from one on that name so many different patterns at most, and those patterns. */
function nextPatterns(
  hits: readonly Hits[],
  query: number,
  from: number,
  most: number,
): { results: number; patterns: number[] } {
  const patterns = new Set<number>()
  let results = 0
  for (let q = query; q < hits.length; q++) {
    const { labels } = hits[q] as Hits
    for (let i = q === query ? from : 0; i < labels.length; i++) {
      const idx = labels[i] as number
      if (patterns.size === most && !patterns.has(idx)) return { results, patterns: [...patterns] }
      patterns.add(idx)
      results++
    }
  }
  return { results, patterns: [...patterns] }
}

/** How many patterns with values like these are read at a time. */
function patternsAtOnce(read: ReadonlyMap<number, Payload>): number {
  let chars = 0
  for (const { value } of read.values()) chars += value?.length ?? 0
  const each = Math.max(1, chars / Math.max(1, read.size))
  return Math.min(mostPatterns, Math.max(1, Math.floor(readChars / each)))
}

/** @throws ValidationError for an answer that would be over its limit */
async function requireFits(
  { queries }: Pick<MemoryContext, 'queries'>,
  { spaceId }: Caller,
  hits: readonly Hits[],
): Promise<void> {
  const results = hits.reduce((sum, { labels }) => sum + labels.length, 0)
  const most = resultChars + numberChars * limits.vectorDimensions
  if (results * most <= limits.batchAnswerBytes) return
  const uses = new Map<number, number>()
  for (const { labels } of hits) for (const idx of labels) uses.set(idx, (uses.get(idx) ?? 0) + 1)
  const total = async (charsOf: (indexes: number[]) => Promise<Map<number, number>>) => {
    let chars = 0
    const indexes = [...uses.keys()]
    for (let from = 0; from < indexes.length; from += mostPatterns) {
      const read = await charsOf(indexes.slice(from, from + mostPatterns))
      for (const [idx, length] of read) chars += (uses.get(idx) as number) * (resultChars + length)
    }
    return chars
  }
  // By the dimension, which is quickly found, and only where that leaves room for doubt by the text itself.
  const atMost = await total((indexes) => listValueChars(queries, spaceId, indexes, numberChars))
  if (atMost <= limits.batchAnswerBytes) return
  const textChars = await total((indexes) => listValueChars(queries, spaceId, indexes))
  if (textChars > limits.batchAnswerBytes) throw answerTooLarge(hits.length)
}

function answerTooLarge(queries: number): ValidationError {
  const mebibytes = limits.batchAnswerBytes / 1024 / 1024
  return ValidationError.rule(
    ['body', 'queries'],
    `the answer would be larger than ${mebibytes} MiB; send fewer queries or a smaller top_k`,
    queries,
  )
}
