import { type Random, randomNormal, seededRandom } from '../../packages/engine/src/random.ts'

/** Examples as rows of numbers, each with the index of its class. */
export interface Examples {
  readonly rows: readonly Float32Array[]
  readonly labels: readonly number[]
}

/** Weights by unit, one row after the other, and a bias for each unit. */
export interface LayerWeights {
  readonly weights: Float32Array
  readonly biases: Float32Array
}

/** A layer of units that are zero or more, then a score for each class. */
export interface Network {
  readonly inputs: number
  readonly hidden: LayerWeights
  readonly output: LayerWeights
}

/** How a network is fitted. */
export interface Training {
  readonly units: number
  readonly epochs: number
  /** Examples of a step. */
  readonly batch: number
  /** Of the first step; then it falls to none along half a cosine. */
  readonly rate: number
  /** Share of each weight that goes, times the rate. */
  readonly decay: number
  /** Shares of inputs and of hidden units that are left out of a step. */
  readonly dropInputs: number
  readonly dropHidden: number
  /** What the labels leave to all classes alike. */
  readonly smoothing: number
}

/**
 * Fits by Adam with decoupled weight decay (Loshchilov & Hutter 2019), dropout (Srivastava et al. 2014) and label
 * smoothing (Szegedy et al. 2016). Rows should have a mean of 0 and numbers of about 1. All draws are seeded: the same
 * examples give the same network.
 */
export function fitNetwork({ rows, labels }: Examples, classes: number, training: Training): Network {
  const random = seededRandom('categories')
  const network = newNetwork(rows[0]?.length ?? 0, training.units, classes, random)
  const steps = new Adam([
    network.hidden.weights,
    network.hidden.biases,
    network.output.weights,
    network.output.biases,
  ])
  const order = Array.from(rows.keys())
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    shuffle(order, random)
    const rate = (training.rate / 2) * (1 + Math.cos((Math.PI * epoch) / training.epochs))
    for (let from = 0; from < order.length; from += training.batch) {
      const gradients = zeros(network)
      const batch = order.slice(from, from + training.batch)
      for (const i of batch)
        addGradient(network, gradients, { row: rows[i]!, label: labels[i]! }, training, random)
      steps.take(gradients, { scale: 1 / batch.length, rate, decay: training.decay })
    }
  }
  return network
}

/** The probability of each class. */
export function probabilities(row: Float32Array, network: Network): Float64Array {
  const hidden = applyLayer(row, network.hidden).map((value) => Math.max(0, value))
  return softmax(applyLayer(hidden, network.output))
}

function newNetwork(inputs: number, units: number, classes: number, random: Random): Network {
  const draw = (size: number, fan: number) =>
    Float32Array.from({ length: size }, () => randomNormal(random) / Math.sqrt(fan))
  return {
    inputs,
    hidden: { weights: draw(inputs * units, inputs), biases: new Float32Array(units) },
    output: { weights: draw(units * classes, units), biases: new Float32Array(classes) },
  }
}

type Gradients = [Float32Array, Float32Array, Float32Array, Float32Array]

const zeros = ({ hidden, output }: Network): Gradients => [
  new Float32Array(hidden.weights.length),
  new Float32Array(hidden.biases.length),
  new Float32Array(output.weights.length),
  new Float32Array(output.biases.length),
]

/** Adds what one example says, with a draw of inputs and units left out. */
function addGradient(
  network: Network,
  [hiddenWeights, hiddenBiases, outputWeights, outputBiases]: Gradients,
  { row, label }: { row: Float32Array; label: number },
  { dropInputs, dropHidden, smoothing }: Training,
  random: Random,
): void {
  const input = row.map((value) => (random() < dropInputs ? 0 : value / (1 - dropInputs)))
  const hidden = applyLayer(input, network.hidden).map((value) =>
    value <= 0 || random() < dropHidden ? 0 : value / (1 - dropHidden),
  )
  const given = softmax(applyLayer(hidden, network.output))
  const classes = given.length
  const back = new Float32Array(hidden.length)
  for (let c = 0; c < classes; c++) {
    const error = given[c]! - smoothing / classes - (c === label ? 1 - smoothing : 0)
    outputBiases[c]! += error
    const at = c * hidden.length
    for (let u = 0; u < hidden.length; u++) {
      outputWeights[at + u]! += error * hidden[u]!
      back[u]! += error * network.output.weights[at + u]!
    }
  }
  for (let u = 0; u < hidden.length; u++) {
    if (hidden[u] === 0) continue
    const error = back[u]! / (1 - dropHidden)
    hiddenBiases[u]! += error
    const at = u * input.length
    for (let i = 0; i < input.length; i++) hiddenWeights[at + i]! += error * input[i]!
  }
}

function applyLayer(input: Float32Array, { weights, biases }: LayerWeights): Float32Array {
  const values = biases.slice()
  for (let u = 0; u < values.length; u++) {
    let sum = values[u]!
    for (let i = 0, at = u * input.length; i < input.length; i++) sum += weights[at + i]! * input[i]!
    values[u] = sum
  }
  return values
}

function softmax(scores: Float32Array): Float64Array {
  const most = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const powers = Float64Array.from(scores, (score) => Math.exp(score - most))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}

/** Adam's moments of each weight. */
class Adam {
  readonly #weights: readonly Float32Array[]
  readonly #means: readonly Float32Array[]
  readonly #squares: readonly Float32Array[]
  #steps = 0

  constructor(weights: readonly Float32Array[]) {
    this.#weights = weights
    this.#means = weights.map(({ length }) => new Float32Array(length))
    this.#squares = weights.map(({ length }) => new Float32Array(length))
  }

  take(
    gradients: readonly Float32Array[],
    { scale, rate, decay }: Record<'scale' | 'rate' | 'decay', number>,
  ): void {
    this.#steps++
    const [ofMean, ofSquare] = [1 - 0.9 ** this.#steps, 1 - 0.99 ** this.#steps]
    for (const [k, weights] of this.#weights.entries()) {
      const [gradient, means, squares] = [gradients[k]!, this.#means[k]!, this.#squares[k]!]
      // Every other list is of biases, which do not decay.
      const kept = k % 2 === 0 ? 1 - rate * decay : 1
      for (let i = 0; i < weights.length; i++) {
        const slope = gradient[i]! * scale
        means[i] = 0.9 * means[i]! + 0.1 * slope
        squares[i] = 0.99 * squares[i]! + 0.01 * slope ** 2
        const step = means[i]! / ofMean / (Math.sqrt(squares[i]! / ofSquare) + 1e-8)
        weights[i] = kept * weights[i]! - rate * step
      }
    }
  }
}

/** Fisher and Yates. */
function shuffle(order: number[], random: Random): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j]!, order[i]!]
  }
}
