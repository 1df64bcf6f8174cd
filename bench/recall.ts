/**
 * Evidence recall of the text endpoints on LoCoMo conversations, against BM25 and the bare encoder.
 *
 *   npm run bench:recall -- --data dev.json [--conversations 4] [--endpoint retrieve,recall]
 *                           [--database-url postgres://…]
 */
import { parseArgs } from 'node:util'
import { openEncoder } from '../packages/shared/src/encoder/encoder.ts'
import { Bm25 } from './support/bm25.ts'
import type { Connection } from './support/client.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { type Found, listLength, measure, rank, recallFigures } from './support/evidence-recall.ts'
import { type Conversation, fileHash, readConversations } from './support/locomo.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder, startServer } from './support/server.ts'

const encoderDir = new URL('../models', import.meta.url).pathname

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string', default: '4' },
    endpoint: { type: 'string', default: 'retrieve' },
    'database-url': { type: 'string' },
  },
})
if (options.data === undefined) {
  console.error('Say where the conversations are: npm run bench:recall -- --data PATH (see bench/README.md).')
  process.exit(2)
}
const endpoints = options.endpoint.split(',')
const conversations = readConversations(options.data).slice(0, Number(options.conversations))

const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

/** What each method found, question by question. */
const found = new Map<string, Found[]>()
const record = (method: string, results: Found[]) =>
  found.set(method, [...(found.get(method) ?? []), ...results])

const dataDir = newFolder()
const server = await startServer({ dataDir, databaseUrl: options['database-url'] })
const encoder = await openEncoder(encoderDir)
try {
  const connection = await server.connect()
  for (const conversation of conversations) {
    const started = performance.now()
    record('BM25', byBm25(conversation))
    record('encoder alone', await byEncoder(conversation))
    const stored = await store(connection, conversation)
    // In the order given: recall learns from use, so what is asked first is not changed by what follows.
    for (const endpoint of endpoints) {
      record(`text/${endpoint}`, await byService(connection, conversation, stored, endpoint))
    }
    await connection.json('DELETE', '/v1/memory/patterns?confirm=all')
    const { name, turns, questions } = conversation
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`Conversation ${name}: ${turns.length} turns, ${questions.length} questions, ${seconds} s`)
  }
  connection.close()
} finally {
  await server.stop()
  await encoder.close()
  removeFolder(dataDir)
}
report()

/** Stores the turns one by one and returns the turn of each pattern. */
async function store(connection: Connection, { turns }: Conversation): Promise<Map<string, string>> {
  const turnOf = new Map<string, string>()
  for (const { id, text } of turns) {
    const answer = await connection.json<{ pattern_id: string }>('POST', '/v1/memory/text/store', { text })
    turnOf.set(answer.pattern_id, id)
  }
  return turnOf
}

async function byService(
  connection: Connection,
  { questions }: Conversation,
  turnOf: Map<string, string>,
  endpoint: string,
): Promise<Found[]> {
  const all: Found[] = []
  for (const question of questions) {
    const body = { query: question.text, top_k: listLength }
    const path = `/v1/memory/text/${endpoint}`
    const { results } = await connection.json<{ results: { pattern_id: string }[] }>('POST', path, body)
    const ranking = results.map(({ pattern_id: pattern }) => {
      const turn = turnOf.get(pattern)
      if (turn === undefined) throw new Error(`${path} answered ${pattern}, which this space does not hold`)
      return turn
    })
    all.push(measure(question, ranking))
  }
  return all
}

function byBm25({ turns, questions }: Conversation): Found[] {
  const index = new Bm25(turns.map((turn) => turn.text))
  return questions.map((question) => measure(question, turnsInOrder(turns, index.scores(question.text))))
}

/** The same turns and questions by cosine in this process: what exact search over HTTP has to reach. */
async function byEncoder({ turns, questions }: Conversation): Promise<Found[]> {
  const vectors: Float32Array[] = []
  for (const turn of turns) vectors.push(await encoder.encode(turn.text))
  const all: Found[] = []
  for (const question of questions) {
    const query = await encoder.encode(question.text)
    const cosines = vectors.map((vector) => vector.reduce((sum, x, i) => sum + x * (query[i] as number), 0))
    all.push(measure(question, turnsInOrder(turns, cosines)))
  }
  return all
}

function turnsInOrder(turns: Conversation['turns'], scores: ArrayLike<number>): string[] {
  return rank(scores).flatMap((index) => turns[index]?.id ?? [])
}

function report(): void {
  const categories = [...new Set([...found.values()].flat().map((one) => one.category))].sort()
  const figures = Object.fromEntries(
    [...found].map(([method, results]) => [
      method,
      {
        all: recallFigures(results),
        ...Object.fromEntries(
          categories.map((name) => [name, recallFigures(results.filter((one) => one.category === name))]),
        ),
      },
    ]),
  )
  const rows = Object.entries(figures).flatMap(([method, groups]) =>
    Object.entries(groups).map(([group, { questions, recallAt5, recallAt10, mrr }]) => [
      method,
      group,
      String(questions),
      recallAt5.toFixed(1),
      recallAt10.toFixed(1),
      mrr.toFixed(3),
    ]),
  )
  console.log(`\n${table(['method', 'questions', 'n', 'recall@5', 'recall@10', `MRR@${listLength}`], rows)}`)
  writeResult('recall', environment, {
    data: {
      sha256: fileHash(options.data as string),
      conversations: conversations.map(({ name }) => name).join(', '),
    },
    database: options['database-url'] === undefined ? 'embedded' : 'PostgreSQL',
    figures,
  })
}
