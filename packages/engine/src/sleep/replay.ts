import { type Pair, pairName, pairOf } from '../exploration/pairs.ts'
import { parameters } from '../parameters.ts'

const { recencyHalfLifeMs } = parameters.sleep

/** A pattern that may be replayed. */
export interface ReplayCandidate {
  idx: number
  /** Time of the last answer that held it, or when it was stored, in ms since 1970. */
  usedAt: number
  /** Sum of the weights of its associations. */
  degree: number
}

/**
 * How urgent it is to replay a pattern: recency (1 when just used, halved each `recencyHalfLifeMs`) times (1 + surprise when
 * stored) times (1 + degree). So what is recent, was new and is associated with much comes first (prioritised replay: Mattar and
 * Daw 2018).
 * @param surprise geometric surprise in [0, 1]
 * @param now ms since 1970
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
 * The `count` most urgent candidates, while their surprise is unknown. It can at most double a priority, so that candidates with
 * less than half the priority of the best would not come before these in any case.
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
  /** The replayed patterns, whose strength grows. */
  patterns: number[]
  /** Pairs of patterns that were active together, whose associations grow. */
  pairs: Pair[]
}

/**
 * What replaying patterns strengthens: the patterns, and the associations between all patterns of a neighbourhood, which is
 * active as a whole. The neighbours themselves do not grow stronger, since nobody used them.
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

/** Splits a rehearsal into parts of up to `count` pairs, each with an equal share of the patterns. No part if it is empty. */
export function portions({ patterns, pairs }: Rehearsal, count: number): Rehearsal[] {
  const parts = Math.max(Math.ceil(pairs.length / count), patterns.length > 0 ? 1 : 0)
  const share = Math.ceil(patterns.length / Math.max(1, parts))
  return Array.from({ length: parts }, (_, i) => ({
    patterns: patterns.slice(i * share, (i + 1) * share),
    pairs: pairs.slice(i * count, (i + 1) * count),
  }))
}
