import { limits } from '@memory/shared/catalogue/limits'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Memory } from './memory.ts'

/** A text of `min` to `max` characters, as the API counts them: one of two units of UTF-16 is one. */
export const characters = (max: number, min = 1) =>
  z
    .string()
    .refine((text) => isBetween([...text].length, min, max), `must have ${min} to ${max} characters`)
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })

const isBetween = (n: number, min: number, max: number): boolean => n >= min && n <= max

/** What names a memory by the id that its writer gave it. */
export const ownPrefix = 'ext:'

const idChars = ownPrefix.length + limits.externalIdChars

/** What names a memory or a conflict: no longer than ids are, and nothing that a path takes for a step. */
export const memoryId = characters(idChars).refine((id) => !/^\.{1,2}$/.test(id), 'is no id')

/** What follows from what a tool does to the memory. */
interface Consequence {
  /** What the credentials need. */
  scopes: readonly string[]
  /** Whether a memory can be another afterwards, or gone. */
  isDestructive: boolean
  /** Whether to do it again does nothing more. */
  isIdempotent: boolean
}

const effects = {
  // What is found may count as used, which teaches the space and changes no memory.
  reads: { scopes: ['memory:read'], isDestructive: false, isIdempotent: true },
  // A second store is a second memory.
  adds: { scopes: ['memory:write'], isDestructive: false, isIdempotent: false },
  // What is taught twice counts twice.
  teaches: { scopes: ['memory:write'], isDestructive: false, isIdempotent: false },
  // What is so already stays as it is, without another version.
  changes: { scopes: ['memory:write'], isDestructive: true, isIdempotent: true },
  // Duplicates go, and each time memories gain and lose strength.
  consolidates: { scopes: ['memory:write'], isDestructive: true, isIdempotent: false },
  // It shows first what would go.
  removes: { scopes: ['memory:read', 'memory:write'], isDestructive: true, isIdempotent: true },
} satisfies Record<string, Consequence>

/** What a tool does to the memory. */
export type Effect = keyof typeof effects

/** What the credentials of a request allow. */
export interface Allowed {
  /** Null for all. */
  scopes: readonly string[] | null
  /** Whether they are bound to an end user, who does not see the space as a whole. */
  isBound: boolean
}

/** Whether a tool can do anything by such credentials. */
export const isOpenTo = ({ effect, isOfSpace }: Tool, { scopes, isBound }: Allowed): boolean =>
  !(isBound && isOfSpace) &&
  effects[effect].scopes.every((scope) => scopes === null || scopes.includes(scope))

/** What the tools work with. */
export interface Tools {
  memory: Memory
  /** Under which previews are confirmed: see `PreviewTokens`. */
  secret: Uint8Array
  now: () => Date
}

/** What a tool answers: words for a model, and the same for programs. */
interface Answer<Out> {
  text: string
  structured: Out
}

interface Description<In extends z.ZodObject, Out extends z.ZodObject> {
  name: string
  title: string
  description: string
  effect: Effect
  /** Whether it is about the space as a whole, and so not for those who are bound to an end user. */
  isOfSpace?: boolean
  input: In
  output: Out
  run(
    tools: Tools,
    input: z.output<In>,
    options: { signal: AbortSignal },
  ): Promise<Answer<z.input<NoInfer<Out>>>>
}

/** A tool, described once for every server and transport. */
export interface Tool {
  name: string
  title: string
  effect: Effect
  isOfSpace: boolean
  register(server: McpServer, tools: Tools): void
}

export function tool<In extends z.ZodObject, Out extends z.ZodObject>({
  name,
  title,
  description,
  effect,
  isOfSpace = false,
  input,
  output,
  run,
}: Description<In, Out>): Tool {
  const config = {
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: hintsOf(title, effect),
  }
  return {
    name,
    title,
    effect,
    isOfSpace,
    register: (server, tools) => {
      server.registerTool<Out, z.ZodObject>(
        name,
        config,
        async (given: Record<string, unknown>, { mcpReq }: ServerContext): Promise<CallToolResult> => {
          // The server has checked what is given against the same schema.
          const { text, structured } = await run(tools, input.parse(given), { signal: mcpReq.signal })
          return { content: [{ type: 'text', text }], structuredContent: { ...structured } }
        },
      )
    },
  }
}

/** All four hints, always: what a client does not read it takes for the worst. */
function hintsOf(title: string, effect: Effect) {
  return {
    title,
    readOnlyHint: effect === 'reads',
    destructiveHint: effects[effect].isDestructive,
    idempotentHint: effects[effect].isIdempotent,
    // Only the memory is touched.
    openWorldHint: false,
  }
}
