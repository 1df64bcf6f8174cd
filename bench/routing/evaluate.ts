/**
 * What routing by expected free energy loses, beside taking one pathway always.
 *
 *   npm run bench -- routing --data dev.json [--cache embeddings.bin]
 *
 * The loss of a query is 1 - 1/rank of what was asked for among the first 10 (1 where it is not there), and the cost of
 * the pathway's time as routing counts it.
 */
import { parameters } from '../../packages/engine/src/parameters.ts'
import { decide, evaluatePathways, type Pathway, pathways } from '../../packages/engine/src/routing.ts'
import { readOptions, required } from '../../scripts/read-options.ts'
import { environmentLine, readEnvironment } from '../support/environment.ts'
import { fileHash } from '../support/locomo.ts'
import { table, writeResult } from '../support/results.ts'
import { mean } from '../support/statistics.ts'
import { type Case, readCases } from './cases.ts'
import { fitTemperatures, type Temperatures } from './temperatures.ts'

const { values: options } = readOptions({ options: { data: { type: 'string' }, cache: { type: 'string' } } })
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')

/** Mean losses, and how often routing took each pathway. */
interface Losses {
  queries: number
  routed: number
  fixed: Record<Pathway, number>
  taken: Record<Pathway, number>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const cases = await readCases(data, options.cache)
const kinds = ['question', 'repeat', 'noise'] as const
const inUse = figuresOf((one) => lossesOf(one, () => parameters.routing.temperatures))
const held = new Map(
  [...new Set(cases.map(({ conversation }) => conversation))].map((conversation) => [
    conversation,
    fitTemperatures(cases.filter((one) => one.kind === 'question' && one.conversation !== conversation)),
  ]),
)
const leftOut = figuresOf((some) =>
  lossesOf(some, ({ conversation }) => held.get(conversation) as Temperatures),
)
console.log(`Temperatures in use:\n\n${tableOf(inUse)}\n`)
console.log(`Temperatures fitted on the other conversations:\n\n${tableOf(leftOut)}`)
writeResult('routing', environment, {
  data: { sha256: fileHash(data) },
  typicalMs: parameters.routing.typicalMs,
  inUse,
  leftOut,
})

/** Losses of each kind of query, and of a mix of all kinds in equal shares. */
function figuresOf(measure: (cases: readonly Case[]) => Losses): Record<string, Losses> {
  const each = kinds.map((kind) => [kind, measure(cases.filter((one) => one.kind === kind))] as const)
  const losses = each.map(([, one]) => one)
  return { ...Object.fromEntries(each), mix: meanOf(losses) }
}

function lossesOf(some: readonly Case[], temperatures: (one: Case) => Readonly<Temperatures>): Losses {
  const loss = (one: Case, pathway: Pathway) =>
    1 - one.reciprocalRanks[pathway] + parameters.routing.costNatsPerMs * one.views[pathway].costMs
  const decided = some.map((one) => decide(evaluatePathways(one.views, temperatures(one))).pathway)
  return {
    queries: some.length,
    routed: mean(some.map((one, i) => loss(one, decided[i] as Pathway))),
    fixed: perPathway((pathway) => mean(some.map((one) => loss(one, pathway)))),
    taken: perPathway((pathway) => mean(decided.map((one) => (one === pathway ? 1 : 0)))),
  }
}

function meanOf(losses: readonly Losses[]): Losses {
  return {
    queries: losses.reduce((sum, { queries }) => sum + queries, 0),
    routed: mean(losses.map(({ routed }) => routed)),
    fixed: perPathway((pathway) => mean(losses.map(({ fixed }) => fixed[pathway]))),
    taken: perPathway((pathway) => mean(losses.map(({ taken }) => taken[pathway]))),
  }
}

function perPathway(make: (pathway: Pathway) => number): Record<Pathway, number> {
  return Object.fromEntries(pathways.map((name) => [name, make(name)])) as Record<Pathway, number>
}

function tableOf(figures: Record<string, Losses>): string {
  const rows = Object.entries(figures).map(([kind, { queries, routed, fixed, taken }]) => [
    kind,
    String(queries),
    routed.toFixed(4),
    ...pathways.map((pathway) => fixed[pathway].toFixed(4)),
    `${(100 * (routed / Math.min(...Object.values(fixed)) - 1)).toFixed(1)} %`,
    pathways.map((pathway) => (100 * taken[pathway]).toFixed(0)).join(' / '),
  ])
  const header = [
    'queries',
    'n',
    'routed',
    ...pathways.map((name) => `always ${name}`),
    'to the best',
    'taken, %',
  ]
  return table(header, rows)
}
