import { fence, fencedNotice } from '@memory/shared/platform/fence'
import { z } from 'zod'

/** A memory as tools answer it. */
export const MemoryOut = z.object({
  pattern_id: z.string(),
  external_id: z.string().optional(),
  text: z.string().nullable().describe('Null for a vector that was stored without a text.'),
  metadata: z.record(z.string(), z.unknown()),
  occurred_at: z.string().optional(),
})
export type MemoryOut = z.infer<typeof MemoryOut>

/** Goes ahead of the texts of memories in what programs read, as the fence does in what models read. */
export const notice = z.literal(fencedNotice)

/** A memory as the API answers it. */
interface Answered {
  pattern_id: string
  external_id?: string | null
  text: string | null
  metadata: Record<string, unknown> | null
  occurred_at?: string
}

export function memoryOf({ pattern_id, external_id, text, metadata, occurred_at }: Answered): MemoryOut {
  return {
    pattern_id,
    ...(external_id != null && { external_id }),
    text,
    metadata: metadata ?? {},
    ...(occurred_at !== undefined && { occurred_at }),
  }
}

/** A memory in one line of the fence, with the id that other tools take. */
export function lineOf({ pattern_id, text, metadata, occurred_at }: Answered): string {
  const day = occurred_at === undefined ? '' : ` (${occurred_at.slice(0, 10)})`
  const described =
    metadata === null || Object.keys(metadata).length === 0 ? '' : ` ${JSON.stringify(metadata)}`
  return `[${pattern_id}]${day} ${text ?? 'a vector without a text'}${described}`
}

/** What a model is shown of memories. @param heading says what they are, in the service's own words */
export function shown(heading: string, memories: readonly Answered[]): string {
  return memories.length === 0 ? heading : `${heading}\n${fence(memories.map(lineOf))}`
}
