import type { MemoryClient } from '../client.ts'
import { queryCharsMax, textCharsMax } from '../generated/facts.ts'
import { fence } from '../generated/fence.ts'
import { isInvisible } from '../generated/invisible.ts'
import type { AnswerOf, InputOf } from '../operations.ts'
import { requireSaid } from '../said.ts'
import { requireKnown } from '../settings.ts'

export interface TurnOptions {
  /** How many memories the model is shown; 5 unless said. */
  topK?: number | undefined
  /** Least cosine of one that it is shown. */
  minSimilarity?: number | undefined
  /** Only memories that this describes are shown. It is left out for all of them, and never undefined. */
  filter?: NonNullable<InputOf<'POST /v1/memory/text/recall'>['filter']>
  /** What of a turn is stored once the model has answered: what the `user` said unless said, `both`, or `nothing`. */
  stores?: 'user' | 'both' | 'nothing' | undefined
  /** Of what is stored, beside `role`. */
  metadata?: Record<string, unknown> | undefined
  /**
   * Hears that the memory could not be asked, or not be written, and the model then answers without. Where this is not
   * given, the call fails with the error.
   */
  onError?: ((error: unknown) => void) | undefined
  /** Says that everybody shares the memory of a client that is kept to no subject. */
  shared?: boolean | undefined
}

/** Every option of a turn, by its name. */
export const turnOptions: Readonly<Record<keyof TurnOptions, true>> = {
  topK: true,
  minSimilarity: true,
  filter: true,
  stores: true,
  metadata: true,
  onError: true,
  shared: true,
}

/** A message as models get it, of any version. */
interface Message {
  role: string
  content: unknown
}

interface Part {
  type: string
  text: string
}

/** What a model is asked, and how it goes on when it has answered. */
export interface Turn<M extends Message> {
  /** What it was asked, with memories in it. */
  prompt: M[]
  /** Stores what was said. @param answer of the model, without what it only thought; empty where it called a tool */
  end(answer: string): Promise<void>
}

/** @throws TypeError for a client that is kept to nobody, unless that is meant: users would read each other's memories */
export function requireKept(
  { subject }: MemoryClient,
  { shared = false }: Pick<TurnOptions, 'shared'>,
): void {
  if (subject !== undefined || shared) return
  throw new TypeError('Give memory.forSubject(user), or { shared: true } where everybody shares one memory')
}

/**
 * @param known the options that there are, by their names
 * @throws TypeError for another, and for a filter that was lost on the way: without it the model is shown everything
 */
export function requireOptions(options: Pick<TurnOptions, 'filter'>, known: object, of: string): void {
  requireKnown(options, known, of)
  requireSaid(options, 'filter', 'give what memories must be, or leave the key out to show all of them')
}

/** Looks up what is remembered of the last thing that the user said, and puts it before that. */
export async function beginTurn<M extends Message>(
  memory: MemoryClient,
  prompt: readonly M[],
  options: TurnOptions,
  signal?: AbortSignal,
): Promise<Turn<M>> {
  const at = prompt.map(({ role }) => role).lastIndexOf('user')
  const said = at === -1 ? '' : textOf(prompt[at]?.content)
  // After a tool was called the model is asked once more, about the same.
  const isNew = at === prompt.length - 1
  const block =
    said === '' ? undefined : await orWithout(options, () => recalled(memory, said, isNew, options, signal))
  return {
    prompt:
      block === undefined
        ? [...prompt]
        : prompt.map((message, i) => (i === at ? withText(message, block) : message)),
    end: async (answer) => {
      const { stores = 'user' } = options
      const texts = [
        ...(isNew && stores !== 'nothing' ? [{ role: 'user', text: said }] : []),
        ...(stores === 'both' ? [{ role: 'assistant', text: answer }] : []),
      ]
      await orWithout(options, () => store(memory, texts, options))
    },
  }
}

/** Text of a message that is a text or has parts, as the service takes it. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return sound(content)
  const parts = Array.isArray(content) ? content.filter(isText) : []
  return sound(parts.map(({ text }) => text).join('\n'))
}

/**
 * A text without what no text of the service can hold, and that a conversation should not fail for: half of a character,
 * as where a text was cut by length, and NUL. It is empty where there is nothing to see in it.
 */
function sound(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd').replaceAll('\0', ' ')
  return isInvisible(whole) ? '' : whole.trim()
}

export function isText(part: unknown): part is Part {
  const { type, text } = (part ?? {}) as Partial<Part>
  return type === 'text' && typeof text === 'string'
}

function withText<M extends Message>(message: M, text: string): M {
  const { content } = message
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as unknown[])
  return { ...message, content: [{ type: 'text', text }, ...parts] }
}

async function orWithout<T>({ onError }: TurnOptions, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (onError === undefined) throw error
    onError(error)
    return undefined
  }
}

/** As many as one search of texts answers. */
const topKMax = 50

async function recalled(
  memory: MemoryClient,
  said: string,
  isNew: boolean,
  { topK = 5, minSimilarity, filter }: TurnOptions,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const query = queryOf(said)
  if (query === '') return undefined
  // What is said now may be stored already: by an earlier step of the turn, or since it was said before.
  const now = new Set(pieces(said))
  const { results } = await memory.text.recall(
    {
      query,
      // More by what that step may have stored.
      top_k: isNew ? topK : Math.max(topK, Math.min(topK + now.size, topKMax)),
      // The space has learned from it the first time.
      read_only: !isNew,
      ...(minSimilarity === undefined ? {} : { min_similarity: minSimilarity }),
      ...(filter === undefined ? {} : { filter }),
    },
    { signal },
  )
  const others = results.filter(({ text }) => !now.has(text)).slice(0, topK)
  return others.length === 0 ? undefined : fence(others.map(shown))
}

/** Of a long text the part that answers, or else its beginning. */
const shownCharsMax = 1_000

/** What a model is shown of a memory. */
export function shown({ text, passage }: AnswerOf<'POST /v1/memory/text/recall'>['results'][number]): string {
  const characters = [...text]
  if (characters.length <= shownCharsMax) return text
  const start = passage?.start ?? 0
  const end = Math.min(passage?.end ?? shownCharsMax, start + shownCharsMax)
  return `${start > 0 ? '… ' : ''}${characters.slice(start, end).join('')}${end < characters.length ? ' …' : ''}`
}

/** What to search for by a text, as the service takes it; empty where there is nothing to see in it. */
export const queryOf = (text: string): string => sound([...sound(text)].slice(0, queryCharsMax).join(''))

async function store(
  memory: MemoryClient,
  texts: readonly { role: string; text: string }[],
  { metadata }: TurnOptions,
): Promise<void> {
  const items = texts.flatMap(({ role, text }) =>
    pieces(text).map((piece) => ({ text: piece, metadata: { ...metadata, role } })),
  )
  if (items.length > 0) await memory.text.batchStore({ items })
}

/** A text in parts of what the service takes at once; none where there is nothing to see in it. */
export function pieces(text: string): string[] {
  const characters = [...sound(text)]
  const parts: string[] = []
  for (let at = 0; at < characters.length; at += textCharsMax) {
    const part = sound(characters.slice(at, at + textCharsMax).join(''))
    if (part !== '') parts.push(part)
  }
  return parts
}
