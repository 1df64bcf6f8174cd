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

/** What a tool does to the memory: every hint of the protocol follows from it. */
export type Effect = 'reads' | 'adds' | 'changes' | 'removes'

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
  register(server: McpServer, tools: Tools): void
}

export function tool<In extends z.ZodObject, Out extends z.ZodObject>({
  name,
  title,
  description,
  effect,
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
    destructiveHint: effect === 'changes' || effect === 'removes',
    // A second store is a second memory; what was changed or removed once is so.
    idempotentHint: effect !== 'adds',
    // Only the memory is touched.
    openWorldHint: false,
  }
}
