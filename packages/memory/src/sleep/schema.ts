import { parameters } from '@memory/engine/parameters'
import * as f from '@memory/shared/catalogue/fields'
import { operation } from '@memory/shared/catalogue/operation'
import { z } from 'zod'

const count = z.int().min(0)

/** What a sleep counts of what it did. */
export const sleepCounts = {
  consolidated: count.meta({
    description: 'Patterns merged or moved to another tier, and pairs that became compositions.',
  }),
  compositions_discovered: count,
  patterns_strengthened: count,
  patterns_weakened: count,
  conflicts: count.meta({ description: 'Conflicts that were not known.' }),
}

export const Sleep = operation({
  id: 'sleep',
  method: 'post',
  path: '/v1/memory/sleep',
  tag: 'Consolidation',
  summary: 'Consolidate the space',
  description: `Replays the most urgent patterns with their neighbours, which grow stronger; weakens what was unused for a week; makes compositions of pairs that exploration found valid, of which a space keeps the strongest ${parameters.sleep.compositionsKept}; merges texts that were stored twice with the same metadata, and not changed since, into the oldest; moves patterns to the tier that their use calls for; and finds texts that say nearly the same or contradict each other, see /v1/memory/conflicts. One run looks at ${parameters.sleep.runPatterns} patterns, and the next goes on from there.`,
  usage: 'consolidate',
  access: 'memory:write',
  // What it merges is lost.
  selects: true,
  body: z
    .object({ batch_size: f.integer(1, 20).default(5).meta({ description: 'Patterns to replay.' }) })
    .meta({ id: 'SleepRequest' }),
  response: z
    .object({
      ...sleepCounts,
      bypassed: z.literal(true).optional().meta({
        description: 'The regime has consolidation bypassed: nothing was done.',
      }),
    })
    .meta({ id: 'SleepResponse' }),
  errors: ['consolidation_running'],
})
