import { type MemoryClient, NotFoundError } from '@memory/sdk'

/** Makes an answer of a message and what is remembered about it: where a language model goes. */
export type Reply = (message: string, remembered: readonly string[]) => string | Promise<string>

/** What the assistant does with one message. */
export interface Turn {
  answer: string
  /** What it remembered, best first. */
  remembered: string[]
  /** What will probably come up next. */
  suggestions: string[]
}

/** Quotes what it remembers: enough to see the memory work without a model. */
const quote: Reply = (_message, [best]) =>
  best === undefined ? 'I do not know yet. Tell me.' : `You told me: “${best}”`

/** The memory loop of a chat assistant for one of many users who share a space. */
export class Assistant {
  readonly #memory: MemoryClient
  readonly #user: string
  readonly #reply: Reply

  constructor(memory: MemoryClient, user: string, reply: Reply = quote) {
    this.#memory = memory
    this.#user = user
    this.#reply = reply
  }

  /** Answers a message, and remembers it; "forget …" is done instead. */
  async respond(message: string): Promise<Turn> {
    const [, unwanted] = /^\s*forget\s+(?:about\s+|that\s+)?(.+)/i.exec(message) ?? []
    if (unwanted !== undefined) {
      const forgotten = await this.forget(unwanted)
      const facts = forgotten === 1 ? '1 message' : `${forgotten} messages`
      return { answer: `I have forgotten ${facts}.`, remembered: [], suggestions: [] }
    }
    // Before it is stored: else the message itself would be remembered best.
    const remembered = await this.recall(message)
    const suggestions = await this.predict(message)
    const answer = await this.#reply(message, remembered)
    await this.#memory.text.batchStore({
      items: [
        { text: message, metadata: { user: this.#user, role: 'user' } },
        { text: answer, metadata: { user: this.#user, role: 'assistant' } },
      ],
    })
    return { answer, remembered, suggestions }
  }

  /** What the user said that bears on a message. */
  async recall(message: string): Promise<string[]> {
    const { results } = await this.#memory.text.recall(
      {
        query: message,
        top_k: 3,
        filter: { user: this.#user, role: 'user' },
        // Below that, texts have hardly more in common than their language.
        min_similarity: 0.3,
      },
      { actor: this.#user },
    )
    return results.map(({ text }) => text)
  }

  /** What the user will probably ask for next. */
  async predict(message: string): Promise<string[]> {
    const { predictions } = await this.#memory.text.predict(
      { query: message, top_k: 5 },
      { actor: this.#user },
    )
    const patterns = await Promise.all(
      predictions.map(({ pattern_id }) => this.#memory.patterns.get(pattern_id).catch(unlessGone)),
    )
    // Predictions are of the whole space, which others use too.
    return patterns.flatMap((pattern) =>
      pattern?.metadata?.user === this.#user && pattern.metadata.role === 'user' ? (pattern.text ?? []) : [],
    )
  }

  /** @returns how many messages are gone */
  async forget(about: string): Promise<number> {
    const { forgotten } = await this.#memory.text.forget({
      query: about,
      threshold: 0.6,
      filter: { user: this.#user },
    })
    return forgotten
  }
}

/** What was just forgotten is no fault. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error
}
