import { norm } from '@memory/engine/kernels/javascript'
import { type Matrix, RowFlag } from '@memory/engine/kernels/kernels'
import { rowCosines } from './row-cosines.ts'
import type { SearchTarget, Shard, ShardCosines, ShardKeys, ShardRow } from './shard.ts'

/**
 * A shard in JavaScript, for when there is no native addon. Its arrays are in memory that threads share, so that they search
 * while the owning thread appends and deletes: the values of a visible row never change, a delete only clears the row's flags,
 * and growing or compacting copies the rows to new memory, so a search under way keeps what it began with. Keys of every tier
 * are held as float32.
 */
export class JavascriptShard implements Shard {
  readonly dimensions: number
  readonly sourceDim: number | null
  readonly modelId: string | undefined
  #capacity = 0
  #count = 0
  #dead = 0
  #values!: Float32Array
  #inverseNorms!: Float64Array
  #labels!: Int32Array
  #flags!: Uint8Array
  readonly #rowOf = new Map<number, number>()

  constructor(dimensions: number, sourceDim: number | null = null, capacity = 0, modelId?: string) {
    this.dimensions = dimensions
    this.sourceDim = sourceDim
    this.modelId = modelId
    // An organization may have thousands of key lengths, with a shard for each: small shards must take little memory.
    this.#allocate(Math.max(4, capacity))
  }

  get size(): number {
    return this.#rowOf.size
  }

  get scannedRows(): number {
    return this.size
  }

  get bytes(): number {
    return this.#capacity * this.#bytesPerRow
  }

  get #bytesPerRow(): number {
    return 4 * this.dimensions + 8 + 4 + 1
  }

  get target(): SearchTarget {
    return { kind: 'matrix', matrix: this.matrix() }
  }

  put(rows: readonly ShardRow[]): void {
    // Replacing appends a row and clears the flags of the old one. A search under way sees only the rows that were there when it
    // began, so it must keep its flags too: else it would see neither.
    if (rows.some(({ idx }) => this.#rowOf.has(idx))) this.#flags = copyShared(this.#flags)
    for (const row of rows) this.#put(row)
  }

  remove(indexes: readonly number[]): void {
    for (const idx of indexes) this.#remove(idx)
  }

  keys(labels: Int32Array): ShardKeys {
    const values = new Float32Array(labels.length * this.dimensions)
    const held = new Uint8Array(labels.length)
    labels.forEach((idx, i) => {
      const row = this.#rowOf.get(idx)
      if (row === undefined) return
      const start = row * this.dimensions
      values.set(this.#values.subarray(start, start + this.dimensions), i * this.dimensions)
      held[i] = 1
    })
    return { values, held }
  }

  cosines(labels: Int32Array, directions: readonly Float32Array[]): ShardCosines {
    const own = labels.filter((idx) => this.#rowOf.has(idx))
    const cosines = rowCosines(this.keys(own).values, this.dimensions, directions)
    const width = directions.length
    const values = new Float64Array(labels.length * width)
    const held = new Uint8Array(labels.length)
    let row = 0
    for (const [at, idx] of labels.entries()) {
      if (!this.#rowOf.has(idx)) continue
      values.set(cosines.subarray(row * width, (row + 1) * width), at * width)
      held[at] = 1
      row++
    }
    return { values, held }
  }

  labels(): Int32Array {
    return Int32Array.from(this.#rowOf.keys())
  }

  /** The arrays that a search reads, as they are now. */
  matrix(): Matrix {
    return {
      dimensions: this.dimensions,
      count: this.#count,
      values: this.#values,
      inverseNorms: this.#inverseNorms,
      labels: this.#labels,
      flags: this.#flags,
    }
  }

  #put({ idx, key, isText }: ShardRow): void {
    const flags = isText ? RowFlag.alive | RowFlag.text : RowFlag.alive
    const old = this.#rowOf.get(idx)
    if (old !== undefined) {
      if (this.#flags[old] === flags && this.#holds(old, key)) return
      this.#kill(old)
    }
    if (this.#count === this.#capacity) this.#grow()
    const row = this.#count
    this.#values.set(key, row * this.dimensions)
    this.#inverseNorms[row] = 1 / norm(key)
    this.#labels[row] = idx
    this.#flags[row] = flags
    this.#rowOf.set(idx, row)
    this.#count = row + 1
  }

  #remove(idx: number): void {
    const row = this.#rowOf.get(idx)
    if (row === undefined) return
    this.#kill(row)
    this.#rowOf.delete(idx)
    if (this.#dead > 1_024 && this.#dead > this.#count / 5) this.#allocate(this.#capacity)
  }

  #holds(row: number, key: Float32Array): boolean {
    const start = row * this.dimensions
    return key.every((value, i) => value === this.#values[start + i])
  }

  #kill(row: number): void {
    this.#flags[row] = 0
    this.#dead++
  }

  #grow(): void {
    const alive = this.#count - this.#dead
    this.#allocate(Math.max(this.#capacity, Math.ceil(alive * 1.5) + 16))
  }

  /** Copies the rows that are not deleted to new memory. */
  #allocate(capacity: number): void {
    const { dimensions } = this
    const values = new Float32Array(new SharedArrayBuffer(capacity * dimensions * 4))
    const inverseNorms = new Float64Array(new SharedArrayBuffer(capacity * 8))
    const labels = new Int32Array(new SharedArrayBuffer(capacity * 4))
    const flags = new Uint8Array(new SharedArrayBuffer(capacity))
    let count = 0
    for (let row = 0; row < this.#count; row++) {
      const flag = this.#flags[row] as number
      if (flag === 0) continue
      values.set(this.#values.subarray(row * dimensions, (row + 1) * dimensions), count * dimensions)
      inverseNorms[count] = this.#inverseNorms[row] as number
      labels[count] = this.#labels[row] as number
      flags[count] = flag
      this.#rowOf.set(this.#labels[row] as number, count)
      count++
    }
    this.#values = values
    this.#inverseNorms = inverseNorms
    this.#labels = labels
    this.#flags = flags
    this.#capacity = capacity
    this.#count = count
    this.#dead = 0
  }
}

function copyShared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
