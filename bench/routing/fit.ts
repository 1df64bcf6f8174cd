/**
 * Fits the temperatures of routing's pathways by the likelihood of the evidence of LoCoMo questions.
 *
 *   npm run fit:routing -- --data dev.json [--cache embeddings.bin]
 *
 * The result belongs into `parameters.routing.temperatures`.
 */
import { parseArgs } from 'node:util'
import { parameters } from '../../packages/shared/src/engine/parameters.ts'
import { pathways } from '../../packages/shared/src/engine/routing.ts'
import { readEnvironment } from '../support/environment.ts'
import { fileHash } from '../support/locomo.ts'
import { table, writeResult } from '../support/results.ts'
import { readCases } from './cases.ts'
import { fitTemperatures, negativeLogLikelihood } from './temperatures.ts'

const { values: options } = parseArgs({ options: { data: { type: 'string' }, cache: { type: 'string' } } })
if (options.data === undefined) {
  console.error('Say where the conversations are: npm run fit:routing -- --data PATH (see bench/README.md).')
  process.exit(2)
}
const environment = readEnvironment()
const questions = (await readCases(options.data, options.cache)).filter(({ kind }) => kind === 'question')
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
  data: { sha256: fileHash(options.data), questions: questions.length },
  figures,
})
