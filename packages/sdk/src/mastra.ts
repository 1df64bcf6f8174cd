/** Memory for agents of Mastra (the package `@mastra/core`). The tools of `memory-service-sdk/ai` are tools of its agents too. */
export {
  type MemoryServiceFilter,
  MemoryServiceVector,
  type MemoryServiceVectorOptions,
} from './mastra-vector.ts'

import { parseMemoryRequestContext } from '@mastra/core/memory'
import type { Processor } from '@mastra/core/processors'
import { MASTRA_RESOURCE_ID_KEY, type RequestContext } from '@mastra/core/request-context'
import { beginTurn, requireKept, requireOptions, type TurnOptions, turnOptions } from './adapters/turn.ts'
import type { MemoryClient } from './client.ts'

export interface MemoryProcessorOptions extends TurnOptions {
  /**
   * The user whose memory is meant, where the client is kept to no subject. Unless said, the resource of the request: what
   * `MASTRA_RESOURCE_ID_KEY` of its context says, or that of its `memory` where the agent has one. A request without one fails.
   */
  subject?:
    | ((context: RequestContext | undefined) => string | undefined | Promise<string | undefined>)
    | undefined
}

/** What the processor needs of Mastra's: the rest of an agent is none of its business. */
type MemoryProcessor = Required<
  Pick<Processor<'memory-service'>, 'id' | 'processLLMRequest' | 'processOutputResult'>
>

/**
 * A processor that shows an agent's model what is remembered of what the user says, and stores that once the agent has
 * answered. It is for both `inputProcessors` and `outputProcessors`. The memories stand before the last message of the user,
 * between marks that say that they are data, and only in what the model is sent: no history keeps them.
 * @throws TypeError for an undefined filter, and for an option that there is not
 */
export function memoryProcessor(memory: MemoryClient, options: MemoryProcessorOptions = {}): MemoryProcessor {
  requireOptions(options, { ...turnOptions, subject: true }, 'memoryProcessor')
  const { subject: subjectOf = resourceOf } = options
  const keptTo = async (context: RequestContext | undefined): Promise<MemoryClient> => {
    if (memory.subject !== undefined) return memory
    const subject = await subjectOf(context)
    const kept = subject === undefined ? memory : memory.forSubject(subject)
    requireKept(kept, options)
    return kept
  }
  const turns = new WeakMap<object, (answer: string) => Promise<void>>()
  return {
    id: 'memory-service',
    async processLLMRequest({ prompt, requestContext, state, abortSignal }) {
      const turn = await beginTurn(await keptTo(requestContext), prompt, options, abortSignal)
      // Of the first request: the others, after tools, are part of the same turn.
      if (!turns.has(state)) turns.set(state, turn.end)
      return { prompt: turn.prompt }
    },
    async processOutputResult({ messages, result, state }) {
      if (result.finishReason !== 'error') await turns.get(state)?.(result.text)
      return messages
    },
  }
}

function resourceOf(context: RequestContext | undefined): string | undefined {
  // What a server sets from its sessions, before what a caller may have named.
  const resource: unknown =
    context?.get(MASTRA_RESOURCE_ID_KEY) ?? parseMemoryRequestContext(context)?.resourceId
  return typeof resource === 'string' ? resource : undefined
}
