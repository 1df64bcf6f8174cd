import { setImmediate as turnOfOthers } from 'node:timers/promises'
import type { Sequence } from '@memory/engine/recall/contiguity'
import { isLong } from '@memory/engine/recall/passages'
import { asksQuestion } from '@memory/engine/recall/question'
import type { Caller } from '@memory/shared/catalogue/operation'
import type { Clock } from '@memory/shared/platform/clock'
import type { Queries } from '@memory/shared/platform/database/database'
import { Expiries } from '../index/expiries.ts'
import type { LexicalIndex } from '../index/lexical-index.ts'
import { newLexical } from '../index/lexical-indexes.ts'
import type { SpaceIndex } from '../index/space-index.ts'
import { ExpiringCache } from '../spaces/expiring-cache.ts'
import * as store from '../store.ts'
import { charactersOfLanguage } from './language.ts'
import { PassageIndex } from './passage-index.ts'
import { loadPassages } from './passage-store.ts'
import { SubjectOrder } from './subject-order.ts'
import { type IndexedText, listTextChanges, loadTexts, type TextChange } from './text-store.ts'
import { TextTraits } from './text-traits.ts'

/** Texts per statement: about 6 ms of the embedded database, during which all other queries wait. */
const loadPageTexts = 500
/** Long texts whose passages are read per statement. One has up to 18 passages or so, of 1.5 KB each. */
const loadPagePassages = 32

/** About the bytes that a text takes whose language is not yet known. */
const untoldBytes = 300

/** A copy of a string. A slice would keep the whole string that it is of in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** What recall knows of the texts of one space. */
export class SpaceTexts {
  readonly lexical: LexicalIndex = newLexical()
  readonly passages = new PassageIndex(this.lexical)
  readonly #traits = new TextTraits()
  readonly #order = new SubjectOrder()
  readonly #expiries = new Expiries()
  /** Long texts that may lack passages, see `takeUncut`. */
  readonly #long = new Set<number>()
  /** By idx: the beginnings of texts whose language is not yet determined. */
  readonly #untold = new Map<number, string>()
  #version = -1

  /** Every change up to this version is included; -1 while a change is being applied. */
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
      this.#expiries.bytes +
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

  /** Store order of the texts of each subject. */
  get order(): Sequence & Pick<SubjectOrder, 'isOfOne'> {
    return this.#order
  }

  /** How many texts there are whose language is not yet determined. */
  get withoutLanguage(): number {
    return this.#untold.size
  }

  /** Takes up to `count` of them out, with the beginning of each, from which its language is to be determined. */
  takeWithoutLanguage(count: number): IndexedText[] {
    const taken: IndexedText[] = []
    for (const [idx, text] of this.#untold) {
      if (taken.length === count) break
      taken.push({ idx, text })
      this.#untold.delete(idx)
    }
    return taken
  }

  /** Sets the languages of texts. @param languages in the order of `taken`, as returned by `languagesOf` */
  setLanguages(taken: readonly IndexedText[], languages: readonly (string | undefined)[]): void {
    for (const [i, { idx }] of taken.entries()) {
      const told = languages[i]
      // A text that was replaced meanwhile is waiting again.
      if (told !== undefined && !this.#untold.has(idx)) this.#traits.setLanguages(idx, told)
    }
  }

  /**
   * The idx of a long text without passages; each is returned once. Such a text was stored by a release without passages, or is
   * mostly white space.
   */
  takeUncut(): number | undefined {
    for (const idx of this.#long) {
      this.#long.delete(idx)
      if (!this.passages.has(idx)) return idx
    }
    return undefined
  }

  /**
   * Whether a change can be applied without reading from the database. It can't if it leaves something unchanged (a text's
   * subject, or the text of a pattern whose expiry it changes) that is unknown here, which is so if the text has expired
   * meanwhile.
   */
  canApply({ stored, expiries }: Pick<TextChange, 'stored' | 'expiries'>): boolean {
    const said = new Set(stored.map(({ idx }) => idx))
    return (
      stored.every(({ idx, subject }) => subject !== undefined || this.#order.has(idx)) &&
      expiries.every(({ idx }) => said.has(idx) || this.has(idx))
    )
  }

  /** Applies a change that follows `version`. */
  async apply({ version, stored, expiries, removed }: TextChange): Promise<void> {
    this.#version = -1
    this.#remove(removed)
    for (const { idx, expiresAt } of expiries) this.#expiries.set(idx, expiresAt)
    const puttingPassages = this.passages.put(
      stored.map(({ idx, text, passages = [] }) => ({ idx, text, passages })),
    )
    for (const { idx, text, subject } of stored) {
      if (subject !== undefined) this.#order.put(idx, subject)
      this.#traits.put(idx, { length: text.length, asks: asksQuestion(text) })
      this.#untold.set(idx, copied(text.slice(0, charactersOfLanguage)))
      if (isLong(text)) this.#long.add(idx)
      else this.#long.delete(idx)
    }
    await Promise.all([this.lexical.put(stored), puttingPassages])
    this.#version = version
  }

  /** Says that texts which had expired or ended at this time were left out when others were read. */
  leftOut(by: Date): void {
    this.#expiries.leftOut(by)
  }

  /** See `Expiring`. */
  expire(now: Date): boolean {
    if (this.#expiries.isSetBack(now)) return false
    this.#remove(this.#expiries.due(now))
    return true
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

/** The texts of spaces in memory, by version: words, passages, and what else recall needs to know. Read at the first recall. */
export class TextCache extends ExpiringCache<SpaceTexts> {
  readonly #queries: Queries
  #isEnding = false

  constructor({ queries, clock, budgetBytes }: { queries: Queries; clock: Clock; budgetBytes: number }) {
    super(budgetBytes, clock)
    this.#queries = queries
  }

  /** The texts of a space, at least as new as its index: passages and keys must be of the same encoder. */
  async beside(
    { spaceId, spaceVersion }: Pick<Caller, 'spaceId' | 'spaceVersion'>,
    index: Pick<SpaceIndex, 'version'> | Promise<Pick<SpaceIndex, 'version'>>,
  ): Promise<SpaceTexts> {
    const [texts, { version }] = await Promise.all([this.get(spaceId, spaceVersion), index])
    return texts.version < version ? this.get(spaceId, version) : texts
  }

  protected sizeOf({ bytes }: SpaceTexts): number {
    return bytes
  }

  /** Applies a change that this process has just committed. If another came in between, the next `get` reads both. */
  committed(spaceId: string, change: TextChange): void {
    this.change(spaceId, async (texts) => {
      if (texts.version === change.version - 1 && texts.canApply(change)) await texts.apply(change)
    })
  }

  /** See `SpaceTexts.takeUncut`, over all spaces in memory. */
  takeUncut(): { spaceId: string; idx: number } | undefined {
    for (const [spaceId, texts] of this.all) {
      const idx = texts.takeUncut()
      if (idx !== undefined) return { spaceId, idx }
    }
    return undefined
  }

  /** Builds the inverted lists of passages in large spaces, while searches and changes go on. */
  async arrange(): Promise<void> {
    for (const [spaceId, { passages }] of this.all) {
      if (this.#isEnding) return
      await passages.shard?.arrange?.()
      this.measure(spaceId)
    }
  }

  /** Ends `arrange` for good. */
  stopArranging(): void {
    this.#isEnding = true
    for (const [, { passages }] of this.all) passages.shard?.stopArranging?.()
  }

  protected async read(spaceId: string, texts: SpaceTexts | undefined): Promise<SpaceTexts> {
    // A negative version: a change was applied only in part, since it failed.
    if (texts === undefined || texts.version < 0) return this.#load(spaceId)
    const changes = await listTextChanges(this.#queries, spaceId, texts.version)
    if (changes === undefined || texts.version < changes.historyFloor) return this.#load(spaceId)
    await texts.apply(changes)
    if (changes.removed.length > 0) texts.leftOut(this.clock.now())
    return texts
  }

  /** Reads the texts of a space page by page. What changes meanwhile has a later version, which the next `get` reads. */
  async #load(spaceId: string): Promise<SpaceTexts> {
    const version = await store.getVersion(this.#queries, spaceId)
    const texts = new SpaceTexts()
    texts.leftOut(this.clock.now())
    let page = await loadTexts(this.#queries, spaceId, -1, loadPageTexts)
    do {
      const last = page.length < loadPageTexts ? undefined : page.at(-1)
      // The next page is read while this one is tokenised. The embedded database answers without ever yielding to the event loop,
      // so give others a turn explicitly.
      const [next] = await Promise.all([
        last === undefined ? [] : loadTexts(this.#queries, spaceId, last.idx, loadPageTexts),
        texts.apply({ version, stored: page, expiries: page, removed: [] }),
        turnOfOthers(),
      ])
      await this.#loadPassages(spaceId, texts, page)
      page = next
    } while (page.length > 0)
    // If the space was embedded anew meanwhile, some passages have old embeddings.
    const after = await store.findSpaceHeader(this.#queries, spaceId)
    return after !== undefined && after.historyFloor > version ? this.#load(spaceId) : texts
  }

  /** Reads the passages of the long ones among some texts, which follow each other. */
  async #loadPassages(spaceId: string, texts: SpaceTexts, page: readonly IndexedText[]): Promise<void> {
    const long = new Map(page.filter(({ text }) => isLong(text)).map(({ idx, text }) => [idx, text]))
    const last = Math.max(...long.keys())
    for (let after = Math.min(...long.keys()) - 1; after < last; ) {
      const read = await loadPassages(this.#queries, spaceId, after, loadPagePassages)
      const found = read.flatMap(({ idx, passages }) => {
        const text = long.get(idx)
        return text !== undefined && texts.has(idx) ? [{ idx, passages, text }] : []
      })
      await Promise.all([texts.passages.put(found), turnOfOthers()])
      after = read.at(-1)?.idx ?? last
    }
  }
}
