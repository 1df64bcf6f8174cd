/** Memory for models of the AI SDK (the package `ai`): as tools that a model calls, or as a middleware around it. */
import { jsonSchema, type LanguageModelMiddleware, type Tool, tool } from 'ai'
import {
  beginTurn,
  isText,
  pieces,
  queryOf,
  requireKept,
  requireOptions,
  shown,
  type Turn,
  type TurnOptions,
  turnOptions,
} from './adapters/turn.ts'
import type { MemoryClient } from './client.ts'
import { queryCharsMax } from './generated/facts.ts'
import { fence } from './generated/fence.ts'
import { requireKnown } from './settings.ts'

export type MemoryMiddlewareOptions = TurnOptions

/**
 * A middleware that shows a model what is remembered of what the user says, and stores that once the model has answered or
 * was stopped. The memories stand before the last message of the user, between marks that say that they are data.
 *
 * @param memory of one user: `new MemoryClient().forSubject(user)`
 * @throws TypeError for a client that is kept to nobody, unless `shared` says that this is meant, and for an undefined
 * filter or an option that there is not
 */
export function memoryMiddleware(
  memory: MemoryClient,
  options: MemoryMiddlewareOptions = {},
): LanguageModelMiddleware {
  requireKept(memory, options)
  requireOptions(options, turnOptions, 'memoryMiddleware')
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ model, params }) {
      const turn = await beginTurn(memory, params.prompt, options, params.abortSignal)
      const result = await orStopped(turn, params.abortSignal, () =>
        model.doGenerate({ ...params, prompt: turn.prompt }),
      )
      if (isAnswered(result.finishReason)) await turn.end(answerOf(result.content, result.finishReason))
      return result
    },
    async wrapStream({ model, params }) {
      const turn = await beginTurn(memory, params.prompt, options, params.abortSignal)
      const { stream, ...result } = await orStopped(turn, params.abortSignal, () =>
        model.doStream({ ...params, prompt: turn.prompt }),
      )
      return { ...result, stream: watched(stream, turn, params.abortSignal) }
    },
  }
}

type Ending = Pick<Turn<never>, 'end'>

/** What the user said is theirs also where they stop the model before it has answered. */
async function orStopped<T>(
  turn: Ending,
  signal: AbortSignal | undefined,
  work: () => PromiseLike<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted) await turn.end('')
    throw error
  }
}

/** A stream of the same parts that ends the turn, once: with the answer, or without where the stream is stopped before. */
function watched(
  stream: ReadableStream<StreamPart>,
  turn: Ending,
  signal: AbortSignal | undefined,
): ReadableStream<StreamPart> {
  const reader = stream.getReader()
  let answer = ''
  let isOver = false
  const end = async (text: string) => {
    if (isOver) return
    isOver = true
    await turn.end(text)
  }
  // Not a TransformStream: in Node 20 it does not hear of a cancel.
  return new ReadableStream({
    async pull(controller) {
      const { done, value: part } = await orStopped({ end }, signal, () => reader.read())
      if (done) return controller.close()
      if (part.type === 'text-delta') answer += part.delta
      // Before the end is told: whoever hears of it may stop the process.
      if (part.type === 'finish' && isAnswered(part.finishReason)) {
        await end(part.finishReason.unified === 'tool-calls' ? '' : answer)
      }
      // Whoever stops it then stops what has failed.
      if (part.type === 'finish' || part.type === 'error') isOver = true
      controller.enqueue(part)
    },
    async cancel(reason) {
      await Promise.all([reader.cancel(reason), end('')])
    },
  })
}

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>
type StreamPart = Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never
type FinishReason = Extract<StreamPart, { type: 'finish' }>['finishReason']

const isAnswered = ({ unified }: FinishReason) => unified !== 'error'

function answerOf(content: readonly unknown[], { unified }: FinishReason): string {
  return unified === 'tool-calls'
    ? ''
    : content
        .filter(isText)
        .map(({ text }) => text)
        .join('')
}

export interface MemoryToolsOptions
  extends Pick<TurnOptions, 'topK' | 'minSimilarity' | 'filter' | 'shared'> {
  /** Of what is stored. */
  metadata?: Record<string, unknown> | undefined
}

/** Every option, by its name. */
const toolsOptions: Readonly<Record<keyof MemoryToolsOptions, true>> = {
  topK: true,
  minSimilarity: true,
  filter: true,
  metadata: true,
  shared: true,
}

/**
 * Tools with which a model looks up and stores memories by itself.
 * @param memory of one user: `new MemoryClient().forSubject(user)`
 * @throws TypeError for a client that is kept to nobody, unless `shared` says that this is meant, and for an undefined
 * filter or an option that there is not
 */
export function memoryTools(
  memory: MemoryClient,
  options: MemoryToolsOptions = {},
): { recall: Tool<{ query: string }, string>; remember: Tool<{ text: string }, string> } {
  requireKept(memory, options)
  requireOptions(options, toolsOptions, 'memoryTools')
  const { topK = 5, minSimilarity, filter, metadata } = options
  return {
    recall: tool({
      description: 'Looks up what is remembered of the user and of earlier conversations.',
      inputSchema: jsonSchema<{ query: string }>({
        type: 'object',
        properties: {
          query: {
            type: 'string',
            description: 'What to look up: a question or a statement, in any language.',
            minLength: 1,
            maxLength: queryCharsMax,
          },
        },
        required: ['query'],
        additionalProperties: false,
      }),
      execute: async ({ query }, { abortSignal }) => {
        const { results } = await memory.text.recall(
          {
            query: queryOf(query),
            top_k: topK,
            ...(minSimilarity === undefined ? {} : { min_similarity: minSimilarity }),
            ...(filter === undefined ? {} : { filter }),
          },
          { signal: abortSignal },
        )
        return results.length === 0 ? 'Nothing is remembered of this.' : fence(results.map(shown))
      },
    }),
    remember: tool({
      description:
        'Stores a fact for later conversations. Not for passwords, keys or what the user wants kept secret.',
      inputSchema: jsonSchema<{ text: string }>({
        type: 'object',
        properties: {
          text: {
            type: 'string',
            description:
              'The fact in a sentence that stands alone, with names and dates in place of pronouns.',
            minLength: 1,
          },
        },
        required: ['text'],
        additionalProperties: false,
      }),
      execute: async ({ text }): Promise<string> => {
        const items = pieces(text).map((piece) => ({
          text: piece,
          ...(metadata === undefined ? {} : { metadata }),
        }))
        if (items.length === 0) return 'There is nothing to store.'
        await memory.text.batchStore({ items })
        return 'Stored.'
      },
    }),
  }
}

/**
 * A tool with which a model removes memories by itself. It is apart from {@link memoryTools}, since whatever the model
 * reads may tell it to use it: `needsApproval` of the AI SDK asks the user first.
 * @throws TypeError for a client that is kept to nobody, unless `shared` says that this is meant
 */
export function forgetTool(
  memory: MemoryClient,
  options: Pick<TurnOptions, 'shared'> = {},
): Tool<{ query: string }, string> {
  requireKept(memory, options)
  requireKnown(options, { shared: true }, 'forgetTool')
  return tool({
    description: 'Removes what is remembered of something, where the user asks for that.',
    inputSchema: jsonSchema<{ query: string }>({
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description: 'What to forget, in the words in which it is remembered.',
          minLength: 1,
          maxLength: queryCharsMax,
        },
      },
      required: ['query'],
      additionalProperties: false,
    }),
    execute: async ({ query }) => {
      const { forgotten, kept } = await memory.text.forget({ query: queryOf(query) })
      const removed = forgotten === 1 ? '1 memory was removed.' : `${forgotten} memories were removed.`
      if (kept.length === 0) return removed
      const reasons = [...new Set(kept.map(({ reason }) => reason))].join(', ')
      return `${removed} Others are similar, but contradict these words (${reasons}), and were kept: ${kept.length}. Look them up, and use their own words to remove them.`
    },
  })
}
