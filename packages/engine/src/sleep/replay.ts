import { type Pair, pairName, pairOf } from '../exploration/pairs.ts'
import { parameters } from '../parameters.ts'

const { recencyHalfLifeMs } = parameters.sleep

/** What the order of replay goes by. */
export interface ReplayCandidate {
  idx: number
  /** The last answer that held it, or its store, in ms since 1970. */
  usedAt: number
  /** Sum of the weights of its associations. */
  degree: number
}

/**
 * How urgently a pattern is replayed: its recency, which halves each week, times 1 + surprise at storing times
 * 1 + association degree. What is recent, was new and hangs together with much else comes first (prioritised replay:
 * Mattar and Daw 2018).
 * @param surprise geometric surprise in [0, 1]
 */
export function replayPriority(
  { usedAt, degree }: Omit<ReplayCandidate, 'idx'>,
  surprise: number,
  now: number,
): number {
  const recency = 2 ** (-Math.max(0, now - usedAt) / recencyHalfLifeMs)
  return recency * (1 + surprise) * (1 + degree)
}

/**
 * The most urgent ones, before their surprise is known: a surprise of 1 at most doubles a priority, so that those left
 * out below half the last one's are none that it could bring back.
 * @param count at most so many
 */
export function shortlist(
  candidates: Iterable<ReplayCandidate>,
  count: number,
  now: number,
): ReplayCandidate[] {
  return [...candidates]
    .map((candidate) => ({ candidate, priority: replayPriority(candidate, 0, now) }))
    .sort((one, other) => other.priority - one.priority || one.candidate.idx - other.candidate.idx)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** What a replay strengthens. */
export interface Rehearsal {
  /** Patterns that were replayed. */
  patterns: number[]
  /** Pairs of patterns that were active together. */
  pairs: Pair[]
}

/**
 * What replaying patterns strengthens: each of them, and the associations within their neighbourhoods, each of which is
 * active as a whole. A neighbour is no stronger for it: nobody used it.
 */
export function rehearse(replayed: readonly { idx: number; neighbours: readonly number[] }[]): Rehearsal {
  const pairs = new Map<string, Pair>()
  for (const { idx, neighbours } of replayed) {
    const distinct = [...new Set([idx, ...neighbours])]
    for (const [i, one] of distinct.entries()) {
      for (const other of distinct.slice(i + 1)) {
        const pair = pairOf(one, other)
        pairs.set(pairName(pair), pair)
      }
    }
  }
  const patterns = [...new Set(replayed.map(({ idx }) => idx))].sort((a, b) => a - b)
  return { patterns, pairs: [...pairs.values()] }
}

/**
 * A rehearsal in portions of up to `count` pairs, each with its share of the patterns: together they hold every pattern
 * and every pair once. None for a rehearsal of nothing.
 */
export function portions({ patterns, pairs }: Rehearsal, count: number): Rehearsal[] {
  const parts = Math.max(Math.ceil(pairs.length / count), patterns.length > 0 ? 1 : 0)
  const share = Math.ceil(patterns.length / Math.max(1, parts))
  return Array.from({ length: parts }, (_, i) => ({
    patterns: patterns.slice(i * share, (i + 1) * share),
    pairs: pairs.slice(i * count, (i + 1) * count),
  }))
}
