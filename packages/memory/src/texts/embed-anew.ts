import type { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import type { MemoryContext } from '../context.ts'
import * as store from './embed-anew-store.ts'
import { embedPassages } from './embed-texts.ts'

/** Texts that are embedded and saved together while nobody else has any to embed. */
const textsAtOnce = 32
/** Characters of them, unless one is longer: about a second's work. */
const charactersAtOnce = 10_000
/** Patterns that one statement looks through: a few ms. */
const lookedThrough = 2_000
/** A crashed process's space is free again after this time; a living one renews it with every step. */
const heldSeconds = 60
/** Between two lines of the log on how far it is. */
const tellEveryMs = 60_000
/** Spaces that nobody asks for are looked for so often, once there was none. */
const lookEveryMs = 60_000
const spacesAtOnce = 100
const failedMs = 60_000

interface Embedding extends Pick<MemoryContext, 'queries' | 'compute' | 'spaces' | 'log'> {
  /** Requests come first. */
  lowPriority: LowPriorityQueue
}

/** Where the work in a space stands. */
interface Place {
  kept: store.Kept
  after: number
}

const start: Place = { kept: 'patterns', after: -1 }

/**
 * Embeds texts anew whose embeddings are of another encoder than the deployment has now. Space by space, those first that somebody
 * asks for; until one is done, its searches and stores of texts are refused. Ended anywhere, it goes on from there: each text
 * says by which encoder it was embedded.
 */
export class EmbeddingAnew {
  readonly #context: Embedding
  readonly #embedder: store.Embedder
  /** Spaces that requests were refused for. */
  readonly #wanted = new Set<string>()
  readonly #places = new Map<string, Place>()
  /** Found, and not begun. */
  #coming: string[] = []
  /** Spaces in which it failed, and when it is tried again, on the clock of `performance.now`. */
  readonly #failed = new Map<string, number>()
  #embedded = 0
  /** On the clock of `performance.now`. */
  #toldAt = -tellEveryMs
  #lookedAt = -lookEveryMs

  /**
   * Makes the encoder of this process that of the deployment: others that have another one search and store no texts from now
   * on, in the spaces that are done.
   * @param name of this process among those of the deployment
   */
  static async begin(context: Embedding, name: string): Promise<EmbeddingAnew> {
    await store.useEncoder(context.queries, context.compute.modelId)
    return new EmbeddingAnew(context, name)
  }

  private constructor(context: Embedding, name: string) {
    this.#context = context
    this.#embedder = { modelId: context.compute.modelId, name }
    context.spaces.changes.on('refused', (spaceId) => this.#wanted.add(spaceId))
  }

  /**
   * Works until nothing is left to do, or it is to end.
   * @param isBusy whether there are others to embed for: then a text at a time
   */
  async run(isEnding: () => boolean, isBusy: () => boolean): Promise<void> {
    const before = this.#embedded
    let current: string | undefined
    while (!isEnding()) {
      const spaceId = this.#takeWanted() ?? current ?? (await this.#look())
      if (spaceId === undefined) break
      const isDone = await this.#step(spaceId, isBusy() ? 1 : textsAtOnce).catch((err: unknown) => {
        this.#context.log.warn({ err, spaceId }, 'texts not embedded anew; tried again in a minute')
        this.#failed.set(spaceId, performance.now() + failedMs)
        return true
      })
      if (!isDone) current = spaceId
      else if (current === spaceId) current = undefined
    }
    if (this.#embedded === before) return
    await this.#tell('texts embedded anew')
    if (isEnding()) await store.leaveSpaces(this.#context.queries, this.#embedder)
  }

  #takeWanted(): string | undefined {
    for (const spaceId of this.#wanted) {
      this.#wanted.delete(spaceId)
      if (!this.#isFailed(spaceId)) return spaceId
    }
    return undefined
  }

  #isFailed(spaceId: string): boolean {
    const until = this.#failed.get(spaceId) ?? 0
    if (until > performance.now()) return true
    this.#failed.delete(spaceId)
    return false
  }

  async #look(): Promise<string | undefined> {
    const { queries, lowPriority } = this.#context
    if (this.#coming.length === 0 && performance.now() - this.#lookedAt >= lookEveryMs) {
      const without = [...this.#failed.keys()].filter((spaceId) => this.#isFailed(spaceId))
      const page = { without, count: spacesAtOnce }
      this.#coming = await lowPriority.run(() => store.listSpacesToEmbed(queries, this.#embedder, page))
      if (this.#coming.length === 0) this.#lookedAt = performance.now()
    }
    return this.#coming.shift()
  }

  /** Embeds the next few texts of a space. @returns whether nothing more is to do in it, for this process */
  async #step(spaceId: string, count: number): Promise<boolean> {
    const { queries, lowPriority } = this.#context
    const next = await lowPriority.run(() => this.#next(spaceId, count))
    if (next === undefined) {
      this.#places.delete(spaceId)
      return true
    }
    const { kept } = next
    const texts = firstOf(next.texts)
    const last = texts.at(-1)
    if (last === undefined) return false
    const embedded = await this.#embed(spaceId, kept, texts)
    await lowPriority.run(() => store.saveEmbedded(queries, spaceId, this.#embedder, kept, embedded))
    this.#embedded += texts.length
    // A pattern may have more versions.
    this.#places.set(spaceId, { kept, after: kept === 'patterns' ? last.idx : last.idx - 1 })
    return false
  }

  /** Looks for texts to embed from where it is in a space. @returns undefined where nothing is left to do, for this process */
  async #next(
    spaceId: string,
    count: number,
  ): Promise<{ kept: store.Kept; texts: store.TextToEmbed[] } | undefined> {
    const { queries } = this.#context
    const { modelId } = this.#embedder
    const take = (close: boolean) =>
      store.takeToEmbed(queries, spaceId, this.#embedder, { seconds: heldSeconds, close })
    const taken = await take(false)
    if (taken === undefined) return undefined
    const { kept, after } = this.#places.get(spaceId) ?? start
    const before = Math.min(after + 1 + lookedThrough, taken.ends)
    const page = { after, before, count }
    const texts = await store.listTextsToEmbed(queries, spaceId, modelId, kept, page)
    if (texts.length > 0) {
      if (performance.now() - this.#toldAt >= tellEveryMs)
        await this.#tell('texts are embedded anew: the encoder is another one')
      if (!taken.closed) {
        // What was looked through while it was open may have changed.
        await take(true)
        this.#places.set(spaceId, start)
        return { kept, texts: [] }
      }
    } else if (before < taken.ends) this.#places.set(spaceId, { kept, after: before - 1 })
    else if (kept === 'patterns') this.#places.set(spaceId, { kept: 'versions', after: -1 })
    else {
      await store.endEmbedding(queries, spaceId, this.#embedder)
      return undefined
    }
    return { kept, texts }
  }

  async #embed(
    spaceId: string,
    kept: store.Kept,
    texts: readonly store.TextToEmbed[],
  ): Promise<store.Embedded[]> {
    const { compute } = this.#context
    // Nobody asks for it: its turns are the space's own.
    const requester = { organizationId: spaceId }
    const passagesOf = kept === 'patterns' ? texts.map(({ text }) => text) : []
    const [keys, passages] = await Promise.all([
      Promise.all(texts.map(({ text }) => compute.embed(requester, text))),
      embedPassages(compute, requester, passagesOf),
    ])
    return texts.map((each, i) => ({ ...each, key: keys[i] as Float32Array, passages: passages[i] ?? [] }))
  }

  async #tell(message: string): Promise<void> {
    this.#toldAt = performance.now()
    const { spaces, texts } = await store.countLeft(this.#context.queries, this.#embedder.modelId)
    this.#context.log.info({ embedded: this.#embedded, spacesLeft: spaces, textsOfThem: texts }, message)
  }
}

/** The first of some texts, at least one, that are not longer altogether than may be. */
function firstOf(texts: readonly store.TextToEmbed[]): readonly store.TextToEmbed[] {
  let characters = 0
  const end = texts.findIndex(({ text }, n) => {
    characters += text.length
    return characters > charactersAtOnce && n > 0
  })
  return end < 0 ? texts : texts.slice(0, end)
}
