/**
 * What each head of recall earns: evidence recall on LoCoMo conversations with one head off in turn, or on if it starts
 * with no weight, before use and after.
 *
 *   npm run bench -- ablation --data dev.json [--conversations 5] [--seeds 1,2] [--cache FILE]
 *
 * Recall and learning are the service's own functions, over its real indexes, in this process.
 */
import {
  type HeadName,
  type HeadWeights,
  headNames,
  startWeights,
} from '../packages/engine/src/recall/heads.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { halves, practices } from './recall/practice.ts'
import { measurePractised, measureUntouched } from './recall/rehearsal.ts'
import type { Reweigh } from './recall/rehearsed-space.ts'
import { Findings } from './recall/report.ts'
import { readSpaces } from './recall/spaces.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { fileHash, readConversations } from './support/locomo.ts'
import { writeResult } from './support/results.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string', default: '5' },
    seeds: { type: 'string', default: '1,2' },
    cache: { type: 'string' },
  },
})
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const conversations = readConversations(data).slice(0, Number(options.conversations))
const spaces = await readSpaces(conversations, { arrangement: 'apart', cache: options.cache })
const seeds = options.seeds.split(',').map(Number)
/** What a head that starts with no weight is given. */
const tried = 0.02
/** Between two questions. */
const pauseMs = 1_000

const untouched = new Findings()
const used = Object.fromEntries(Object.keys(practices).map((name) => [name, new Findings()]))
for (const changed of [undefined, ...headNames]) {
  const [name, reweigh] = changed === undefined ? ['as it is', undefined] : changeOf(changed)
  for (const [i, space] of spaces.entries()) {
    untouched.add(name, ...(await measureUntouched(space, space.questions, reweigh)))
    for (const seed of seeds.map((seed) => 100 * seed + i)) {
      const split = halves(space.questions, seed)
      for (const [use, practice] of Object.entries(practices)) {
        if (changed === undefined)
          used[use]?.add('before use', ...(await measureUntouched(space, split.kept)))
        const { found } = await measurePractised(space, split, { ...practice, seed, pauseMs }, reweigh)
        used[use]?.add(name, ...found)
      }
    }
  }
  console.error(name)
}
console.log(untouched.table('before use'))
for (const [use, findings] of Object.entries(used)) console.log(`\n${findings.table(`half ${use}`)}`)
writeResult('recall-heads', environment, {
  data: { sha256: fileHash(data), conversations: conversations.map(({ name }) => name).join(', ') },
  seeds: options.seeds,
  beforeUse: untouched.figures(),
  afterUse: Object.fromEntries(Object.entries(used).map(([use, findings]) => [use, findings.figures()])),
})

function changeOf(head: HeadName): [name: string, Reweigh] {
  return startWeights[head] > 0
    ? [`without ${head}`, (weights) => withShare(weights, head, 0)]
    : [`${head} at ${tried}`, (weights) => withShare(weights, head, tried)]
}

/**
 * Weights of which one is given, and the others as they were to each other; the share of those that compare with the
 * query stays.
 */
function withShare(weights: HeadWeights, head: HeadName, weight: number): HeadWeights {
  const isOfQuery = (name: HeadName) => name !== 'contiguity' && name !== 'salience'
  const scaled = headNames.filter((name) => name !== head && (!isOfQuery(head) || isOfQuery(name)))
  const before = scaled.reduce((sum, name) => sum + weights[name], 0)
  const scale = (before + weights[head] - weight) / before
  return Object.fromEntries(
    headNames.map((name) => {
      if (name === head) return [name, weight]
      return [name, scaled.includes(name) ? scale * weights[name] : weights[name]]
    }),
  ) as Record<HeadName, number>
}
