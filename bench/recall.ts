/**
 * Evidence recall of the text endpoints on LoCoMo conversations, before and after use, against BM25.
 *
 *   npm run bench -- recall --data dev.json [--conversations 4] [--together | --interleaved] [--unused] [--seed 1]
 *                           [--cache FILE] [--database-url postgres://…]
 */
import { readOptions, required } from '../scripts/read-options.ts'
import { HttpSpace } from './recall/http-space.ts'
import { halves, practices, practise } from './recall/practice.ts'
import { Findings } from './recall/report.ts'
import { readSpaces, type SpaceCase } from './recall/spaces.ts'
import { Bm25 } from './support/bm25.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { type Found, listLength, measure, rank } from './support/evidence-recall.ts'
import { fileHash, readConversations } from './support/locomo.ts'
import { startPausedService } from './support/paused-service.ts'
import { fusedByRank } from './support/rank-fusion.ts'
import { writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'

const { values: options } = readOptions({
  options: {
    data: { type: 'string' },
    conversations: { type: 'string' },
    together: { type: 'boolean', default: false },
    interleaved: { type: 'boolean', default: false },
    unused: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    cache: { type: 'string' },
    'database-url': { type: 'string' },
  },
})
const data = required('data', options.data, 'the LoCoMo conversations, see bench/README.md')
const { cache } = options
const arrangement = options.interleaved ? 'interleaved' : options.together ? 'together' : 'apart'
const count = Number(options.conversations ?? (arrangement === 'apart' ? 4 : 5))
const seed = Number(options.seed)
const conversations = readConversations(data).slice(0, count)
const environment = readEnvironment()
console.log(`${environmentLine(environment)}\n`)

const unused = new Findings()
const used = new Findings()
const spaces = await readSpaces(conversations, { arrangement, cache })
const dataDir = newFolder()
const service = await startPausedService({ dataDir, databaseUrl: options['database-url'] })
try {
  for (const [i, space] of spaces.entries()) {
    const started = performance.now()
    const untouched = await measureUnused(space)
    if (!options.unused) await measureUsed(space, untouched, 100 * seed + i)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(
      `${space.name}: ${space.turns.length} turns, ${space.questions.length} questions, ${seconds} s`,
    )
  }
} finally {
  await service.stop()
  removeFolder(dataDir)
}
console.log(`\n${unused.table('method', true)}`)
if (!options.unused) console.log(`\n${used.table('recall of the other half, when one half was')}`)
writeResult(arrangement === 'apart' ? 'recall' : `recall-${arrangement}`, environment, {
  data: { sha256: fileHash(data), conversations: conversations.map(({ name }) => name).join(', ') },
  database: options['database-url'] === undefined ? 'embedded' : 'PostgreSQL',
  figures: unused.figures(),
  ...(!options.unused && { afterUse: used.figures() }),
})

/** Nothing that was asked is learned from meanwhile. @returns what recall finds, in the order of the questions */
async function measureUnused(space: SpaceCase): Promise<Found[]> {
  const words = new Bm25(space.turns.map(({ text }) => text))
  const filled = await HttpSpace.fill(service, space)
  const recalled: Found[] = []
  for (const asked of space.questions) {
    const { question, subject } = asked
    const byWords = rank(words.scores(asked.text))
      .filter((idx) => subject === undefined || space.turns[idx]?.subject === subject)
      .slice(0, listLength)
    const ranking = byWords.map((idx) => space.ids[idx] as string)
    const retrieved = await filled.measure(asked, 'retrieve')
    const { found } = await filled.measure(asked, 'recall')
    unused.add('BM25', measure(question, ranking))
    unused.add('text/retrieve', retrieved.found)
    unused.add('fusion of both by rank', measure(question, fusedByRank([ranking, retrieved.ranking])))
    unused.add('text/recall', found)
    recalled.push(found)
  }
  filled.close()
  return recalled
}

/** What recall finds for one half of the questions after each way of use with the other half. */
async function measureUsed(space: SpaceCase, untouched: readonly Found[], halving: number): Promise<void> {
  const { practised, kept } = halves(space.questions, halving)
  used.add('not used', ...kept.map((asked) => untouched[space.questions.indexOf(asked)] as Found))
  for (const [name, practice] of Object.entries(practices)) {
    const filled = await HttpSpace.fill(service, space)
    await practise(filled, practised, practice, halving)
    await service.write()
    for (const asked of kept) used.add(name, (await filled.measure(asked, 'recall')).found)
    filled.close()
  }
}
