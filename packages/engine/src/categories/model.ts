import { type Category, categories } from './categories.ts'

/** A dense layer of a network, its weights in 8 bits. */
export interface CategoryLayer {
  /** A bias for each unit. */
  biases: readonly number[]
  /** For each unit what a weight of 1 stands for. */
  scales: readonly number[]
  /** Base64 of signed bytes: unit by unit, a weight for each input. */
  weights: string
}

/** A network of one hidden layer on a text's embedding, as it is in `model.json`. */
export interface CategoryModel {
  /** The categories in the order of the output; last `none`, for what is no personal fact. */
  classes: readonly string[]
  dimensions: number
  /** Its units are rectified: below 0 they count as 0. */
  hidden: CategoryLayer
  /** A score for each class. */
  output: CategoryLayer
  /** Least probability with which a category is believed. */
  threshold: number
}

/** A layer with its weights unpacked: a row for each unit, with a weight for each input. */
interface LoadedLayer {
  readonly biases: Float64Array
  readonly weights: Float32Array
}

/** A model with its weights unpacked. */
export interface LoadedCategoryModel {
  readonly classes: readonly (Category | null)[]
  readonly dimensions: number
  readonly hidden: LoadedLayer
  readonly output: LoadedLayer
  readonly threshold: number
}

/** Unpacks the weights of a model. @throws Error for an unknown category, and lengths that do not fit together */
export function loadCategoryModel(model: CategoryModel): LoadedCategoryModel {
  const { dimensions, threshold } = model
  const classes = model.classes.map((name) => {
    const category = categories.find((each) => each === name)
    if (category === undefined && name !== 'none')
      throw new Error(`The model has an unknown category: ${name}`)
    return category ?? null
  })
  const hidden = loadLayer(model.hidden, dimensions)
  const output = loadLayer(model.output, hidden.biases.length)
  if (output.biases.length !== classes.length) throw incomplete()
  return { classes, dimensions, hidden, output, threshold }
}

function loadLayer({ biases, scales, weights }: CategoryLayer, inputs: number): LoadedLayer {
  const bytes = Buffer.from(weights, 'base64')
  if (biases.length !== scales.length || bytes.length !== biases.length * inputs) throw incomplete()
  return {
    biases: Float64Array.from(biases),
    weights: Float32Array.from(
      new Int8Array(bytes),
      (weight, i) => weight * (scales[Math.floor(i / inputs)] as number),
    ),
  }
}

const incomplete = () => new Error('The model of categories is not complete.')

/** The most probable class, null for no personal fact, and its probability by softmax. */
export interface CategoryGuess {
  category: Category | null
  probability: number
}

/**
 * The most probable class of a text, by its embedding. One of another length or that is not finite is no fact.
 *
 * @param embedding of unit length, by the encoder whose embeddings the model was fitted on
 */
export function guessCategory(embedding: Float32Array, model: LoadedCategoryModel): CategoryGuess {
  const { classes, dimensions, hidden, output } = model
  if (embedding.length !== dimensions) return { category: null, probability: 1 }
  const units = applyLayer(embedding, hidden)
  for (let i = 0; i < units.length; i++) units[i] = Math.max(0, units[i] as number)
  const scores = applyLayer(units, output)
  let best = 0
  for (let c = 1; c < scores.length; c++) if (scores[c]! > scores[best]!) best = c
  const sum = scores.reduce((total, score) => total + Math.exp(score - scores[best]!), 0)
  if (!Number.isFinite(sum)) return { category: null, probability: 1 }
  return { category: classes[best] ?? null, probability: 1 / sum }
}

function applyLayer(input: Float32Array | Float64Array, { biases, weights }: LoadedLayer): Float64Array {
  const values = biases.slice()
  for (let u = 0; u < values.length; u++) {
    let sum = values[u]!
    for (let i = 0, at = u * input.length; i < input.length; i++) sum += weights[at + i]! * input[i]!
    values[u] = sum
  }
  return values
}
