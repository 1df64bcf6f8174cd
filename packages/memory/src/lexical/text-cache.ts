import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { isLong } from '@memory/engine/recall/passages'
import { asksQuestion } from '@memory/engine/recall/question'
import type { Queries } from '@memory/shared/platform/database/database'
import { BitSet } from '../index/bits.ts'
import type { LexicalIndex } from '../index/lexical-index.ts'
import { newLexical } from '../index/lexical-indexes.ts'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import * as store from '../store.ts'
import { PassageIndex } from './passage-index.ts'
import { loadPassages } from './passage-store.ts'
import { listTextChanges, loadTexts, type TextChange } from './text-store.ts'

/** The embedded database reads 500 texts in about 6 ms, in which no other statement runs. */
const loadPageTexts = 500
/** A long text has up to 18 passages or so, of 1.5 KB each. */
const loadPagePassages = 32

/** What recall knows of the texts of one space. */
export class SpaceTexts {
  readonly lexical: LexicalIndex = newLexical()
  readonly passages = new PassageIndex()
  readonly #asking = new Set<number>()
  readonly #long = new Set<number>()
  readonly #all = new BitSet()
  #version = -1

  /** Every change up to this version is in it; -1 while it takes over some. */
  get version(): number {
    return this.#version
  }

  /** Whether a pattern is a text. */
  has(idx: number): boolean {
    return this.#all.has(idx)
  }

  /** Whether a text asks something. */
  asks(idx: number): boolean {
    return this.#asking.has(idx)
  }

  /**
   * A long text without passages, each once: it was stored before there were passages, by a process that knows of none, or
   * is white space for the most part.
   */
  takeUncut(): number | undefined {
    for (const idx of this.#long) {
      this.#long.delete(idx)
      if (!this.passages.has(idx)) return idx
    }
    return undefined
  }

  /** Takes over what has changed since its version. */
  async apply({ version, stored, removed }: TextChange): Promise<void> {
    this.#version = -1
    for (const idx of removed) {
      this.#all.delete(idx)
      this.#asking.delete(idx)
      this.#long.delete(idx)
    }
    this.lexical.remove(removed)
    this.passages.remove(removed)
    this.passages.put(stored.map(({ idx, passages = [] }) => ({ idx, passages })))
    for (const { idx, text } of stored) {
      this.#all.add(idx)
      if (asksQuestion(text)) this.#asking.add(idx)
      else this.#asking.delete(idx)
      if (isLong(text)) this.#long.add(idx)
      else this.#long.delete(idx)
    }
    await this.lexical.put(stored)
    this.#version = version
  }
}

/**
 * Words and passages of the spaces whose texts this process recalls, made at the first recall of each. A caller gets one
 * with at least the version that it names.
 */
export class TextCache extends VersionedCache<SpaceTexts> {
  readonly #queries: Queries
  #isEnding = false

  constructor({ queries, budgetBytes }: { queries: Queries; budgetBytes: number }) {
    super(budgetBytes)
    this.#queries = queries
  }

  protected sizeOf({ lexical, passages }: SpaceTexts): number {
    return lexical.bytes + passages.bytes
  }

  /** Takes over what this process itself just committed; when something came between, the next `get` reads it. */
  committed(spaceId: string, change: TextChange): void {
    this.change(spaceId, async (texts) => {
      if (texts.version === change.version - 1) await texts.apply(change)
    })
  }

  /** A long text without passages, each once as long as its space is held. */
  takeUncut(): { spaceId: string; idx: number } | undefined {
    for (const [spaceId, texts] of this.all) {
      const idx = texts.takeUncut()
      if (idx !== undefined) return { spaceId, idx }
    }
    return undefined
  }

  /** Brings the passages of large spaces into an order that makes searches faster, while searches and changes go on. */
  async arrange(): Promise<void> {
    for (const [spaceId, { passages }] of this.all) {
      if (this.#isEnding) return
      await passages.shard?.arrange?.()
      this.measure(spaceId)
    }
  }

  /** Ends `arrange`, for good. */
  stopArranging(): void {
    this.#isEnding = true
    for (const [, { passages }] of this.all) passages.shard?.stopArranging?.()
  }

  protected async read(spaceId: string, texts: SpaceTexts | undefined): Promise<SpaceTexts> {
    // One without a version took over a part of a change.
    if (texts === undefined || texts.version < 0) return this.#load(spaceId)
    const changes = await listTextChanges(this.#queries, spaceId, texts.version)
    if (changes === undefined || texts.version < changes.historyFloor) return this.#load(spaceId)
    await texts.apply(changes)
    return texts
  }

  /** Pages are read one after the other; what changes meanwhile has a later version and is read next. */
  async #load(spaceId: string): Promise<SpaceTexts> {
    const version = await store.getVersion(this.#queries, spaceId)
    const texts = new SpaceTexts()
    let page = await loadTexts(this.#queries, spaceId, -1, loadPageTexts)
    do {
      const last = page.length < loadPageTexts ? undefined : page.at(-1)
      // While a page is taken apart the next is read. An embedded database never waits for anything: others get their
      // turn here.
      const [next] = await Promise.all([
        last === undefined ? [] : loadTexts(this.#queries, spaceId, last.idx, loadPageTexts),
        texts.apply({ version, stored: page, removed: [] }),
        turnOfOthers(),
      ])
      page = next
    } while (page.length > 0)
    await this.#loadPassages(spaceId, texts)
    return texts
  }

  async #loadPassages(spaceId: string, texts: SpaceTexts): Promise<void> {
    for (let after = -1; ; ) {
      const page = await loadPassages(this.#queries, spaceId, after, loadPagePassages)
      texts.passages.put(page.filter(({ idx }) => texts.has(idx)))
      const last = page.at(-1)
      if (last === undefined || page.length < loadPagePassages) return
      after = last.idx
      await turnOfOthers()
    }
  }
}
