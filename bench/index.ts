/**
 * The vector index beside those one takes in Python, in one thread and one run: recall, time of a query, time to build,
 * memory. Then how soon a restarted service answers its first search of a large space.
 *
 *   npm run bench -- index [--python VENV/bin/python] [--sentences FILE.csv,…] [--recall 0.99] [--large]
 */
import { accel } from '../crates/accel/index.js'
import { readOptions } from '../scripts/read-options.ts'
import { type Candidate, type Pass, startOwn, startPeer, startScan } from './index/candidate.ts'
import { type DataSet, mixture, sentences } from './index/data.ts'
import { ratiosOf } from './index/ratios.ts'
import { measureStartUp, type Start } from './index/startup.ts'
import { environmentLine, readEnvironment } from './support/environment.ts'
import { table, writeResult } from './support/results.ts'
import { newFolder, removeFolder } from './support/server.ts'
import { digits, mean, quantile, type Spread, showSpread, spread } from './support/statistics.ts'

const { values: options } = readOptions({
  options: {
    python: { type: 'string' },
    /** Files of comma-separated values, whose texts are encoded. */
    sentences: { type: 'string' },
    /** A file that keeps the embeddings of the sentences for the next run. */
    embeddings: { type: 'string' },
    sizes: { type: 'string', default: '10000,100000' },
    'graphs-up-to': { type: 'string', default: '100000' },
    large: { type: 'boolean', default: false },
    queries: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    /** A setting of a peer that finds as much is compared; of one that never does, the one that finds most. */
    recall: { type: 'string', default: '0.99' },
    start: { type: 'string', default: '100000' },
  },
})
const own = ['hot', 'flat', 'warm', 'cold', 'mix']
const scans = ['float32', 'bytes']
const peers = [
  'hnswlib',
  'usearch',
  'usearch int8',
  'faiss flat',
  'faiss SQ8',
  'faiss RaBitQ',
  'faiss RaBitQ fast scan',
  'faiss HNSW',
]
/**
 * Only up to `--graphs-up-to` rows: the builds of graphs take a minute or two at 100,000 rows, in one thread, and many at
 * a million; of RaBitQ the fast scan is the one to compare with, and memory is short.
 */
const smallOnly = ['hnswlib', 'usearch', 'usearch int8', 'faiss HNSW', 'faiss RaBitQ']
const rounds = Number(options.rounds)
const recallWanted = Number(options.recall)

interface Figures {
  data: string
  patterns: number
  index: string
  setting: string
  recall: number
  p50: Spread
  p99: Spread
  /** In one thread. */
  buildMs: number
  residentBytesPerPattern: number
  /** What the index itself counts. */
  ownBytesPerPattern?: number
  /** Keys a query that come from the database. */
  fetched?: number
}

const environment = readEnvironment()
console.log(`${environmentLine(environment)}; index: ${accel?.features().instructionSet ?? 'JavaScript'}\n`)
const folder = newFolder()
const figures: Figures[] = []
try {
  const sizes = options.sizes.split(',').map(Number)
  for (const size of options.large ? [...sizes, 1_000_000] : sizes) {
    await measure(mixture(folder, size, Number(options.queries)))
  }
  const files = options.sentences?.split(',') ?? []
  if (files.length > 0 || options.embeddings !== undefined) {
    await measure(await sentences(folder, files, Number(options.queries), options.embeddings))
  }
} finally {
  removeFolder(folder)
}
console.log(
  table(
    [
      'data',
      'patterns',
      'index',
      'recall@10',
      'p50 ms',
      'p99 ms',
      'keys fetched',
      'build s',
      'bytes a pattern, counted',
      'resident',
    ],
    figures.map((each) => [
      each.data,
      each.patterns.toLocaleString('en'),
      `${each.index} ${each.setting}`.trim(),
      each.recall.toFixed(4),
      showSpread(each.p50),
      showSpread(each.p99),
      each.fetched === undefined ? '' : digits(each.fetched),
      digits(each.buildMs / 1_000),
      each.ownBytesPerPattern?.toFixed(0) ?? '',
      each.residentBytesPerPattern.toFixed(0),
    ]),
  ),
)
const ratios = ratiosOf(figures)
console.log(
  `\n${table(
    ['data', 'patterns', 'p50 of', 'by p50 of', 'ratio', 'lower recall@10'],
    ratios.map(({ data, patterns, other, own, ratio, recall }) => [
      data,
      patterns.toLocaleString('en'),
      other,
      own,
      `${digits(ratio)}x`,
      recall.toFixed(4),
    ]),
  )}`,
)
const startPatterns = Number(options.start)
const startUp = startPatterns === 0 ? undefined : await measureStartUp(startPatterns, rounds)
if (startUp !== undefined) {
  const row = (from: string, { readyMs, firstSearchMs, secondSearchMs }: Start) => [
    from,
    showSpread(readyMs),
    showSpread(firstSearchMs),
    showSpread(secondSearchMs),
  ]
  console.log(
    `\nRestart with ${startUp.patterns.toLocaleString('en')} patterns\n\n${table(
      ['from', 'ready ms', 'first search ms', 'second search ms'],
      [row('snapshot', startUp.fromSnapshot), row('database', startUp.fromDatabase)],
    )}`,
  )
}
writeResult('index', environment, { rounds, queries: Number(options.queries), figures, ratios, startUp })

async function measure(data: DataSet): Promise<void> {
  const starts = [
    ...own.map((kind) => () => startOwn(kind, data)),
    ...scans.map((kind) => () => startScan(kind, data)),
    ...peersFor(data.count).map((peer) => () => startPeer(options.python as string, peer, data)),
  ]
  const candidates: Candidate[] = []
  // One after the other, so that none is built while another is.
  for (const start of starts) {
    candidates.push(await start())
    console.error(`${candidates.at(-1)?.name}: ${data.count} ${data.name} built`)
  }
  const passes = candidates.map((): Pass[][] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, candidate] of candidates.entries()) passes[i]?.push(await candidate.measure())
  }
  for (const [i, candidate] of candidates.entries()) {
    figures.push(figuresOf(data, candidate, passes[i] as Pass[][]))
    await candidate.stop()
  }
}

function peersFor(count: number): string[] {
  if (options.python === undefined) return []
  return count <= Number(options['graphs-up-to']) ? peers : peers.filter((peer) => !smallOnly.includes(peer))
}

function figuresOf(data: DataSet, { name, built }: Candidate, passes: readonly Pass[][]): Figures {
  const first = passes[0] as Pass[]
  const recalls = first.map(({ found }) => recallOf(found, data.nearest))
  const enough = recalls.findIndex((recall) => recall >= recallWanted)
  const chosen = enough >= 0 ? enough : recalls.indexOf(Math.max(...recalls))
  const { setting, fetched } = first[chosen] as Pass
  const times = passes.map((pass) => (pass[chosen] as Pass).ms)
  return {
    data: data.name,
    patterns: data.count,
    index: name,
    setting,
    recall: recalls[chosen] as number,
    p50: spread(times.map((ms) => quantile(ms, 0.5))),
    p99: spread(times.map((ms) => quantile(ms, 0.99))),
    buildMs: built.buildMs,
    residentBytesPerPattern: built.residentBytes / data.count,
    ...(built.ownBytes !== undefined && { ownBytesPerPattern: built.ownBytes / data.count }),
    ...(fetched !== undefined && { fetched }),
  }
}

/** Share of the nearest that were found, over the queries. */
function recallOf(found: readonly number[][], nearest: readonly number[][]): number {
  return mean(
    nearest.map(
      (expected, i) => expected.filter((label) => found[i]?.includes(label)).length / expected.length,
    ),
  )
}
