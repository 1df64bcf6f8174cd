/**
 * Fits the temperatures of routing's pathways by the likelihood of the evidence of LoCoMo questions.
 *
 *   npm run bench -- routing-fit --data dev.json [--cache embeddings.bin]
 *
 * The result belongs into `parameters.routing.temperatures`.
 */
import { parameters } from '../../packages/engine/src/parameters.ts'
import { pathways } from '../../packages/engine/src/routing.ts'
import { readOptions, required } from '../../scripts/read-options.ts'
import { readEnvironment } from '../support/environment.ts'
import { fileHash } from '../support/locomo.ts'
import { table, writeResult } from '../support/results.ts'
import { readCases } from './cases.ts'
import { fitTemperatures, negativeLogLikelihood } from './temperatures.ts'

const { values: options } = readOptions({ options: { data: { type: 'string' }, cache: { type: 'string' } } })
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const environment = readEnvironment()
const questions = (await readCases(data, options.cache)).filter(({ kind }) => kind === 'question')
const fitted = fitTemperatures(questions)
const inUse = parameters.routing.temperatures
const figures = Object.fromEntries(
  pathways.map((pathway) => [
    pathway,
    {
      temperature: fitted[pathway],
      nats: negativeLogLikelihood(questions, pathway, fitted[pathway]),
      natsInUse: negativeLogLikelihood(questions, pathway, inUse[pathway]),
      natsUniform: negativeLogLikelihood(questions, pathway, 1e9),
    },
  ]),
)
const rows = Object.entries(figures).map(([pathway, { temperature, nats, natsInUse, natsUniform }]) => [
  pathway,
  ...[temperature, nats, natsInUse, natsUniform].map((value) => value.toFixed(3)),
])
console.log(table(['pathway', 'temperature', 'nats', 'nats as in use', 'nats without scores'], rows))
writeResult('routing-fit', environment, {
  data: { sha256: fileHash(data), questions: questions.length },
  figures,
})
