import { type Category, categories } from './categories.ts'

/** A multinomial logistic regression on a text's embedding, its weights in 8 bits. */
export interface CategoryModel {
  /** The categories in the order of the weights; last `none`, for what is no personal fact. */
  classes: readonly string[]
  dimensions: number
  /** A bias for each class. */
  biases: readonly number[]
  /** For each class what 1 of its weights stands for. */
  scales: readonly number[]
  /** Base64 of signed bytes: for each class a weight for each dimension. */
  weights: string
  /** Least probability with which a category is believed. */
  threshold: number
}

/** A model with its weights unpacked. */
export interface LoadedCategoryModel {
  readonly classes: readonly (Category | null)[]
  readonly dimensions: number
  readonly biases: Float64Array
  /** Row after row, one for each class. */
  readonly weights: Float32Array
  readonly threshold: number
}

/** @throws Error when lengths or names do not fit together */
export function loadCategoryModel(model: CategoryModel): LoadedCategoryModel {
  const { dimensions, threshold } = model
  const classes = model.classes.map((name) => {
    const category = categories.find((each) => each === name)
    if (category === undefined && name !== 'none')
      throw new Error(`The model has an unknown category: ${name}`)
    return category ?? null
  })
  const bytes = Buffer.from(model.weights, 'base64')
  const complete = model.biases.length === classes.length && model.scales.length === classes.length
  if (!complete || bytes.length !== classes.length * dimensions) {
    throw new Error('The model of categories is not complete.')
  }
  const weights = Float32Array.from(
    new Int8Array(bytes),
    (weight, i) => weight * (model.scales[Math.floor(i / dimensions)] as number),
  )
  return { classes, dimensions, biases: Float64Array.from(model.biases), weights, threshold }
}

/** What an embedding speaks of, with its probability: the most probable class, null for no personal fact. */
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
  const { classes, dimensions, biases, weights } = model
  if (embedding.length !== dimensions) return { category: null, probability: 1 }
  const scores = biases.slice()
  for (let c = 0; c < scores.length; c++) {
    let score = 0
    for (let i = 0, at = c * dimensions; i < dimensions; i++)
      score += (weights[at + i] as number) * (embedding[i] as number)
    scores[c]! += score
  }
  let best = 0
  for (let c = 1; c < scores.length; c++) if (scores[c]! > scores[best]!) best = c
  const sum = scores.reduce((total, score) => total + Math.exp(score - scores[best]!), 0)
  if (!Number.isFinite(sum)) return { category: null, probability: 1 }
  return { category: classes[best] ?? null, probability: 1 / sum }
}
