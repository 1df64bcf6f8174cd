import { randomFrom } from '../support/random.ts'

/** Normally distributed by Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Unit vectors around cluster centres, as embeddings lie: about 100 a cluster, at a mean cosine of 0.7 to it. */
export class Mixture {
  readonly #random: () => number
  readonly #centres: Float32Array[]
  readonly dimensions: number

  constructor(dimensions: number, clusters: number, seed: number) {
    this.dimensions = dimensions
    this.#random = randomFrom(seed)
    this.#centres = Array.from({ length: clusters }, () => this.#unit((_) => normal(this.#random)))
  }

  next(): Float32Array {
    const centre = this.#centres[Math.floor(this.#random() * this.#centres.length)] as Float32Array
    const spread = 1 / Math.sqrt(this.dimensions)
    return this.#unit((i) => (centre[i] as number) + spread * normal(this.#random))
  }

  #unit(value: (i: number) => number): Float32Array {
    const vector = Float32Array.from({ length: this.dimensions }, (_, i) => value(i))
    const norm = Math.hypot(...vector)
    return vector.map((each) => each / norm)
  }
}
