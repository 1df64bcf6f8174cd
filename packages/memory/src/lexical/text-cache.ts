import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { asksQuestion } from '@memory/engine/recall/question'
import { regardless } from '@memory/shared/platform/asker'
import type { Queries } from '@memory/shared/platform/database/database'
import { LRUCache } from 'lru-cache'
import { BitSet } from '../index/bits.ts'
import type { LexicalIndex } from '../index/lexical-index.ts'
import { newLexical } from '../index/lexical-indexes.ts'
import * as store from '../store.ts'
import { type IndexedText, listTextChanges, loadTexts } from './text-store.ts'

/** The embedded database reads 500 texts in about 6 ms, in which no other statement runs. */
const loadPageTexts = 500

/** What recall knows of the texts of one space. */
export class SpaceTexts {
  readonly lexical: LexicalIndex = newLexical()
  readonly #asking = new Set<number>()
  readonly #all = new BitSet()

  /** Whether a pattern is a text. */
  has(idx: number): boolean {
    return this.#all.has(idx)
  }

  /** Whether a text asks something. */
  asks(idx: number): boolean {
    return this.#asking.has(idx)
  }

  async put(texts: readonly IndexedText[]): Promise<void> {
    for (const { idx, text } of texts) {
      this.#all.add(idx)
      if (asksQuestion(text)) this.#asking.add(idx)
      else this.#asking.delete(idx)
    }
    await this.lexical.put(texts)
  }

  remove(indexes: readonly number[]): void {
    for (const idx of indexes) {
      this.#all.delete(idx)
      this.#asking.delete(idx)
    }
    this.lexical.remove(indexes)
  }
}

/** The texts of one space as they were at a version. */
interface CachedTexts {
  version: number
  texts: SpaceTexts
}

/** Whether the text of a pattern is known. */
export const hasText = <Pattern extends { text?: string }>(
  pattern: Pattern,
): pattern is Pattern & IndexedText => pattern.text !== undefined

/** What a commit of this process changed. */
export interface TextChange {
  stored: readonly IndexedText[]
  removed: readonly number[]
}

/**
 * Lexical indexes of the spaces whose texts this process recalls, made at the first recall of each. A caller names the
 * version that its authentication saw, and gets an index with at least that.
 */
export class TextCache {
  readonly #queries: Queries
  readonly #spaces: LRUCache<string, CachedTexts>
  // Changes of one space come one after the other.
  readonly #working = new Map<string, Promise<CachedTexts | undefined>>()
  /** Spaces that were dropped while something of them was read or changed. */
  readonly #dropped = new Set<string>()

  constructor({ queries, budgetBytes }: { queries: Queries; budgetBytes: number }) {
    this.#queries = queries
    this.#spaces = new LRUCache({
      maxSize: budgetBytes,
      // One that alone is over the budget is kept until the next comes.
      sizeCalculation: ({ texts }) => Math.max(1, Math.min(texts.lexical.bytes, budgetBytes)),
    })
  }

  /** Memory held, in bytes. */
  get bytes(): number {
    let bytes = 0
    for (const { texts } of this.#spaces.values()) bytes += texts.lexical.bytes
    return bytes
  }

  /** The texts of a space with every change up to `version`. */
  async get(spaceId: string, version: number): Promise<SpaceTexts> {
    for (;;) {
      const working = this.#working.get(spaceId)
      const resident =
        working === undefined ? this.#spaces.get(spaceId) : await working.catch(() => undefined)
      if (resident !== undefined && resident.version >= version) return resident.texts
      // Somebody else may have begun meanwhile.
      if (this.#working.has(spaceId)) continue
      const read = await this.#work(spaceId, (known) => this.#read(spaceId, known))
      if (read !== undefined && read.version >= version) return read.texts
    }
  }

  /** Takes over what this process itself just committed; when something came between, the next `get` reads it. */
  committed(spaceId: string, version: number, { stored, removed }: TextChange): void {
    if (!this.#spaces.has(spaceId) && !this.#working.has(spaceId)) return
    this.#work(spaceId, async (known) => {
      if (known === undefined || known.version !== version - 1) return known
      known.texts.remove(removed)
      await known.texts.put(stored)
      known.version = version
      return known
    }).catch(() => this.drop(spaceId))
  }

  drop(spaceId: string): void {
    this.#spaces.delete(spaceId)
    if (this.#working.has(spaceId)) this.#dropped.add(spaceId)
  }

  #work(
    spaceId: string,
    change: (known: CachedTexts | undefined) => Promise<CachedTexts | undefined>,
  ): Promise<CachedTexts | undefined> {
    const before = this.#working.get(spaceId) ?? Promise.resolve()
    const working = before
      .catch(() => {})
      .then(() => regardless(() => change(this.#spaces.get(spaceId))))
      .then((resident) => {
        if (resident === undefined) return undefined
        // What is set again would keep the size that it had.
        this.#spaces.delete(spaceId)
        this.#spaces.set(spaceId, resident)
        return resident
      })
      .finally(() => {
        if (this.#working.get(spaceId) !== working) return
        this.#working.delete(spaceId)
        if (this.#dropped.delete(spaceId)) this.#spaces.delete(spaceId)
      })
    this.#working.set(spaceId, working)
    // Whoever waits for it hears of a failure.
    working.catch(() => {})
    return working
  }

  async #read(spaceId: string, known: CachedTexts | undefined): Promise<CachedTexts> {
    if (known === undefined) return this.#load(spaceId)
    const changes = await listTextChanges(this.#queries, spaceId, known.version)
    if (changes === undefined || known.version < changes.historyFloor) return this.#load(spaceId)
    known.texts.remove(changes.removed)
    await known.texts.put(changes.stored)
    known.version = changes.version
    return known
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #load(spaceId: string): Promise<CachedTexts> {
    const version = await store.getVersion(this.#queries, spaceId)
    const texts = new SpaceTexts()
    let page = await loadTexts(this.#queries, spaceId, -1, loadPageTexts)
    while (page.length > 0) {
      const last = page.length < loadPageTexts ? undefined : page.at(-1)
      // While a page is taken apart the next is read. An embedded database never waits for anything: others get their
      // turn here.
      const [next] = await Promise.all([
        last === undefined ? [] : loadTexts(this.#queries, spaceId, last.idx, loadPageTexts),
        texts.put(page),
        turnOfOthers(),
      ])
      page = next
    }
    return { version, texts }
  }
}
