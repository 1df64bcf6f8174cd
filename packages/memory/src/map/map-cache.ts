import { limits } from '@memory/shared/catalogue/limits'
import { Semaphore } from '@memory/shared/platform/semaphore'
import { LRUCache } from 'lru-cache'
import type { MapLinks } from './strongest-links.ts'

/** A map as it is sent, but for what changes without the patterns. */
export interface KnownMap {
  /** Of the space when it was drawn. */
  version: number
  /** The patterns that were meant, of every length. */
  total: number
  /** Patterns in the order of the lists. */
  indexes: Int32Array
  /** JSON text of the answer without its end, in parts. */
  parts: readonly string[]
  /** Once somebody has asked for the map; of what was learned by then. */
  strongest?: MapLinks
}

/** Memory for maps, in bytes: about twenty of 20,000 patterns. */
const budgetBytes = 48 * 2 ** 20
/** What the associations of a map take at most: objects of four numbers. */
const linksBytes = 56 * limits.mapAssociations
/** All of them are looked at when something is removed. */
const mapsMax = 1_000

/** Maps that were drawn, as long as nothing of what they show has changed; who asks for one that is being drawn waits for it. */
export class MapCache {
  readonly #known = new LRUCache<string, KnownMap>({
    max: mapsMax,
    maxSize: budgetBytes,
    sizeCalculation: ({ parts, indexes }, name) =>
      parts.reduce((sum, { length }) => sum + 2 * length, indexes.byteLength + 2 * name.length + linksBytes),
  })
  readonly #drawing = new Map<string, Promise<KnownMap>>()
  /** Of each space of which something is drawn. */
  readonly #turns = new Map<string, Semaphore>()

  /**
   * @param spaceId whose map it is
   * @param shown what is shown, and to whom
   * @param isAsNew whether a map that is known still shows what there is
   */
  async get(
    spaceId: string,
    shown: string,
    isAsNew: (known: Pick<KnownMap, 'version' | 'total'>) => boolean,
    draw: () => Promise<KnownMap>,
  ): Promise<KnownMap> {
    const name = nameOf(spaceId, shown)
    for (let underWay = this.#drawing.get(name); underWay; underWay = this.#drawing.get(name)) {
      const drawn = await underWay.catch(() => undefined)
      if (drawn !== undefined && isAsNew(drawn)) return drawn
    }
    const known = this.#known.get(name)
    if (known !== undefined && isAsNew(known)) return known
    const drawing = this.#inTurn(spaceId, draw)
    this.#drawing.set(name, drawing)
    try {
      const drawn = await drawing
      // Not where something of it was removed meanwhile.
      if (this.#drawing.get(name) === drawing) this.#known.set(name, drawn)
      return drawn
    } finally {
      if (this.#drawing.get(name) === drawing) this.#drawing.delete(name)
    }
  }

  /** One map of a space after the other: asking for many of them at once gets nobody more of the threads. */
  async #inTurn<T>(spaceId: string, draw: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(spaceId) ?? new Semaphore({ slots: 1 })
    this.#turns.set(spaceId, turn)
    try {
      return await turn.run(draw)
    } finally {
      if (turn.running === 0) this.#turns.delete(spaceId)
    }
  }

  /** Lets go of what a space has had, since something of it is gone: names of clusters are words of its texts. */
  drop(spaceId: string): void {
    for (const maps of [this.#known, this.#drawing]) {
      for (const name of maps.keys()) if (name.startsWith(nameOf(spaceId, ''))) maps.delete(name)
    }
  }
}

const nameOf = (spaceId: string, shown: string) => `${spaceId}/${shown}`
