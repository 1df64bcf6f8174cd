/**
 * What learning from use costs: the same requests to this checkout and to another one, such as one from before the
 * engine, in turn.
 *
 *   npm run bench -- learning-cost --base OTHER_CHECKOUT [--rounds 6] [--seconds 2] [--kinds 'vector query,text store'] [--postgres]
 */
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions, required } from '../scripts/read-options.ts'
import { kinds, requests } from './learning-cost/requests.ts'
import { openSubject, type Slice, type Subject } from './learning-cost/subject.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { showSpread, spread } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
    kinds: { type: 'string', default: kinds.join(',') },
    postgres: { type: 'boolean', default: false },
  },
})
const baseFolder = required('base', options.base, 'the folder of the checkout to compare with')
const connectionCounts = [1, 16]
const rounds = Number(options.rounds)
const sliceMs = 1_000 * Number(options.seconds)

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const base = await openSubject(baseFolder, postgres?.url)
const now = await openSubject(undefined, postgres?.url)
const figures = []
for (const kind of kinds.filter((kind) => options.kinds.split(',').includes(kind))) {
  for (const connections of connectionCounts) {
    const request = requests[kind]
    const slices = { base: [] as Slice[], now: [] as Slice[] }
    for (let round = -1; round < rounds; round++) {
      const turns: ['base' | 'now', Subject][] = [
        ['base', base],
        ['now', now],
      ]
      for (const [name, subject] of round % 2 === 0 ? turns : turns.toReversed()) {
        const slice = await subject.load(connections, sliceMs, request)
        // The first round warms up.
        if (round >= 0) slices[name].push(slice)
      }
    }
    const ratio = (read: (slice: Slice) => number) =>
      spread(slices.now.map((slice, i) => read(slice) / read(slices.base[i] as Slice)))
    figures.push({
      kind,
      connections,
      basePerSecond: spread(slices.base.map(({ perSecond }) => perSecond)),
      perSecond: spread(slices.now.map(({ perSecond }) => perSecond)),
      throughput: ratio(({ perSecond }) => perSecond),
      processorTime: ratio(({ processorMs }) => processorMs),
    })
  }
}
await Promise.all([base.close(), now.close()])
postgres?.stop()

console.log(
  table(
    ['request', 'connections', 'base /s', 'now /s', 'now : base', 'processor time, now : base'],
    figures.map((figure) => [
      figure.kind,
      String(figure.connections),
      ...[figure.basePerSecond, figure.perSecond, figure.throughput, figure.processorTime].map(showSpread),
    ]),
  ),
)
writeResult(postgres === undefined ? 'learning-cost' : 'learning-cost-postgresql', environment, { figures })
