import type { MemoryClient } from 'memory-service-sdk'

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
const quote: Reply = (message, [best]) => {
  if (best !== undefined) return `You told me: “${best}”`
  return factsOf(message) === '' ? 'I do not know yet. Tell me.' : 'I will remember that.'
}

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

  /** Answers a message, and remembers what it states; "forget …" is done instead. */
  async respond(message: string): Promise<Turn> {
    const [, unwanted] = /^\s*forget\s+(?:about\s+|that\s+)?(.+)/i.exec(message) ?? []
    if (unwanted !== undefined) {
      const forgotten = await this.forget(unwanted)
      const messages = forgotten === 1 ? '1 message' : `${forgotten} messages`
      return { answer: `I have forgotten ${messages}.`, remembered: [], suggestions: [] }
    }
    // Before it is stored: else the message itself would be remembered best.
    const remembered = await this.recall(message)
    const suggestions = await this.predict(message)
    const answer = await this.#reply(message, remembered)
    const facts = factsOf(message)
    if (facts !== '') await this.#remember(facts)
    return { answer, remembered, suggestions }
  }

  /** Only what the user stated: a question that was stored would be the best answer to itself when it is asked again. */
  async #remember(facts: string): Promise<void> {
    const metadata = { user: this.#user }
    await this.#memory.text.store({ text: facts, metadata }, { actor: this.#user })
  }

  /** What the user said that bears on a message. */
  async recall(message: string): Promise<string[]> {
    const { results } = await this.#memory.text.recall(
      {
        query: queryOf(message),
        top_k: 3,
        filter: { user: this.#user },
        // Below that, texts have hardly more in common than their language.
        min_similarity: 0.3,
      },
      { actor: this.#user },
    )
    // What only says the message again is no answer to it.
    return results.map(({ text }) => text).filter((text) => wordsOf(text) !== wordsOf(message))
  }

  /** What the user will probably ask for next. */
  async predict(message: string): Promise<string[]> {
    const { predictions } = await this.#memory.text.predict(
      { query: queryOf(message), top_k: 5, filter: { user: this.#user } },
      { actor: this.#user },
    )
    return predictions.map(({ text }) => text)
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

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const auxiliary = "(?:am|is|are|was|were|do|does|did|can|could|will|would|should|have|has|had|['’]s)"
/** A question mark of any script at the end, or how an English question begins whose mark was left out. */
const question = new RegExp(
  [
    '[?？؟\\u037e]["”’»」)\\s]*$',
    '^\\s*(?:who|whom|whose|which|why)\\b',
    `^\\s*(?:what|when|where|how)\\s*${auxiliary}\\b`,
    `^\\s*${auxiliary}\\s+(?:i|you|he|she|it|we|they|my|your|his|her|our|their)\\b`,
  ].join('|'),
  'iu',
)

/** A message without the sentences that ask: what is worth remembering of it. Empty where it only asks. */
export function factsOf(message: string): string {
  return Array.from(sentences.segment(message), ({ segment }) => segment)
    .filter((sentence) => !question.test(sentence))
    .join('')
    .trim()
}

/** As long as a query may be; a text that is stored may be longer. */
const queryChars = 5_000

/** What to look up by a message: its beginning, where it is longer than that. */
const queryOf = (message: string) => [...message.trim()].slice(0, queryChars).join('')

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ')
