import { limits } from '@memory/shared/catalogue/limits'
import { fence, fencedNotice } from '@memory/shared/platform/fence'
import { z } from 'zod'
import { MemoryOut, memoryOf, notice, shown } from './show.ts'
import { characters, memoryId, type Tool, tool } from './tool.ts'

const query = characters(limits.queryChars)

const predict = tool({
  name: 'predict',
  title: 'Predict what is asked next',
  description: 'The memories that will probably be asked for after this query, as learned from earlier use.',
  effect: 'reads',
  input: z.strictObject({ query, top_k: z.int().min(1).max(limits.textTopK).optional() }),
  output: z.object({ notice, memories: z.array(MemoryOut.extend({ strength: z.number() })) }),
  run: async ({ memory }, input, options) => {
    const { predictions } = await memory.text.predict(input, options)
    const found = predictions.map((each) => ({ ...each, metadata: null }))
    return {
      text: shown(
        found.length === 0 ? 'Nothing was learned that follows it.' : 'The likeliest first:',
        found,
      ),
      structured: {
        notice: fencedNotice,
        memories: found.map((each) => ({ ...memoryOf(each), strength: each.strength })),
      },
    }
  },
})

const explain = tool({
  name: 'explain',
  title: 'Explain what the memory has',
  description: 'Quotes what the memory has on a query, and says why that was found.',
  effect: 'reads',
  input: z.strictObject({ query }),
  output: z.object({ notice, explanation: z.string(), method: z.string(), confidence: z.number() }),
  run: async ({ memory }, input, options) => {
    const { explanation, method, confidence } = await memory.text.explain(input, options)
    return {
      text: fence([explanation]),
      structured: { notice: fencedNotice, explanation, method, confidence },
    }
  },
})

const classifyBelief = tool({
  name: 'classify_belief',
  title: 'Is a statement known?',
  description:
    'Whether a statement is in the memory, follows from several memories together, or is new to it.',
  effect: 'reads',
  isOfSpace: true,
  input: z.strictObject({ statement: query }),
  output: z.object({
    classification: z.string(),
    confidence: z.number(),
    best_match_id: z.string().nullable(),
  }),
  run: async ({ memory }, { statement }, options) => {
    const { classification, confidence, best_match_id } = await memory.engine.classifyBelief(
      { query: statement },
      options,
    )
    const nearest = best_match_id === null ? '' : ` The nearest memory is [${best_match_id}].`
    return {
      text: `${classification} (${confidence.toFixed(2)}).${nearest}`,
      structured: { classification, confidence, best_match_id },
    }
  },
})

const giveFeedback = tool({
  name: 'give_feedback',
  title: 'Say whether a memory was useful',
  description: 'Teaches the memory which results are useful, so that it ranks them better.',
  effect: 'teaches',
  input: z.strictObject({ pattern_id: memoryId, useful: z.boolean(), query: query.optional() }),
  output: z.object({ message: z.string() }),
  run: async ({ memory }, input, options) => {
    const { message } = await memory.patterns.feedback(input, options)
    return { text: message, structured: { message } }
  },
})

const listConflicts = tool({
  name: 'list_conflicts',
  title: 'List conflicts',
  description:
    'Pairs of memories that say nearly the same or contradict each other, as sleep has found them.',
  effect: 'reads',
  input: z.strictObject({
    limit: z.int().min(1).max(limits.listMax).optional(),
    cursor: z.string().optional(),
  }),
  output: z.object({
    notice,
    conflicts: z.array(z.object({ conflict_id: z.string(), kind: z.string(), memories: z.array(MemoryOut) })),
    next_cursor: z.string().nullable(),
  }),
  run: async ({ memory }, { limit = 20, ...input }, options) => {
    const { conflicts, next_cursor } = await memory.patterns.conflicts({ limit, ...input }, options)
    const shownConflicts = conflicts.map(({ conflict_id, kind, patterns }) => ({
      conflict_id,
      kind,
      memories: patterns.map((each) => memoryOf({ ...each, metadata: null })),
    }))
    const lines = conflicts.map(({ conflict_id, kind, patterns }) =>
      [`[${conflict_id}] ${kind}`, ...patterns.map(({ pattern_id, text }) => `[${pattern_id}] ${text}`)].join(
        '\n',
      ),
    )
    const more = next_cursor === null ? '' : ` There are more: cursor "${next_cursor}".`
    return {
      text: lines.length === 0 ? 'No conflicts.' : `Newest first.${more}\n${fence(lines)}`,
      structured: { notice: fencedNotice, conflicts: shownConflicts, next_cursor },
    }
  },
})

const resolveConflict = tool({
  name: 'resolve_conflict',
  title: 'Resolve a conflict',
  description:
    'Says what a conflict is. keep: both are true. supersede: one takes the place of the other, which is kept as history. dismiss: it is no conflict.',
  effect: 'changes',
  input: z.strictObject({
    conflict_id: memoryId,
    resolution: z.enum(['keep', 'supersede', 'dismiss']),
    winner: memoryId.optional().describe('With supersede: the memory that holds; the newer unless said.'),
  }),
  output: z.object({ conflict_id: z.string(), status: z.string() }),
  run: async ({ memory }, { conflict_id, ...input }, options) => {
    const { status } = await memory.patterns.resolveConflict(conflict_id, input, options)
    return { text: `[${conflict_id}] is ${status}.`, structured: { conflict_id, status } }
  },
})

const sleep = tool({
  name: 'sleep',
  title: 'Consolidate the memory',
  description:
    'Replays memories, weakens what is unused, merges exact duplicates and looks for conflicts. The service does so by itself from time to time.',
  effect: 'consolidates',
  isOfSpace: true,
  input: z.strictObject({}),
  output: z.object({ consolidated: z.int(), patterns_strengthened: z.int(), conflicts: z.int() }),
  run: async ({ memory }, _, options) => {
    const { consolidated, patterns_strengthened, conflicts } = await memory.engine.sleep({}, options)
    return {
      text: `Consolidated: ${consolidated}; strengthened: ${patterns_strengthened}; conflicts found: ${conflicts}.`,
      structured: { consolidated, patterns_strengthened, conflicts },
    }
  },
})

const engineStatus = tool({
  name: 'engine_status',
  title: 'State of the engine',
  description:
    'The regime of the memory, how surprising the latest search was, and whether it consolidates now.',
  effect: 'reads',
  isOfSpace: true,
  input: z.strictObject({}),
  output: z.object({ regime: z.string(), surprise: z.number(), consolidation_status: z.string() }),
  run: async ({ memory }, _, options) => {
    const { regime, surprise, consolidation_status } = await memory.engine.brain(options)
    return {
      text: `Regime ${regime}, surprise ${surprise.toFixed(2)}, ${consolidation_status}.`,
      structured: { regime, surprise, consolidation_status },
    }
  },
})

/** For whoever asks for all tools: how the space learns, decides and fares. */
export const engineTools: readonly Tool[] = [
  predict,
  explain,
  classifyBelief,
  giveFeedback,
  listConflicts,
  resolveConflict,
  sleep,
  engineStatus,
]
