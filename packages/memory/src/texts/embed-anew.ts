import { leaseSeconds, renewing } from '@memory/shared/platform/lease'
import type { LowPriorityQueue } from '@memory/shared/platform/low-priority-queue'
import type { MemoryContext } from '../context.ts'
import * as store from './embed-anew-store.ts'
import { embedPassages } from './embed-texts.ts'

/** Texts embedded and saved together while no request has texts to embed. */
const textsAtOnce = 32
/** Most characters of these texts, unless a single one is longer: about a second of work. */
const charactersAtOnce = 10_000
/** Patterns that one statement scans: a few ms. */
const lookedThrough = 2_000
/** Interval between log lines on the progress. */
const tellEveryMs = 60_000
/** Interval at which to look for spaces that need work, once there was none. */
const lookEveryMs = 60_000
/** Spaces listed at once. */
const spacesAtOnce = 100
/** After a failure a space is tried again after this time. */
const failedMs = 60_000

interface Embedding extends Pick<MemoryContext, 'queries' | 'compute' | 'spaces' | 'log'> {
  /** Requests come first. */
  lowPriority: LowPriorityQueue
}

/** How far the work in a space has come: the next text is one of `kept` with an idx above `after`. */
interface Place {
  kept: store.Kept
  after: number
}

const start: Place = { kept: 'patterns', after: -1 }

/** What a scan of a part of a space has found. */
interface Scanned {
  texts: readonly store.TextToEmbed[]
  /** Where to go on once these are embedded; undefined where nothing more is to do, for this process. */
  next: Place | undefined
}

/**
 * Embeds texts anew after the deployment's encoder has changed. Works space by space, those first that requests ask for. Until a
 * space is done, searching it by text and storing texts in it is refused. Can be interrupted at any time, since each text is
 * stored with the name of its encoder.
 */
export class EmbeddingAnew {
  readonly #context: Embedding
  readonly #embedder: store.Embedder
  /** Spaces that requests were refused for: they come first. */
  readonly #wanted = new Set<string>()
  /** The space that is being worked in: it stays this process's while this lives. Others that are begun may be taken over. */
  #inHand: string | undefined
  /** By space: how far it is. */
  readonly #places = new Map<string, Place>()
  /** Spaces that were found to need work, and are not begun. */
  #coming: string[] = []
  /** By space: if work failed, when to try again (`performance.now`). */
  readonly #failed = new Map<string, number>()
  /** Texts embedded by this process so far. */
  #embedded = 0
  /** When progress was last logged, and when spaces were last looked for (`performance.now`). */
  #toldAt = -tellEveryMs
  #lookedAt = -lookEveryMs

  /**
   * Makes this process's encoder the deployment's. Processes with another encoder can from now on not search or store texts in
   * spaces that are done.
   * @param name identifies this process within the deployment
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
   * Works until nothing is left to do, or `isEnding`.
   * @param isBusy whether requests have texts to embed: then one text at a time is embedded here
   */
  async run(isEnding: () => boolean, isBusy: () => boolean): Promise<void> {
    const before = this.#embedded
    const { queries, log } = this.#context
    const holding = renewing('holding a space that is embedded anew', () => this.#holdOn(), log)
    try {
      await this.#work(isEnding, isBusy)
    } finally {
      this.#inHand = undefined
      await holding.stop()
    }
    if (this.#embedded === before) return
    await this.#tell('texts embedded anew')
    if (isEnding()) await store.leaveSpaces(queries, this.#embedder)
  }

  async #work(isEnding: () => boolean, isBusy: () => boolean): Promise<void> {
    let current: string | undefined
    while (!isEnding()) {
      const spaceId = this.#takeWanted() ?? current ?? (await this.#look())
      if (spaceId === undefined) return
      this.#inHand = spaceId
      const isDone = await this.#step(spaceId, isBusy() ? 1 : textsAtOnce).catch((err: unknown) => {
        this.#context.log.warn({ err, spaceId }, 'texts not embedded anew; tried again in a minute')
        this.#failed.set(spaceId, performance.now() + failedMs)
        return true
      })
      if (!isDone) current = spaceId
      else if (current === spaceId) current = undefined
    }
  }

  async #holdOn(): Promise<void> {
    if (this.#inHand === undefined) return
    await store.holdOn(this.#context.queries, this.#inHand, this.#embedder, leaseSeconds)
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
    const place = this.#places.get(spaceId) ?? start
    const { kept } = place
    const { texts, next } = await lowPriority.run(() => this.#scan(spaceId, place, count))
    if (texts.length > 0) {
      const embedded = await this.#embed(spaceId, kept, texts)
      await lowPriority.run(() => store.saveEmbedded(queries, spaceId, this.#embedder, kept, embedded))
      this.#embedded += texts.length
    }
    if (next === undefined) this.#places.delete(spaceId)
    else this.#places.set(spaceId, next)
    return next === undefined
  }

  /** Looks for up to `count` texts to embed in a space, and closes it before the first of them is embedded. */
  async #scan(spaceId: string, { kept, after }: Place, count: number): Promise<Scanned> {
    const { queries } = this.#context
    const { modelId } = this.#embedder
    const taken = await this.#take(spaceId, false)
    if (taken === undefined) return { texts: [], next: undefined }
    const before = Math.min(after + 1 + lookedThrough, taken.ends)
    const page = { after, before, count }
    const found = await store.listTextsToEmbed(queries, spaceId, modelId, kept, page)
    const texts = firstOf(found)
    const last = texts.at(-1)
    if (last !== undefined) {
      if (performance.now() - this.#toldAt >= tellEveryMs)
        await this.#tell('texts are embedded anew: the encoder is another one')
      // Goes on with the same idx: the pattern may have further revisions to embed.
      if (taken.closed) return { texts, next: { kept, after: last.idx - 1 } }
      await this.#take(spaceId, true)
      // It was open to changes until now, also where it was scanned already: start again.
      return { texts: [], next: start }
    }
    if (before < taken.ends) return { texts, next: { kept, after: before - 1 } }
    if (kept === 'patterns') return { texts, next: { kept: 'versions', after: -1 } }
    await store.endEmbedding(queries, spaceId, this.#embedder)
    return { texts, next: undefined }
  }

  #take(spaceId: string, close: boolean): Promise<store.TakenSpace | undefined> {
    return store.takeToEmbed(this.#context.queries, spaceId, this.#embedder, { seconds: leaseSeconds, close })
  }

  async #embed(
    spaceId: string,
    kept: store.Kept,
    texts: readonly store.TextToEmbed[],
  ): Promise<store.Embedded[]> {
    const { compute } = this.#context
    // No organization asks for this, so turns are counted for the space instead.
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

/** The first texts that together have at most `charactersAtOnce`; at least one. */
function firstOf(texts: readonly store.TextToEmbed[]): readonly store.TextToEmbed[] {
  let characters = 0
  const end = texts.findIndex(({ text }, n) => {
    characters += text.length
    return characters > charactersAtOnce && n > 0
  })
  return end < 0 ? texts : texts.slice(0, end)
}
