/**
 * Fits the classifier of categories on `test/data/categories/train.tsv` and writes its coefficients:
 *
 *   npm run bench -- categories-fit
 *
 * Penalty and threshold are chosen by cross-validation on the same file; the test half is not read.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { categoryByPattern } from '../../packages/engine/src/categories/category-patterns.ts'
import type { CategoryModel } from '../../packages/engine/src/categories/model.ts'
import { readOptions } from '../../scripts/read-options.ts'
import { readEnvironment, repository } from '../support/environment.ts'
import { writeResult } from '../support/results.ts'
import { classNames, embedFacts, type Fact, readFacts, restyle } from './facts.ts'
import { fitRegression, type LinearModel, logProbabilities } from './regression.ts'
import { macroF1 } from './scores.ts'

const modelPath = join(repository, 'packages/engine/src/categories/model.json')
/** Of 4e-4 to 5e-5 the best, each time that this was fitted. */
const penalties = [1e-4]
const thresholds = [0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55]
const folds = 5
/** Macro-F1 given for a stricter threshold. */
const f1Given = 0.005
const iterations = 120

readOptions({})
const environment = readEnvironment()
const written = await readFacts('train')
const restyled = await embedFacts(written.map((fact) => ({ ...fact, text: restyle(fact.text) })))
/** Both ways of writing a fact stand one after the other, and come into the same fold. */
const facts = written.flatMap((fact, i) => [fact, restyled[i]!])
const foldOf = (i: number) => Math.floor(i / 2) % folds
const trials = penalties.flatMap(crossValidate)
for (const { penalty, threshold, f1 } of trials) console.log(`${penalty} ${threshold} ${f1.toFixed(4)}`)
const chosen = choose()
writeFileSync(
  modelPath,
  `${JSON.stringify(quantise(fitModel(facts, chosen.penalty), chosen.threshold), null, 2)}\n`,
)
// The file is checked as the sources are.
execFileSync('biome', ['check', '--write', modelPath], { stdio: 'inherit' })
writeResult('categories-fit', environment, { facts: written.length, folds, chosen, trials })

/**
 * The best penalty, and the strictest threshold that costs little: what the service stores speaks of more than the
 * facts here do, and the less a text is like them, the less sure its category is.
 */
function choose() {
  const best = trials.reduce((a, b) => (b.f1 > a.f1 ? b : a))
  const near = trials.filter(({ penalty, f1 }) => penalty === best.penalty && f1 >= best.f1 - f1Given)
  return near.reduce((a, b) => (b.threshold > a.threshold ? b : a))
}

/** Macro-F1 with each threshold of facts that the model was not fitted on: every fold's turn comes. */
function crossValidate(penalty: number) {
  const guesses = Array.from({ length: folds }, (_, fold) => {
    const model = fitModel(
      facts.filter((_, i) => foldOf(i) !== fold),
      penalty,
    )
    return facts.filter((_, i) => foldOf(i) === fold).map((fact) => ({ fact, ...guess(fact, model) }))
  }).flat()
  return thresholds.map((threshold) => ({
    penalty,
    threshold,
    f1: macroF1(
      guesses.map(({ fact, form, best, probability }) => ({
        truth: fact.category,
        answer: form ?? (probability >= threshold ? classNames[best]! : 'none'),
      })),
    ),
  }))
}

function guess({ text, embedding }: Fact, model: LinearModel) {
  const logs = logProbabilities(embedding, model)
  const best = logs.indexOf(Math.max(...logs))
  return { form: categoryByPattern(text), best, probability: Math.exp(logs[best]!) }
}

/**
 * The regression on raw embeddings. It is fitted on them less their mean and scaled to a mean length of 1, since all
 * texts of this encoder point much the same way, and what sets them apart is small beside it.
 */
function fitModel(examples: readonly Fact[], penalty: number): LinearModel {
  const rows = examples.map(({ embedding }) => embedding)
  const dimensions = rows[0]!.length
  const mean = new Float64Array(dimensions)
  for (const row of rows) for (let i = 0; i < dimensions; i++) mean[i]! += row[i]! / rows.length
  const squares = rows.map((row) => row.reduce((sum, x, i) => sum + (x - mean[i]!) ** 2, 0))
  const scale = Math.sqrt(rows.length / squares.reduce((sum, square) => sum + square, 0))
  const centred = rows.map((row) => row.map((x, i) => (x - mean[i]!) * scale))
  const labels = examples.map(({ category }) => classNames.indexOf(category))
  const model = fitRegression({ rows: centred, labels }, classNames.length, penalty, iterations)
  const weights = model.weights.map((weight) => weight * scale)
  const biases = model.biases.map((bias, c) => {
    const shift = mean.reduce((sum, x, i) => sum + x * weights[c * dimensions + i]!, 0)
    return bias - shift
  })
  return { dimensions, weights, biases }
}

/** Eight bits a weight, scaled by class; the error in a score is some thousandths. */
function quantise({ dimensions, weights, biases }: LinearModel, threshold: number): CategoryModel {
  const bytes = new Int8Array(weights.length)
  const scales = classNames.map((_, c) => {
    const row = weights.subarray(c * dimensions, (c + 1) * dimensions)
    const scale = row.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127
    row.forEach((weight, i) => {
      bytes[c * dimensions + i] = Math.round(weight / scale)
    })
    return Number(scale.toPrecision(6))
  })
  return {
    classes: classNames,
    dimensions,
    biases: Array.from(biases, (bias) => Number(bias.toFixed(4))),
    scales,
    weights: Buffer.from(bytes.buffer).toString('base64'),
    threshold,
  }
}
