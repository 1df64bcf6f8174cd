/**
 * How well queries are told apart that state a stored fact, put two together, or say something new: macro-F1 by language
 * on pairs that nothing was fitted on.
 *
 *   npm run bench -- belief --data FOLDER [--embeddings FOLDER] [--fit]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureNames } from '../packages/engine/src/belief/features.ts'
import kept from '../packages/engine/src/belief/model.json' with { type: 'json' }
import { type BeliefModel, beliefClasses } from '../packages/engine/src/belief/model.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { type CaseData, readCases } from './belief/data.ts'
import { Embeddings } from './belief/embeddings.ts'
import { confusions, figuresOf, type Judged, judge } from './belief/figures.ts'
import { fitModel } from './belief/regression.ts'
import { sameFactScore, sameTopicScores } from './belief/spaces.ts'
import { environmentLine, readEnvironment, repository } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'

const { values: options } = readOptions({
  options: {
    /** A folder of `stsb-LANGUAGE-SPLIT.csv`. */
    data: { type: 'string' },
    /** A folder that keeps the embeddings for the next run. */
    embeddings: { type: 'string' },
    fit: { type: 'boolean', default: false },
  },
})
/** In cases; cross-validation over the spaces of the training data finds no difference from 0.3 to 10. */
const ridge = 3

const data = required('data', options.data, 'the folder of the sentence pairs, see bench/README.md')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const embeddings = await Embeddings.open(options.embeddings)
const modelPath = join(repository, 'packages/engine/src/belief/model.json')
const model = options.fit ? refit(await readCases(embeddings, data, 'train')) : kept
if (model.encoder !== embeddings.modelId)
  console.error(`The model was fitted for ${model.encoder}: fit it again`)
const dev = await readCases(embeddings, data, 'dev')
await embeddings.close()
const judged = judge(dev.cases, model)

const groups = {
  'all languages': judged,
  ...Object.fromEntries(groupBy(judged, ({ language }) => language)),
  ...Object.fromEntries(groupBy(judged, ({ patterns }) => `${patterns} patterns`)),
  'without queries that are a stored text': judged.filter(({ kind }) => kind !== 'same text'),
}
const figures = Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, figuresOf(group)]))
const mistakes = confusions(judged)
print()
writeResult('belief', environment, {
  encoder: embeddings.modelId,
  definition: { sameFactScore, sameTopicScores },
  files: dev.files,
  figures,
  confusions: mistakes,
})

function refit({ cases, files }: CaseData): typeof kept {
  const fitted: BeliefModel = rounded(fitModel(cases, featureNames, ridge))
  const record = { encoder: embeddings.modelId, cases: cases.length, ridge, files, ...fitted }
  writeFileSync(modelPath, `${JSON.stringify(record, null, 2)}\n`)
  console.log(`Fitted on ${cases.length} queries: ${modelPath}, to be formatted by npm run format\n`)
  return record as typeof kept
}

function rounded(fitted: BeliefModel): BeliefModel {
  return JSON.parse(JSON.stringify(fitted, (_, x) => (typeof x === 'number' ? Number(x.toPrecision(6)) : x)))
}

function groupBy(cases: readonly Judged[], name: (one: Judged) => string): [string, Judged[]][] {
  return [...Map.groupBy(cases, name)]
}

function print(): void {
  const show = (x: number) => x.toFixed(3)
  const rows = Object.entries(figures).map(
    ([name, { cases, macroF1, f1, calibrationError, knownCalibrationError }]) => [
      ...[name, String(cases), show(macroF1)],
      ...beliefClasses.map((one) => show(f1[one])),
      ...[show(calibrationError), show(knownCalibrationError)],
    ],
  )
  console.log(
    table(['', 'queries', 'macro-F1', ...beliefClasses.map((one) => `F1 ${one}`), 'ECE', 'ECE known'], rows),
  )
  const counts = Object.entries(mistakes).map(([kind, answers]) => [
    kind,
    ...beliefClasses.map((name) => String(answers[name])),
  ])
  console.log(`\n${table(['truth \\ answer', ...beliefClasses], counts)}`)
}
