import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { Sequence } from '@memory/engine/recall/contiguity'
import { isLong } from '@memory/engine/recall/passages'
import { asksQuestion } from '@memory/engine/recall/question'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { Expiries } from '../index/expiries.ts'
import type { LexicalIndex } from '../index/lexical-index.ts'
import { newLexical } from '../index/lexical-indexes.ts'
import { VersionedCache } from '../spaces/versioned-cache.ts'
import * as store from '../store.ts'
import { charactersOfLanguage } from './language.ts'
import { PassageIndex } from './passage-index.ts'
import { loadPassages } from './passage-store.ts'
import { SubjectOrder } from './subject-order.ts'
import { type IndexedText, listTextChanges, loadTexts, type TextChange } from './text-store.ts'
import { TextTraits } from './text-traits.ts'

/** The embedded database reads 500 texts in about 6 ms, in which no other statement runs. */
const loadPageTexts = 500
/** A long text has up to 18 passages or so, of 1.5 KB each. */
const loadPagePassages = 32

/** What a text whose language is still to be told takes, about. */
const untoldBytes = 300

/** A part of a string that doesn't keep the whole in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** What recall knows of the texts of one space. */
export class SpaceTexts {
  readonly lexical: LexicalIndex = newLexical()
  readonly passages = new PassageIndex()
  readonly #traits = new TextTraits()
  readonly #order = new SubjectOrder()
  readonly #expiries = new Expiries()
  readonly #long = new Set<number>()
  /** The beginnings of texts whose language nobody has told yet. */
  readonly #untold = new Map<number, string>()
  #version = -1

  /** Every change up to this version is in it; -1 while it takes over some. */
  get version(): number {
    return this.#version
  }

  /** Memory held, in bytes. */
  get bytes(): number {
    const { lexical, passages } = this
    return (
      lexical.bytes +
      passages.bytes +
      this.#traits.bytes +
      this.#order.bytes +
      untoldBytes * this.#untold.size
    )
  }

  /** Whether a pattern is a text. */
  has(idx: number): boolean {
    return this.#traits.has(idx)
  }

  /** Whether a text asks something, its length and its language. */
  get traits(): Pick<TextTraits, 'asks' | 'lengthOf' | 'languagesOf'> {
    return this.#traits
  }

  /** In which the texts of each subject were stored. */
  get order(): Sequence & Pick<SubjectOrder, 'isOfOne'> {
    return this.#order
  }

  /** How many texts there are whose language nobody has told yet. */
  get withoutLanguage(): number {
    return this.#untold.size
  }

  /** Takes some of them out, with as much of each as tells its language. */
  takeWithoutLanguage(count: number): IndexedText[] {
    const taken: IndexedText[] = []
    for (const [idx, text] of this.#untold) {
      if (taken.length === count) break
      taken.push({ idx, text })
      this.#untold.delete(idx)
    }
    return taken
  }

  /** @param languages of the texts in their order, as `languagesOf` tells */
  setLanguages(taken: readonly IndexedText[], languages: readonly (string | undefined)[]): void {
    for (const [i, { idx }] of taken.entries()) {
      const told = languages[i]
      // One that was replaced meanwhile waits again.
      if (told !== undefined && !this.#untold.has(idx)) this.#traits.setLanguages(idx, told)
    }
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

  /**
   * Whether a change says all that is needed of each text, or of what is known: whose it is, and what it says. One whose time was
   * over is known no more, though a change that began before may have prolonged it.
   */
  canApply({ stored, expiries }: Pick<TextChange, 'stored' | 'expiries'>): boolean {
    const said = new Set(stored.map(({ idx }) => idx))
    return (
      stored.every(({ idx, subject }) => subject !== undefined || this.#order.has(idx)) &&
      expiries.every(({ idx }) => said.has(idx) || this.has(idx))
    )
  }

  /** Takes over what has changed since its version. */
  async apply({ version, stored, expiries, removed }: TextChange): Promise<void> {
    this.#version = -1
    this.#remove(removed)
    for (const { idx, expiresAt } of expiries) this.#expiries.set(idx, expiresAt)
    this.passages.put(stored.map(({ idx, passages = [] }) => ({ idx, passages })))
    for (const { idx, text, subject } of stored) {
      if (subject !== undefined) this.#order.put(idx, subject)
      this.#traits.put(idx, { length: text.length, asks: asksQuestion(text) })
      this.#untold.set(idx, copied(text.slice(0, charactersOfLanguage)))
      if (isLong(text)) this.#long.add(idx)
      else this.#long.delete(idx)
    }
    await this.lexical.put(stored)
    this.#version = version
  }

  /** Removes the texts whose time is over. */
  expire(now: Date): void {
    this.#remove(this.#expiries.due(now))
  }

  #remove(indexes: readonly number[]): void {
    if (indexes.length === 0) return
    for (const idx of indexes) {
      this.#traits.delete(idx)
      this.#order.delete(idx)
      this.#untold.delete(idx)
      this.#long.delete(idx)
      this.#expiries.set(idx, null)
    }
    this.lexical.remove(indexes)
    this.passages.remove(indexes)
  }
}

/**
 * Words and passages of the spaces whose texts this process recalls, made at the first recall of each. A caller gets one
 * with at least the version that it names.
 */
export class TextCache extends VersionedCache<SpaceTexts> {
  readonly #queries: Queries
  readonly #clock: Clock
  #isEnding = false

  constructor({ queries, clock, budgetBytes }: { queries: Queries; clock: Clock; budgetBytes: number }) {
    super(budgetBytes)
    this.#queries = queries
    this.#clock = clock
  }

  /** What is known of the texts of a space with every change up to `version`, and of nothing that has expired. */
  override async get(spaceId: string, version: number): Promise<SpaceTexts> {
    const texts = await super.get(spaceId, version)
    texts.expire(this.#clock.now())
    return texts
  }

  protected sizeOf({ bytes }: SpaceTexts): number {
    return bytes
  }

  /** Takes over what this process itself just committed; when something came between, the next `get` reads it. */
  committed(spaceId: string, change: TextChange): void {
    this.change(spaceId, async (texts) => {
      if (texts.version === change.version - 1 && texts.canApply(change)) await texts.apply(change)
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
        texts.apply({ version, stored: page, expiries: page, removed: [] }),
        turnOfOthers(),
      ])
      page = next
    } while (page.length > 0)
    await this.#loadPassages(spaceId, texts)
    // Some may be from before, and some from after the space was embedded anew.
    const after = await store.findSpaceHeader(this.#queries, spaceId)
    return after !== undefined && after.historyFloor > version ? this.#load(spaceId) : texts
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
