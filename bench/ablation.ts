/**
 * What each head of recall earns: evidence recall on LoCoMo conversations with one head off in turn, before use and after.
 *
 *   npm run bench:ablation -- --data dev.json [--conversations 5] [--seeds 1,2] [--cache FILE]
 *
 * Recall and learning are the service's own functions, over its real indexes, in this process.
 */
import { parseArgs } from 'node:util'
import { type HeadName, type HeadWeights, headNames } from '../packages/shared/src/engine/recall/heads.ts'
import { halves, practices } from './recall/practice.ts'
import { measurePractised, measureUntouched } from './recall/rehearsal.ts'
import type { Reweigh } from './recall/rehearsed-space.ts'
import { Findings } from './recall/report.ts'
import { readSpaces } from './recall/spaces.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { fileHash, readConversations } from './support/locomo.ts'
import { writeResult } from './support/results.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string', default: '5' },
    seeds: { type: 'string', default: '1,2' },
    cache: { type: 'string' },
  },
})
if (options.data === undefined) throw new Error('Name the conversations: --data PATH (see bench/README.md)')
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const conversations = readConversations(options.data).slice(0, Number(options.conversations))
const spaces = await readSpaces(conversations, { together: false, cache: options.cache })
const seeds = options.seeds.split(',').map(Number)
/** Between two questions. */
const pauseMs = 1_000

const untouched = new Findings()
const used = Object.fromEntries(Object.keys(practices).map((name) => [name, new Findings()]))
for (const off of [undefined, ...headNames]) {
  const name = off === undefined ? 'all heads' : `without ${off}`
  const reweigh: Reweigh = (weights) => (off === undefined ? weights : without(weights, off))
  for (const [i, space] of spaces.entries()) {
    untouched.add(name, ...(await measureUntouched(space, space.questions, reweigh)))
    for (const seed of seeds.map((seed) => 100 * seed + i)) {
      const split = halves(space.questions, seed)
      for (const [use, practice] of Object.entries(practices)) {
        if (off === undefined) used[use]?.add('before use', ...(await measureUntouched(space, split.kept)))
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
  data: { sha256: fileHash(options.data), conversations: conversations.map(({ name }) => name).join(', ') },
  seeds: options.seeds,
  beforeUse: untouched.figures(),
  afterUse: Object.fromEntries(Object.entries(used).map(([use, findings]) => [use, findings.figures()])),
})

/** Weights with one head off and the others as they were to each other; the share of those that compare with the query stays. */
function without(weights: HeadWeights, off: HeadName): HeadWeights {
  const scale = off === 'contiguity' || off === 'salience' ? 1 / (1 - weights[off]) : 1
  return Object.fromEntries(
    headNames.map((head) => [head, head === off ? 0 : scale * weights[head]]),
  ) as Record<HeadName, number>
}
