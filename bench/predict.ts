/**
 * How often what is asked for next is among five predictions, where actors follow routines. The first half of the accesses
 * only trains; before each of the second, the service predicts.
 *
 *   npm run bench -- predict [--data SENTENCES.csv] [--accesses 4000] [--seeds 1,2,3]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { readOptions } from '../scripts/read-options.ts'
import { makeAccesses } from './predict/accesses.ts'
import { Baselines } from './predict/baselines.ts'
import { Hits } from './predict/hits.ts'
import { readSentences } from './recall-cost/texts.ts'
import type { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'
import { type Spread, showSpread, spread } from './support/statistics.ts'
import { TextSource } from './support/texts.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    accesses: { type: 'string', default: '4000' },
    seeds: { type: 'string', default: '1,2,3' },
  },
})
const k = 5
const plan = {
  facts: 500,
  routines: 30,
  steps: [6, 12] as const,
  actors: 6,
  noise: 0.2,
  accesses: Number(options.accesses),
}
/** The service learns from 100 uses a second; of more, only the first. */
const atMostEachMs = 12

const methods = ['predict', 'counted', 'popular', 'similar'] as const
type Method = (typeof methods)[number]
const names: Record<Method, string> = {
  predict: 'the service',
  counted: 'successors counted by the bench',
  popular: 'most popular',
  similar: 'most similar',
}

type Shares = Hits['shares']

/** One sequence of accesses. */
interface Run {
  /** Share of the accesses that are steps which can be foreseen. */
  foreseeable: number
  hits: Record<Method, Shares>
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)
const sentences = options.data === undefined ? [] : readSentences(options.data)
const runs: Run[] = []
for (const seed of options.seeds.split(',').map(Number)) runs.push(await measure(seed))

const ofRuns = (read: (run: Run) => number) => spread(runs.map(read))
const figures = {
  foreseeable: ofRuns(({ foreseeable }) => foreseeable),
  hitsAt5: Object.fromEntries(
    methods.map((method) => [
      method,
      {
        all: ofRuns(({ hits }) => hits[method].all),
        foreseeable: ofRuns(({ hits }) => hits[method].foreseeable),
      },
    ]),
  ) as Record<Method, Record<keyof Shares, Spread>>,
}
console.log(`Steps that can be foreseen: ${showSpread(figures.foreseeable)} of the accesses\n`)
console.log(
  table(
    ['hit@5', 'all accesses', 'steps that can be foreseen'],
    methods.map((method) => {
      const { all, foreseeable } = figures.hitsAt5[method]
      return [names[method], showSpread(all), showSpread(foreseeable)]
    }),
  ),
)
writeResult('predict', environment, { plan, withSentences: sentences.length > 0, ...figures })

async function measure(seed: number): Promise<Run> {
  const dataDir = newFolder()
  const server = await startServer({ dataDir })
  const connection = await server.connect()
  const texts = factTexts(seed)
  const ids = await store(connection, texts)
  const numbers = new Map(ids.map((id, fact) => [id, fact]))
  const accesses = makeAccesses(plan, seed)
  const baselines = new Baselines()
  const nearest = new Map<number, number[]>()
  const hits = { predict: new Hits(), counted: new Hits(), popular: new Hits(), similar: new Hits() }
  const trained = accesses.length / 2
  for (const [i, access] of accesses.entries()) {
    const { actor, fact, after } = access
    const started = performance.now()
    if (i >= trained && after !== undefined) {
      const asked = { query: texts[after], top_k: k }
      const { predictions } = await ask<{ predictions: { pattern_id: string }[] }>(
        connection,
        'predict',
        actor,
        asked,
      )
      hits.predict.note(access, numbersOf(predictions, numbers))
      hits.counted.note(access, baselines.followers(k, after))
      hits.popular.note(access, baselines.popular(k, after))
      hits.similar.note(
        access,
        nearest
          .get(after)
          ?.filter((other) => other !== after)
          .slice(0, k) ?? [],
      )
    }
    baselines.note(fact, after)
    // One more than is compared: the fact itself is among them.
    const answer = await ask<{ results: { pattern_id: string }[] }>(connection, 'retrieve', actor, {
      query: texts[fact],
      top_k: k + 1,
    })
    nearest.set(fact, numbersOf(answer.results, numbers))
    await delay(Math.max(0, atMostEachMs - (performance.now() - started)))
  }
  connection.close()
  await server.stop()
  removeFolder(dataDir)
  const tested = accesses.slice(trained).filter(({ after }) => after !== undefined)
  return {
    foreseeable: tested.filter(({ isForeseeable }) => isForeseeable).length / tested.length,
    hits: {
      predict: hits.predict.shares,
      counted: hits.counted.shares,
      popular: hits.popular.shares,
      similar: hits.similar.shares,
    },
  }
}

/** Half sentences of the file, as far as there are any, half made facts, in an order that no routine has. */
function factTexts(seed: number): string[] {
  const random = new TextSource(seed)
  const from = (seed * plan.facts) % Math.max(1, sentences.length - plan.facts)
  const real = sentences.slice(from, from + plan.facts / 2)
  return [...real, ...random.take('short', plan.facts - real.length)]
}

async function store(connection: Connection, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < texts.length; i += 50) {
    const items = texts.slice(i, i + 50).map((text) => ({ text }))
    const path = '/v1/memory/text/batch-store'
    ids.push(...(await connection.json<{ pattern_ids: string[] }>('POST', path, { items })).pattern_ids)
  }
  return ids
}

async function ask<T>(connection: Connection, what: string, actor: string, body: object): Promise<T> {
  const answer = await connection.send('POST', `/v1/memory/text/${what}`, body, { 'x-memory-actor': actor })
  if (answer.status !== 200) throw new Error(`${what} answered ${answer.status}: ${answer.text}`)
  return JSON.parse(answer.text) as T
}

function numbersOf(
  patterns: readonly { pattern_id: string }[],
  numbers: ReadonlyMap<string, number>,
): number[] {
  return patterns.flatMap(({ pattern_id }) => numbers.get(pattern_id) ?? [])
}
