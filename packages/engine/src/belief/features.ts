import { matchingPursuit } from './matching-pursuit.ts'
import { foldedRuns, isDense, numbersIn, textNgrams } from './text-ngrams.ts'

/** A statement with its embedding. */
export interface Statement {
  vector: Float32Array
  text: string
}

/** A stored statement, with its cosine to the query. */
export interface Candidate extends Statement {
  cosine: number
}

/** What `beliefFeatures` measures, in its order. */
export const featureNames = [
  /** Cosines of the best two, and how far they lie apart. */
  'best_cosine',
  'second_cosine',
  'cosine_gap',
  /** Share of the query's length that the best 2 and 3 vectors explain beyond 1 fewer. */
  'explained_by_one',
  'gained_by_second',
  'gained_by_third',
  'log_patterns',
  /**
   * Shares of n-grams: of the query's in the best match, and in a second text of what the match leaves; and of the n-grams of
   * each of these in the query.
   */
  'query_in_match',
  'query_in_second',
  'match_in_query',
  'second_in_query',
  /** Shares of whole words: of the query in the best match, and of that in the query. */
  'query_words_in_match',
  'match_words_in_query',
  /** Share of the query's neighbouring pairs of words that the match has in the same order. */
  'query_pairs_in_match',
  /** How much is said beyond the other, absolutely: a word more weighs as much in a long statement as in a short one. */
  'words_beyond_match',
  'words_beyond_query',
  'numbers_differ',
  'same_text',
  'log_length_ratio',
  'log_query_length',
] as const

/**
 * What tells whether a query states what is stored, puts several stored statements together, or says something new.
 *
 * @param candidates the nearest patterns, best first
 * @param patterns how many patterns there are in all
 * @returns finite numbers in the order of `featureNames`
 */
export function beliefFeatures(
  query: Statement,
  candidates: readonly Candidate[],
  patterns: number,
): Float64Array {
  const [best, next] = candidates
  const cosine = clampCosine(best?.cosine ?? 0)
  const second = clampCosine(next?.cosine ?? 0)
  const [one = 0, two = 0, three = 0] = matchingPursuit(
    query.vector,
    candidates.map(({ vector }) => vector),
    3,
  ).shares
  const values = [
    ...[cosine, second, cosine - second],
    ...[one, two - one, three - two],
    Math.log(Math.max(1, patterns)),
    ...overlap(query.text, candidates),
    ...comparison(query.text, best?.text ?? ''),
  ]
  return Float64Array.from(values, (value) => (Number.isFinite(value) ? value : 0))
}

/** Overlap with the best match, and with the candidate that covers most of what the match leaves. */
function overlap(text: string, candidates: readonly Candidate[]): number[] {
  const ngrams = textNgrams(text)
  const [match = new Set<string>(), ...others] = candidates.map((candidate) => textNgrams(candidate.text))
  const left = new Set([...ngrams].filter((ngram) => !match.has(ngram)))
  let second = new Set<string>()
  let covered = 0
  for (const other of others) {
    const gain = countShared(left, other)
    if (gain <= covered) continue
    covered = gain
    second = other
  }
  const shared = ngrams.size - left.size
  return [
    share(shared, ngrams.size),
    share(covered, ngrams.size),
    share(shared, match.size),
    share(countShared(ngrams, second), second.size),
  ]
}

function comparison(query: string, match: string): number[] {
  const [queryUnits, matchUnits] = [unitsOf(query), unitsOf(match)]
  const [queryWords, matchWords] = [new Set(queryUnits), new Set(matchUnits)]
  const shared = countShared(queryWords, matchWords)
  const [queryPairs, matchPairs] = [pairsOf(queryUnits), pairsOf(matchUnits)]
  const [queryNumbers, matchNumbers] = [numbersIn(query), numbersIn(match)]
  const sharedNumbers = countShared(queryNumbers, matchNumbers)
  return [
    share(shared, queryWords.size),
    share(shared, matchWords.size),
    share(countShared(queryPairs, matchPairs), queryPairs.size),
    Math.log1p(queryWords.size - shared),
    Math.log1p(matchWords.size - shared),
    Math.log1p(queryNumbers.size + matchNumbers.size - 2 * sharedNumbers),
    queryUnits.length > 0 && queryUnits.join(' ') === matchUnits.join(' ') ? 1 : 0,
    matchUnits.length === 0 ? 0 : Math.log((queryUnits.length + 1) / (matchUnits.length + 1)),
    Math.log1p(queryUnits.length),
  ]
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0
  for (const item of a) if (b.has(item)) count++
  return count
}

/** Words; single characters where words are not set apart. */
function unitsOf(text: string): string[] {
  return foldedRuns(text).flatMap((run) => (isDense(run) ? Array.from(run) : [run]))
}

function pairsOf(units: readonly string[]): Set<string> {
  return new Set(units.slice(1).map((unit, i) => `${units[i]} ${unit}`))
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function clampCosine(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0
}
