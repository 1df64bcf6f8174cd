/**
 * Evidence recall of the questions of LoCoMo conversations that name a time, by what a text gains for being of it.
 *
 *   npm run bench -- recall-time --data dev.json [--together] [--cache FILE]
 *
 * Questions that name none are answered as if there were no such gain, so they are left out.
 */
import { parameters } from '../packages/engine/src/parameters.ts'
import { combineHeads } from '../packages/engine/src/recall/score.ts'
import { namedTime } from '../packages/engine/src/recall/time-expressions.ts'
import { PatternSet } from '../packages/memory/src/index/pattern-set.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { RehearsedSpace } from './recall/rehearsed-space.ts'
import { readSpaces, type SpaceCase } from './recall/spaces.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { type Found, listLength, measure, recallFigures } from './support/evidence-recall.ts'
import { fileHash, readConversations, readTurnTimes } from './support/locomo.ts'
import { table, writeResult } from './support/results.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    together: { type: 'boolean', default: false },
    cache: { type: 'string' },
  },
})
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const { together, cache } = options
/** In deviations; 0: the time is not read. */
const gains = [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3]

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const found = new Map(gains.map((gain) => [gain, [] as Found[]]))
const spaces = await readSpaces(readConversations(data), {
  arrangement: together ? 'together' : 'apart',
  cache,
})
const times = readTurnTimes(data)
for (const [i, space] of spaces.entries()) await ask(space, together ? times.flat() : (times[i] as number[]))

const rows = gains.flatMap((gain) => {
  const all = found.get(gain) as Found[]
  const kinds = Map.groupBy(all, ({ category }) => category)
  return [['all', all] as const, ...kinds].map(([kind, some]) => ({ gain, kind, ...recallFigures(some) }))
})
console.log(
  table(
    ['gain', 'questions', '', 'recall@5', 'recall@10', 'MRR'],
    rows.map(({ gain, kind, questions, recallAt5, recallAt10, mrr }) => [
      String(gain),
      kind,
      String(questions),
      recallAt5.toFixed(1),
      recallAt10.toFixed(1),
      mrr.toFixed(3),
    ]),
  ),
)
writeResult(together ? 'recall-time-together' : 'recall-time', environment, {
  data: { sha256: fileHash(data) },
  figures: rows,
})

/** Asks a space that was filled at the times of its turns each question that names a time, when the last turn was said. */
async function ask(space: SpaceCase, said: readonly number[]): Promise<void> {
  const now = said.at(-1) as number
  const rehearsed = await RehearsedSpace.of(space.turns, now)
  for (const asked of space.questions) {
    const time = namedTime(asked.text, now)
    if (time === undefined) continue
    const then = [...said.keys()].filter((idx) => {
      const at = said[idx] as number
      return at >= time.from && at < time.to
    })
    const ofTime = then.length === 0 ? undefined : PatternSet.of(then)
    for (const gain of gains) {
      const gathered = await rehearsed.gather(asked, undefined, gain === 0 ? undefined : ofTime)
      if (gathered === undefined) continue
      const { candidates, heads } = gathered
      const fusion = { ...parameters.recall, timeGain: gain }
      const scored = combineHeads(candidates, heads, rehearsed.headWeights, fusion).slice(0, listLength)
      const ranking = scored.map(({ idx }) => space.ids[idx] as string)
      found.get(gain)?.push(measure(asked.question, ranking))
    }
  }
}
