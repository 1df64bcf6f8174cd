/**
 * What recall costs beside retrieve, and under filters: they answer the same repeated queries in turn, on spaces of several
 * sizes; and the first recall after a start, which takes all texts apart.
 *
 *   npm run bench -- recall-cost [--sizes 10000,100000] [--data SENTENCES.csv] [--postgres] [--rounds 3]
 */
import { openEncoder } from '../packages/engine/src/encoder/encoder.ts'
import { newLexical } from '../packages/memory/src/index/lexical-indexes.ts'
import { startPostgres } from '../scripts/postgres-server.ts'
import { readOptions } from '../scripts/read-options.ts'
import { fill } from './recall-cost/fill.ts'
import { type FilterName, filterNames, measureRound, type Round } from './recall-cost/round.ts'
import { combine, encodeTexts, readSentences } from './recall-cost/texts.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { digits, type Spread, showSpread, spread, summarize } from './support/statistics.ts'
import { TextSource } from './support/texts.ts'
import { newDatabase } from './vectors/servers.ts'

const { values: options } = readOptions({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    data: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '1000' },
  },
})
const queryCount = 50

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const sentences = options.data === undefined ? undefined : readSentences(options.data)
const queries = sentences?.slice(-queryCount) ?? new TextSource(2).take('short', queryCount)
const encoder = await openEncoder(new URL('../models', import.meta.url).pathname)
const encoded = await encodeTexts(encoder, sentences?.slice(0, -queryCount))
await encoder.close()

const postgres = options.postgres ? await startPostgres({ version: '18', durable: true }) : undefined
const figures = []
for (const texts of options.sizes.split(',').map(Number)) figures.push(await measureSize(texts))
postgres?.stop()

console.log(
  table(
    [
      'texts',
      'retrieve p50 ms',
      'recall p50 ms',
      'p50 added',
      ...filterNames.map((name) => `of ${name}, p50 ms`),
      'retrieve p99 ms',
      'recall p99 ms',
      'first filter ms',
      'first recall ms',
      'longest stall ms',
      'without it',
      'RSS of words MB',
      'counted MB',
    ],
    figures.map(({ texts, lexicalMb, ...figure }) => [
      texts.toLocaleString('en'),
      ...[figure.retrieveP50, figure.recallP50, figure.added].map(showSpread),
      ...filterNames.map((name) => showSpread(figure.filteredP50[name])),
      ...[figure.retrieveP99, figure.recallP99].map(showSpread),
      digits(figure.firstFilterMs),
      ...[figure.firstRecallMs, figure.stallMs, figure.idleStallMs, figure.residentMb].map(showSpread),
      lexicalMb.toFixed(1),
    ]),
  ),
)
writeResult(postgres === undefined ? 'recall-cost' : 'recall-cost-postgresql', environment, { figures })

async function measureSize(count: number) {
  const texts = combine(encoded, count)
  const dataDir = newFolder()
  const databaseUrl = postgres && (await newDatabase(postgres.url))
  const started = performance.now()
  await fill(texts, { dataDir, databaseUrl })
  console.log(`${count} texts stored in ${((performance.now() - started) / 1_000).toFixed(0)} s`)
  const rounds: Round[] = []
  for (let round = 0; round < Number(options.rounds); round++) {
    rounds.push(await measureRound({ dataDir, databaseUrl }, queries, Number(options.requests)))
  }
  removeFolder(dataDir)
  const lexical = newLexical()
  await lexical.put(texts.map(({ text }, idx) => ({ idx, text })))
  const of = (read: (round: Round) => number) => spread(rounds.map(read))
  return {
    texts: count,
    retrieveP50: of(({ retrieve }) => summarize(retrieve).p50),
    recallP50: of(({ recall }) => summarize(recall).p50),
    added: of(({ retrieve, recall }) => summarize(recall).p50 - summarize(retrieve).p50),
    filteredP50: Object.fromEntries(
      filterNames.map((name) => [name, of(({ filtered }) => summarize(filtered[name]).p50)]),
    ) as Record<FilterName, Spread>,
    retrieveP99: of(({ retrieve }) => summarize(retrieve).p99),
    recallP99: of(({ recall }) => summarize(recall).p99),
    firstFilterMs: rounds[0]?.firstFilterMs ?? Number.NaN,
    firstRecallMs: of(({ firstRecallMs }) => firstRecallMs),
    stallMs: of(({ stallMs }) => stallMs),
    idleStallMs: of(({ idleStallMs }) => idleStallMs),
    residentMb: of(({ residentMb }) => residentMb),
    lexicalMb: lexical.bytes / 2 ** 20,
  }
}
