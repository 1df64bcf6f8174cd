import type { Observation } from '@memory/engine/learning/learning-update'
import { parameters } from '@memory/engine/parameters'

const { usesASecond, patternsAtOnce, piecesASecond } = parameters.learning

/**
 * Splits the observations of a second, in order, into pieces that each concern few patterns: a piece is one transaction, whose
 * length depends on its patterns. Of answers beyond what is learned from in a second only the surprise is kept; feedback is
 * always learned from.
 */
export function inPieces(observations: readonly Observation[]): Observation[][] {
  const pieces: Observation[][] = [[]]
  let patterns = new Set<number>()
  let uses = 0
  for (const one of observations) {
    const learns = one.kind === 'feedback' || (one.kind === 'answer' && uses < usesASecond)
    const its = learns ? patternsOf([one]) : []
    const newOnes = its.filter((idx) => !patterns.has(idx)).length
    const fits = patterns.size === 0 || patterns.size + newOnes <= patternsAtOnce
    if (one.kind === 'answer' && (!learns || (!fits && pieces.length === piecesASecond))) {
      const { at, surprise } = one
      if (surprise !== null) pieces.at(-1)?.push({ kind: 'search', at, surprise })
      continue
    }
    if (one.kind === 'answer') uses++
    if (!fits) {
      pieces.push([])
      patterns = new Set()
    }
    for (const idx of its) patterns.add(idx)
    pieces.at(-1)?.push(one)
  }
  return pieces.filter(({ length }) => length > 0)
}

/** The patterns that observations mention, each once. */
export function patternsOf(observations: readonly Observation[]): number[] {
  const mentioned = observations.flatMap((one) => {
    if (one.kind === 'answer') return one.patterns.map(({ idx }) => idx)
    if (one.kind === 'feedback') return [one.idx, ...(one.answer?.patterns.map(({ idx }) => idx) ?? [])]
    return []
  })
  return [...new Set(mentioned)]
}
