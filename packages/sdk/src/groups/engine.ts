import type { Calls } from '../calls.ts'
import type { CallOptions, GivenOf } from '../operations.ts'
import { byCursor } from '../pages.ts'

/** How the space learns, decides and fares. */
export const engineOf = ({ plain, query, body }: Calls) => {
  const runs = query('GET /v1/memory/runs')
  return {
    /** What the space has learned. */
    brain: plain('GET /v1/memory/brain'),
    /** Consolidates: replays, weakens, merges duplicates, makes compositions, moves tiers, finds conflicts. */
    sleep: body('POST /v1/memory/sleep'),
    /** A page of the space's sleeps and explorations, newest first, each with what it did. */
    runs,
    /** All of them that are kept. */
    allRuns: (given?: GivenOf<'GET /v1/memory/runs'>, options?: CallOptions) =>
      byCursor(runs, ({ runs }) => runs, given, options),
    /** Tries which pairs of patterns compose well. */
    explore: body('POST /v1/memory/explore'),
    /** Pairs worth trying. */
    suggestions: plain('GET /v1/memory/explore/suggestions'),
    /** Pairs worth consolidating. */
    consolidationCandidates: query('GET /v1/memory/explore/consolidation-candidates'),
    /** Pairs that the memory would mix up. */
    detectSpurious: plain('POST /v1/memory/explore/detect-spurious'),
    /** Whether a statement is known, put together from what is known, or new. */
    classifyBelief: body('POST /v1/memory/belief/classify'),
    /** Which way of searching fits a query best. */
    decideRouting: body('POST /v1/memory/routing/decide'),
    /** The expected free energy of each way of searching. */
    evaluateEfe: body('POST /v1/memory/efe/evaluate'),
    regime: plain('GET /v1/memory/regime'),
    regimeHistory: query('GET /v1/memory/regime/history'),
    /** Puts the space into the regime `anomaly` for a while, for tests. */
    injectAnomaly: body('POST /v1/memory/regime/inject-anomaly'),
    /** The signal that surprise moves. */
    neuromodulation: plain('GET /v1/memory/neuromodulation/state'),
    neuromodulationHistory: query('GET /v1/memory/neuromodulation/history'),
    /** Resets the signal's statistics. */
    calibrate: body('POST /v1/memory/neuromodulation/calibrate'),
    /** Searches patterns by tier. */
    tieredRetrieve: body('POST /v1/memory/tiered/retrieve'),
    tierDistribution: plain('GET /v1/memory/tiered/distribution'),
    tierStats: plain('GET /v1/memory/tiered/stats'),
    /** Reads what is around some keys, or around what was used last, into the memory of the process that answers. */
    warmPrefetch: body('POST /v1/memory/prefetch/warmup'),
    /** Drops what was read ahead. */
    invalidatePrefetch: plain('DELETE /v1/memory/prefetch/invalidate'),
    /** Reads what is around one embedding. */
    warmCluster: body('POST /v1/memory/diagnostics/prefetch/warmup'),
    /** The same as `invalidatePrefetch`, under its other path. */
    invalidateCluster: plain('POST /v1/memory/diagnostics/prefetch/invalidate'),
    /** Whether the native kernels are in use, and how much faster they are. */
    acceleration: plain('GET /v1/memory/acceleration/status'),
    /** Measures the native kernels against the JavaScript ones. */
    benchmark: body('POST /v1/memory/acceleration/benchmark'),
  }
}
