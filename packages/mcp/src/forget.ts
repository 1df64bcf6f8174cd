import { limits } from '@memory/shared/catalogue/limits'
import { fencedNotice } from '@memory/shared/platform/fence'
import { z } from 'zod'
import type { Memory } from './memory.ts'
import { PreviewTokens } from './preview-tokens.ts'
import { MemoryOut, memoryOf, notice, shown } from './show.ts'
import { characters, memoryId, ownPrefix, tool } from './tool.ts'

/** For which a preview may be confirmed. */
const minutes = limits.forgetPreviewMs / 60_000

const Selector = {
  pattern_ids: z
    .array(memoryId)
    .min(1)
    .max(limits.getByIds)
    .optional()
    .describe(
      'Ids of memories to forget, each pat_… or `ext:` and its external_id. Alone, or else the fields below, which all must hold.',
    ),
  query: characters(limits.queryChars)
    .optional()
    .describe('What the memories to forget say, such as "Ada lives in Lisbon".'),
  threshold: z
    .number()
    .min(0.5)
    .max(1)
    .optional()
    .describe('Least similarity to the query (0.85 unless said); a higher one forgets fewer.'),
  category: characters(limits.categoryChars).optional().describe('Such as health or location.'),
  filter: z.record(z.string(), z.unknown()).optional().describe('What the metadata must be.'),
}
type Selector = z.infer<z.ZodObject<typeof Selector>>

const Input = z.strictObject({
  ...Selector,
  confirm: z
    .string()
    .optional()
    .describe('The token of a preview of the same arguments, once the user agrees to what it has shown.'),
})

const Output = z.object({
  status: z.enum(['preview', 'forgotten', 'nothing']),
  notice,
  memories: z.array(MemoryOut).describe('What would be forgotten, or was.'),
  earlier_versions: z
    .int()
    .describe(
      'Earlier versions of other memories that match: they stay, and the forget of the API erases them.',
    ),
  more: z.int().describe('How many others match, which a further preview shows.'),
  kept: z
    .array(MemoryOut.extend({ reason: z.string() }))
    .describe(
      'Similar to the query, and left since they contradict it, by a number or a name; by their ids they can be forgotten.',
    ),
  unknown: z.array(z.string()).describe('Ids that were given and that no memory has.'),
  confirm: z.string().optional().describe('With a preview: the token that confirms it.'),
  expires_in_s: z.int().optional(),
  receipt: z.string().optional().describe('A signed statement of what was erased.'),
})

const nothingRemoved =
  'Nothing was removed: this token is not of a preview of these arguments, was used, is older than it may be, or the memories have changed since. Preview again, without `confirm`.'

type Pattern = Awaited<ReturnType<Memory['patterns']['get']>>

/** What a selection finds: as many as a preview shows. */
interface Found {
  patterns: Pattern[]
  /** Others that match. */
  more: number
  /** Of patterns that stay, which held what is to be forgotten. */
  versions: number
  /** Those that say something else than the query, similar as they are, and how they contradict it. */
  kept: { pattern: Pattern; reason: string }[]
  /** Ids that name nothing. */
  unknown: string[]
}

/** Two steps, so that nothing goes which nobody has seen: a preview, then the same again with its token. */
export const forget = tool({
  name: 'forget',
  title: 'Forget memories',
  description: `Erases memories for good, in two steps. First call it without \`confirm\`: it removes nothing and shows what would go. Show that to the user. If they agree, call it again with the same arguments and the preview's token in \`confirm\`: exactly what was shown is erased. A token works once, for ${minutes} minutes. To correct a memory use update_memory instead.`,
  effect: 'removes',
  input: Input,
  output: Output,
  run: async ({ memory, secret, now }, { confirm, ...selector }, options) => {
    requireSelector(selector)
    const found = await find(memory, selector, options)
    const { patterns, more, versions, unknown } = found
    const tokens = new PreviewTokens(secret, now)
    const preview = [inOrder(selector), patterns.map(({ pattern_id, version }) => [pattern_id, version])]
    const memories = patterns.map(memoryOf)
    const kept = found.kept.map(({ pattern, reason }) => ({ ...memoryOf(pattern), reason }))
    const answered = { notice: fencedNotice, memories, more, earlier_versions: versions, kept, unknown }
    if (confirm === undefined) {
      if (patterns.length === 0) {
        return {
          text: `No memory matches. Nothing to forget.${besides(found)}`,
          structured: { status: 'nothing' as const, ...answered },
        }
      }
      const token = tokens.issue(preview)
      const heading = `Preview: nothing is removed yet. ${count(patterns.length)} would be forgotten${more > 0 ? ` (${more} others match too: preview again after these)` : ''}. To erase exactly these, call forget again with the same arguments and confirm: "${token}", within ${minutes} minutes.`
      return {
        text: `${shown(heading, patterns)}${besides(found)}`,
        structured: { status: 'preview' as const, ...answered, confirm: token, expires_in_s: minutes * 60 },
      }
    }
    if (!tokens.fits(confirm, preview)) {
      throw new Error(nothingRemoved)
    }
    const { pattern_ids: gone, receipt } = await memory.patterns.deleteMany(
      { pattern_ids: patterns.map(({ pattern_id }) => pattern_id) },
      options,
    )
    // Another call with the token came first.
    if (gone.length === 0) throw new Error(nothingRemoved)
    return {
      text: `Forgotten: ${gone.join(', ')}.`,
      structured: {
        status: 'forgotten' as const,
        ...answered,
        memories: memories.filter(({ pattern_id }) => gone.includes(pattern_id)),
        ...(receipt !== undefined && { receipt }),
      },
    }
  },
})

/** @throws for what selects nothing, or says twice what is meant */
function requireSelector({ pattern_ids: ids, query, category, filter, threshold }: Selector): void {
  const others = [query, category, filter, threshold].some((each) => each !== undefined)
  if (ids !== undefined && others)
    throw new Error('Give pattern_ids, or query, category and filter; not both.')
  if (ids === undefined && query === undefined && category === undefined && filter === undefined) {
    throw new Error('Say what to forget: pattern_ids, or a query, category or filter.')
  }
}

/** What would go, and of that as much as one preview shows. */
async function find(
  memory: Memory,
  { pattern_ids: named, ...selector }: Selector,
  options: { signal: AbortSignal },
): Promise<Found> {
  if (named !== undefined) {
    const { pattern_ids: ids } = await memory.patterns.deleteMany(
      { ...byKind(named), dry_run: true },
      options,
    )
    const patterns = await get(memory, ids, options)
    const names = new Set(
      patterns.flatMap(({ pattern_id, external_id: own }) => [pattern_id, `${ownPrefix}${own}`]),
    )
    return { patterns, more: 0, versions: 0, kept: [], unknown: named.filter((id) => !names.has(id)) }
  }
  const {
    pattern_ids: ids,
    versions = 0,
    kept,
  } = await memory.text.forget({ ...selector, dry_run: true }, options)
  const first = ids.slice(0, limits.getByIds)
  const reasons = new Map(
    kept.slice(0, limits.getByIds).map(({ pattern_id, reason }) => [pattern_id, reason]),
  )
  const [patterns, others] = await Promise.all([
    get(memory, first, options),
    get(memory, [...reasons.keys()], options),
  ])
  return {
    patterns,
    more: ids.length - first.length,
    versions,
    kept: others.map((pattern) => ({ pattern, reason: reasons.get(pattern.pattern_id) as string })),
    unknown: [],
  }
}

/** Those of patterns that are there. */
async function get(memory: Memory, ids: string[], options: { signal: AbortSignal }): Promise<Pattern[]> {
  if (ids.length === 0) return []
  const { patterns } = await memory.patterns.getMany({ pattern_ids: ids }, options)
  return patterns.filter((each) => each !== null)
}

/** Ids as the API takes many of them. */
const byKind = (ids: readonly string[]) => ({
  pattern_ids: ids.filter((id) => !id.startsWith(ownPrefix)),
  external_ids: ids.filter((id) => id.startsWith(ownPrefix)).map((id) => id.slice(ownPrefix.length)),
})

/** What is said beside what would go. */
function besides({ versions, kept, unknown }: Found): string {
  const missing = unknown.length === 0 ? '' : ` No memory has these ids: ${JSON.stringify(unknown)}.`
  if (kept.length === 0) return `${ofVersions(versions)}${missing}`
  const reasons = kept.map(({ pattern: { pattern_id }, reason }) => `[${pattern_id}] by its ${reason}`)
  const heading = `Similar, but kept since they contradict the query: ${reasons.join(', ')}. To forget one of them, call forget with its id in pattern_ids:`
  const others = kept.map(({ pattern }) => pattern)
  return `${ofVersions(versions)}${missing}\n${shown(heading, others)}`
}

const ofVersions = (versions: number) =>
  versions === 0
    ? ''
    : ` Earlier versions of memories that stay match too (${versions}); this tool leaves them, and the forget of the API erases them.`

/** The same for the same fields in whatever order. */
const inOrder = (selector: Selector) =>
  Object.entries(selector)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const count = (n: number) => (n === 1 ? '1 memory' : `${n} memories`)
