import type { Shard as AddonShard } from '@memory/accel'
import { RowFlag } from '@memory/engine/kernels/kernels'
import type { Tier } from '@memory/engine/tiers'
import { concatVectors } from './row-cosines.ts'
import type { SearchTarget, Shard, ShardCosines, ShardKeys, ShardRow } from './shard.ts'

/**
 * From this size on rows are sorted into lists. Of fewer a search looks at all, to be sure (`BYTES_ROWS` of the addon);
 * of so many, 384 dimensions each, searches take 0.6 to 1.01 of the time without lists (`cargo bench --bench lists`).
 */
const listedMin = 4_097
/** What was put since the lists were built is looked at by every search: more than this is worth building them anew. */
const unlistedShareMax = 0.1

/** Share of the rows in lists that a search may look at before there was one: it is for telling how long one may take. */
const listedShare = 0.2

type TierNumber = Parameters<AddonShard['demote']>[0]

const tierNumbers: Readonly<Record<Tier, TierNumber>> = { hot: 0, warm: 1, cold: 2 }

/**
 * A shard in native memory, which all threads of the process search. Hot keys are held as float32, warm ones as bytes,
 * of cold ones only codes; a search says which of its scores are estimates.
 */
export class NativeShard implements Shard {
  readonly dimensions: number
  readonly sourceDim: number | null
  readonly modelId: string | undefined
  readonly target: SearchTarget
  readonly #addon: AddonShard
  #least: TierNumber = 0
  #listed = 0
  #size = 0
  /** Patterns that lists can hold: of cold ones too little is known. */
  #listable = 0
  #bytes = 0
  #isOverLimit = false

  /** @param addon a shard that nobody else changes */
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

  /** The patterns are moved in the background; `bytes` counts them as moved. */
  limitTo(tier: Tier): void {
    this.#least = this.#numberOf(tier)
    // One that fails is tried again by `arrange`, whose caller hears of it.
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
