import { type Spread, spread, summarize } from '../support/statistics.ts'
import { type Length, lengths } from '../support/texts.ts'
import type { PeerRound } from './peers.ts'
import { type Connections, connectionCounts } from './plan.ts'
import type { MeasuredLoad, RequestKind, RequestSamples, ServiceRound } from './service-round.ts'

/** One timing over the rounds: each round's median, and the 99th percentile of all samples. */
export interface Timing {
  samples: number
  best: number
  p50: Spread
  p99: number
}

export interface LoadFigures extends Timing {
  perSecond: Spread
  /** Processor time of the service for one request. */
  processorMs: Spread
}

/** Sums up one list of samples a round. */
export const timing = (rounds: readonly number[][]): Timing => {
  const { n, best, p99 } = summarize(rounds.flat())
  return { samples: n, best, p50: spread(rounds.map((samples) => summarize(samples).p50)), p99 }
}

const byLength = <T>(figure: (length: Length) => T) =>
  Object.fromEntries(lengths.map((length) => [length, figure(length)])) as Record<Length, T>

export type ServiceFigures = ReturnType<typeof serviceFigures>

/** The service's figures over its rounds. */
export function serviceFigures(rounds: readonly ServiceRound[]) {
  const over = (pick: (round: ServiceRound) => number) => spread(rounds.map(pick))
  const load = (pick: (round: ServiceRound) => MeasuredLoad): LoadFigures => ({
    ...timing(rounds.map((round) => pick(round).samplesMs)),
    perSecond: over((round) => pick(round).perSecond),
    processorMs: over((round) => pick(round).processorMs / pick(round).samplesMs.length),
  })
  const loads = (kind: RequestKind) =>
    Object.fromEntries(
      connectionCounts.map((count) => [
        count,
        {
          fresh: load((round) => round.backToBack[kind][count].fresh),
          repeated: load((round) => round.backToBack[kind][count].repeated),
        },
      ]),
    ) as Record<Connections, { fresh: LoadFigures; repeated: LoadFigures }>
  const requests = (kind: RequestKind) =>
    byLength((length) => {
      const of = (part: keyof RequestSamples) =>
        timing(rounds.map((round) => round.single[kind][length][part]))
      return {
        fresh: of('fresh'),
        repeated: of('repeated'),
        encoder: of('encoder'),
        beyondEncoder: of('beyondEncoder'),
      }
    })
  const floor = (kind: keyof ServiceRound['floor']) => timing(rounds.map((round) => round.floor[kind]))
  return {
    startMs: {
      newDirectory: over((round) => round.startMs.newDirectory),
      existingDirectory: over((round) => round.startMs.existingDirectory),
      firstAnswer: over((round) => round.startMs.firstAnswer),
    },
    batchTextsPerSecond: byLength((length) => over((round) => round.batchTextsPerSecond[length])),
    memoryMb: {
      atRest: over((round) => round.memoryMb.atRest),
      underLoad: over((round) => round.memoryMb.underLoad),
      peak: over((round) => round.memoryMb.peak),
    },
    floor: {
      bareRetrieve: floor('bareRetrieve'),
      bareStore: floor('bareStore'),
      health: floor('health'),
      stats: floor('stats'),
    },
    single: { queries: requests('queries'), stores: requests('stores') },
    byMetrics: byLength((length) => ({
      requestMs: over((round) => round.byMetrics[length].requestMs),
      encodeMs: over((round) => round.byMetrics[length].encodeMs ?? Number.NaN),
      restMs: over(
        ({ byMetrics }) => byMetrics[length].requestMs - (byMetrics[length].encodeMs ?? Number.NaN),
      ),
    })),
    backToBack: { queries: loads('queries'), stores: loads('stores') },
  }
}

export type PeerFigures = ReturnType<typeof peerFigures>

export function peerFigures(rounds: readonly PeerRound[]) {
  const over = (pick: (round: PeerRound) => number) => spread(rounds.map(pick))
  return {
    firstAnswerMs: over((round) => round.firstAnswerMs),
    batchTextsPerSecond: byLength((length) => over((round) => round.batchTextsPerSecond[length])),
    add: byLength((length) => timing(rounds.map((round) => round.add[length]))),
    search: byLength((length) => timing(rounds.map((round) => round.search[length]))),
    memoryMb: {
      atRest: over((round) => round.memoryMb.atRest),
      afterUse: over((round) => round.memoryMb.afterUse),
    },
  }
}
