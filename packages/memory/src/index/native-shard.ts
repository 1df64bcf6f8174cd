import type { Shard as AddonShard } from '@memory/accel'
import { RowFlag } from '@memory/engine/kernels/kernels'
import type { Tier } from '@memory/engine/tiers'
import { concatVectors } from './row-cosines.ts'
import type { SearchTarget, Shard, ShardCosines, ShardKeys, ShardRow } from './shard.ts'

/**
 * From this size on, rows are put into inverted lists (IVF). A smaller shard is always searched whole (`BYTES_ROWS` in
 * crates/accel); at this size, with 384 dimensions, a search takes 0.6 to 1.01 of the time without lists
 * (`cargo bench --bench lists`).
 */
const listedMin = 4_097
/** Every search scans the rows that were added since the lists were built: above this share they are built anew. */
const unlistedShareMax = 0.1

/** Share of the listed rows that a search is assumed to scan, until the first search has measured it. */
const listedShare = 0.2

type TierNumber = Parameters<AddonShard['demote']>[0]

const tierNumbers: Readonly<Record<Tier, TierNumber>> = { hot: 0, warm: 1, cold: 2 }

/**
 * A shard in native memory, which every thread of the process can search. Hot keys are held as float32, warm ones as int8 codes,
 * cold ones as binary codes; scores from codes are estimates, marked by `Found.exact`.
 */
export class NativeShard implements Shard {
  readonly dimensions: number
  readonly sourceDim: number | null
  readonly modelId: string | undefined
  readonly target: SearchTarget
  readonly #addon: AddonShard
  /** See `limitTo`: no pattern is held in a tier with a lower number. */
  #least: TierNumber = 0
  /** Patterns in inverted lists. */
  #listed = 0
  #size = 0
  /** Patterns that can be in inverted lists: hot and warm ones. Binary codes say too little. */
  #listable = 0
  #bytes = 0
  /** Whether some patterns are still to be demoted to the tier `#least`. */
  #isOverLimit = false

  /** @param addon owned by this object */
  constructor(addon: AddonShard, sourceDim: number | null, modelId: string | undefined) {
    this.dimensions = addon.dimensions
    this.sourceDim = sourceDim
    this.modelId = modelId
    this.#addon = addon
    this.target = { kind: 'native', id: addon.id }
    this.#measure()
  }

  get size(): number {
    return this.#size
  }

  get scannedRows(): number {
    const inLists = this.#addon.rowsInLists ?? listedShare * this.#listed
    return this.#size - this.#listed + Math.min(this.#listed, Math.ceil(inLists))
  }

  get listed(): number {
    return this.#listed
  }

  get bytes(): number {
    return this.#bytes
  }

  put(rows: readonly ShardRow[]): void {
    for (const [tier, group] of Map.groupBy(rows, (row) => row.tier)) {
      const keys = new Float32Array(group.length * this.dimensions)
      const labels = new Int32Array(group.length)
      const flags = new Uint8Array(group.length)
      for (const [i, { idx, key, isText }] of group.entries()) {
        keys.set(key, i * this.dimensions)
        labels[i] = idx
        flags[i] = isText ? RowFlag.alive | RowFlag.text : RowFlag.alive
      }
      this.#addon.put(labels, keys, flags, this.#numberOf(tier))
    }
    this.#measure()
  }

  remove(indexes: readonly number[]): void {
    this.#addon.remove(Int32Array.from(indexes))
    this.#measure()
  }

  /** Patterns are demoted in the background; `bytes` already counts them as demoted. */
  limitTo(tier: Tier): void {
    this.#least = this.#numberOf(tier)
    // After a failure `arrange` tries again, and throws to its caller if that fails too.
    this.#demote().catch(() => {})
    this.#measure()
  }

  async arrange(): Promise<void> {
    if (this.#isOverLimit) await this.#demote()
    const listable = this.#listable
    if (listable < listedMin || listable - this.#listed < listable * unlistedShareMax) return
    await this.#addon.buildLists()
    this.#measure()
  }

  stopArranging(): void {
    this.#addon.interruptLists()
  }

  async #demote(): Promise<void> {
    try {
      await this.#addon.demote(this.#least)
    } finally {
      this.#measure()
    }
  }

  keys(labels: Int32Array): ShardKeys {
    const { keys, held } = this.#addon.keysOf(labels)
    return { values: keys, held }
  }

  cosines(labels: Int32Array, directions: readonly Float32Array[]): ShardCosines {
    const { cosines, held } = this.#addon.cosinesOf(labels, concatVectors(directions, this.dimensions))
    return { values: cosines, held }
  }

  labels(): Int32Array {
    return this.#addon.labels()
  }

  save(path: string, mark: number): Promise<void> {
    return this.#addon.save(path, mark)
  }

  #numberOf(tier: Tier): TierNumber {
    return Math.max(this.#least, tierNumbers[tier]) as TierNumber
  }

  #measure(): void {
    const { hot, warm, cold, bytes, listed } = this.#addon.stats()
    this.#size = hot + warm + cold
    this.#listable = hot + warm
    this.#listed = listed
    this.#bytes = bytes
    this.#isOverLimit = (this.#least > 0 && hot > 0) || (this.#least === 2 && warm > 0)
  }
}
