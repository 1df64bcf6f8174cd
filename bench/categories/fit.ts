/**
 * Fits the classifier of categories on `test/data/categories/train.tsv` and writes its coefficients:
 *
 *   npm run bench -- categories-fit [--embeddings FOLDER]
 *
 * The threshold is chosen by cross-validation on the same file; the facts that the figures are of are not read.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { categoryByPattern } from '../../packages/engine/src/categories/category-patterns.ts'
import type { CategoryLayer, CategoryModel } from '../../packages/engine/src/categories/model.ts'
import { readOptions } from '../../scripts/read-options.ts'
import { readEnvironment, repository } from '../support/environment.ts'
import { writeResult } from '../support/results.ts'
import { classNames, embedFacts, type Fact, readFacts, restyle } from './facts.ts'
import { fitNetwork, type LayerWeights, type Network, probabilities, type Training } from './network.ts'
import { macroF1 } from './scores.ts'

const modelPath = join(repository, 'packages/engine/src/categories/model.json')
/** Twice the units are no better on facts left out, without a hidden layer three points are lost. */
const training: Training = {
  units: 64,
  epochs: 25,
  batch: 128,
  rate: 2e-3,
  decay: 0.1,
  dropInputs: 0.15,
  dropHidden: 0.3,
  smoothing: 0.05,
}
const thresholds = [0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55]
const folds = 5
/** Macro-F1 given for a stricter threshold: more would take many facts for none, and sensitive ones first. */
const f1Given = 0.001

const { values: options } = readOptions({
  options: {
    /** A folder that keeps the embeddings for the next run. */
    embeddings: { type: 'string' },
  },
})
const environment = readEnvironment()
const written = await readFacts('train', options.embeddings)
const restyled = await embedFacts(
  written.map((fact) => ({ ...fact, text: restyle(fact.text) })),
  options.embeddings,
)
/** Both ways of writing a fact stand one after the other, and come into the same fold. */
const facts = written.flatMap((fact, i) => [fact, restyled[i]!])
const foldOf = (i: number) => Math.floor(i / 2) % folds
const trials = crossValidate()
for (const { threshold, f1 } of trials) console.log(`${threshold} ${f1.toFixed(4)}`)
const chosen = choose()
writeFileSync(modelPath, `${JSON.stringify(quantise(fitModel(facts), chosen.threshold), null, 2)}\n`)
// The file is checked as the sources are.
execFileSync('biome', ['check', '--write', modelPath], { stdio: 'inherit' })
writeResult('categories-fit', environment, { facts: written.length, training, folds, chosen, trials })

/** The strictest threshold that costs little: the less a text is like the facts here, the less sure its category is. */
function choose() {
  const best = Math.max(...trials.map(({ f1 }) => f1))
  const near = trials.filter(({ f1 }) => f1 >= best - f1Given)
  return near.reduce((a, b) => (b.threshold > a.threshold ? b : a))
}

/** Macro-F1 with each threshold of facts that the network was not fitted on: every fold's turn comes. */
function crossValidate() {
  const guesses = Array.from({ length: folds }, (_, fold) => {
    const model = fitModel(facts.filter((_, i) => foldOf(i) !== fold))
    return facts.filter((_, i) => foldOf(i) === fold).map((fact) => ({ fact, ...guess(fact, model) }))
  }).flat()
  return thresholds.map((threshold) => ({
    threshold,
    f1: macroF1(
      guesses.map(({ fact, form, best, probability }) => ({
        truth: fact.category,
        answer: form ?? (probability >= threshold ? classNames[best]! : 'none'),
      })),
    ),
  }))
}

function guess({ text, embedding }: Fact, model: Network) {
  const given = probabilities(embedding, model)
  const best = given.indexOf(Math.max(...given))
  return { form: categoryByPattern(text), best, probability: given[best]! }
}

/**
 * The network on raw embeddings. It is fitted on them less their mean and scaled, since all texts of this encoder point
 * much the same way, and what sets them apart is small beside it.
 */
function fitModel(examples: readonly Fact[]): Network {
  const rows = examples.map(({ embedding }) => embedding)
  const dimensions = rows[0]!.length
  const mean = new Float64Array(dimensions)
  for (const row of rows) for (let i = 0; i < dimensions; i++) mean[i]! += row[i]! / rows.length
  const squares = rows.map((row) => row.reduce((sum, x, i) => sum + (x - mean[i]!) ** 2, 0))
  const scale = Math.sqrt((rows.length * dimensions) / squares.reduce((sum, square) => sum + square, 0))
  const centred = rows.map((row) => row.map((x, i) => (x - mean[i]!) * scale))
  const labels = examples.map(({ category }) => classNames.indexOf(category))
  const { inputs, hidden, output } = fitNetwork({ rows: centred, labels }, classNames.length, training)
  const weights = hidden.weights.map((weight) => weight * scale)
  const biases = hidden.biases.map((bias, u) => {
    const shift = mean.reduce((sum, x, i) => sum + x * weights[u * dimensions + i]!, 0)
    return bias - shift
  })
  return { inputs, hidden: { weights, biases }, output }
}

function quantise({ inputs, hidden, output }: Network, threshold: number): CategoryModel {
  return {
    classes: classNames,
    dimensions: inputs,
    hidden: quantiseLayer(hidden),
    output: quantiseLayer(output),
    threshold,
  }
}

/** Eight bits a weight, scaled by unit; the error in a score is some thousandths. */
function quantiseLayer({ weights, biases }: LayerWeights): CategoryLayer {
  const inputs = weights.length / biases.length
  const bytes = new Int8Array(weights.length)
  const scales = Array.from(biases, (_, u) => {
    const row = weights.subarray(u * inputs, (u + 1) * inputs)
    const scale = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127 || 1
    row.forEach((weight, i) => {
      bytes[u * inputs + i] = Math.round(weight / scale)
    })
    return Number(scale.toPrecision(6))
  })
  return {
    biases: Array.from(biases, (bias) => Number(bias.toFixed(4))),
    scales,
    weights: Buffer.from(bytes.buffer).toString('base64'),
  }
}
